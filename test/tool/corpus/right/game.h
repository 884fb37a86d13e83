// Game server. Style: Hungarian members, C prefix, macros for export and properties, PascalCase methods.
#ifndef GAME_SERVER_MODEL_GAME_H
#define GAME_SERVER_MODEL_GAME_H

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#if defined(GAME_SHARED)
#define GAME_API __attribute__((visibility("default")))
#else
#define GAME_API
#endif

#define GAME_ENTITY [[autoshard::entity]]
#define GAME_COUNTER(n) [[autoshard::shardable(neutral = 0, shards = n)]]
#define GAME_UPDATE [[autoshard::shard_method]]

namespace Game {

typedef std::uint64_t PlayerId;

enum EWeapon { WEAPON_NONE, WEAPON_SWORD, WEAPON_BOW, WEAPON_COUNT };

struct SVector3 {
  float X = 0, Y = 0, Z = 0;
};

class CWorld;

//! Kills, deaths and the like of one player.
class GAME_ENTITY CPlayerStats {
public:
  CPlayerStats(PlayerId Id, const std::string& Nick) : m_nId(Id), m_strNick(Nick) {}
  ~CPlayerStats() = default;
  CPlayerStats(const CPlayerStats&) = default;
  CPlayerStats(CPlayerStats&&) = default;
  CPlayerStats& operator=(const CPlayerStats&) = default;
  CPlayerStats& operator=(CPlayerStats&&) = default;

  GAME_UPDATE void OnKill(int nPoints) { m_nKills++, m_nScore += nPoints; }
  GAME_UPDATE void OnDeath() { --m_nLives; }
  GAME_UPDATE CPlayerStats& operator+=(int nPoints) {
    m_nScore += nPoints;
    return *this;
  }
  GAME_UPDATE CPlayerStats& operator++() {
    ++m_nKills;
    return *this;
  }

  int  GetKills() const { return m_nKills; }
  long GetScore() const { return m_nScore; }
  void SetNick(const std::string& strNick) { m_strNick = strNick; }
  const std::string& GetNick() const { return m_strNick; }
  void Teleport(const SVector3& To) { m_vPosition = To; }

  static int FoldInt(int a, int b) { return a + b; }

private:
  friend class CWorld;
  [[autoshard::shard_fold(m_nKills)]] static int SumKills(int a, int b) { return FoldInt(a, b); }
  [[autoshard::shard_fold(m_nLives)]] static int SumLives(int a, int b) { return FoldInt(a, b); }
  [[autoshard::shard_fold]] static long SumScore(long a, long b) { return a + b; }

  [[autoshard::id]] PlayerId m_nId;
  std::string m_strNick;
  SVector3    m_vPosition;
  EWeapon     m_eWeapon = WEAPON_NONE;
  GAME_COUNTER(8)  int  m_nKills = 0;
  GAME_COUNTER(8)  int  m_nLives = 0;
  GAME_COUNTER(32) [[autoshard::index(staleness = 60)]] long m_nScore = 0;
#ifdef GAME_WITH_CHEATS
  bool m_bGodMode = false;
#endif
};

/// The guild's treasury and its fame.
class GAME_API [[autoshard::entity("Guild2")]] CGuild {
public:
  enum class ERank { Recruit, Member, Officer };
  struct SMember {
    PlayerId Id = 0;
    ERank    Rank = ERank::Recruit;
  };

  explicit CGuild(std::string strName, std::uint16_t nRealm) : m_nRealm(nRealm), m_strName(std::move(strName)) {}

  [[autoshard::shard_method]] void Donate(EWeapon eWhat, unsigned nPieces) { m_Treasury[eWhat] += nPieces; }
  [[autoshard::shard_method]] void Beat(std::uint32_t nDamage) {
    if (nDamage > m_nBestHit) m_nBestHit = nDamage;
  }

  void Promote(PlayerId Id) {
    for (SMember& Member : m_vMembers)
      if (Member.Id == Id) Member.Rank = ERank::Officer;
  }
  std::uint32_t BestHit() const { return m_nBestHit; }

private:
  typedef std::map<EWeapon, unsigned> TTreasury;

  [[autoshard::shard_fold]] static TTreasury Merge(TTreasury a, TTreasury b) {
    for (TTreasury::const_iterator it = b.begin(); it != b.end(); ++it) a[it->first] += it->second;
    return a;
  }

  [[autoshard::id]] std::uint16_t m_nRealm;
  [[autoshard::id]] std::string   m_strName;
  std::vector<SMember>            m_vMembers;
  [[autoshard::shardable(neutral = {}, shards = 5)]] TTreasury m_Treasury;
  [[autoshard::shardable(neutral = 0u, shards = 5, fold = [](std::uint32_t x, std::uint32_t y) { return x < y ? y : x; })]]
  std::uint32_t m_nBestHit = 0;
};

/// Not stored: it only looks at those that are.
class CWorld {
public:
  PlayerId Owner(const CPlayerStats& Stats) const { return Stats.m_nId; }
};

/// Achievements are bits; once earned they stay.
struct [[autoshard::entity]] SAchievements {
  explicit SAchievements(PlayerId Owner = 0) : Player(Owner) {}

  [[autoshard::shard_method]] void Earn(std::uint64_t Bits) noexcept { Earned |= Bits; }
  bool Has(std::uint64_t Bits) const noexcept { return (Earned & Bits) == Bits; }

  [[autoshard::id]] PlayerId Player;

private:
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::bit_or<>{})]] std::uint64_t Earned = 0;
};

} // namespace Game

#undef GAME_COUNTER

#endif // GAME_SERVER_MODEL_GAME_H
