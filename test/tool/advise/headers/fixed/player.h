// A game: what many matches report about one player at the same time.
// In the style of another code base, which a fix keeps.
// clang-format off
#ifndef GAME_PLAYER_H
#define GAME_PLAYER_H

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace game
{

class [[autoshard::entity]] Player
{
public:
    enum class Rank : int { bronze, silver, gold };

    explicit Player(std::string playerName) : m_name(std::move(playerName)) {}

    [[autoshard::shard_method]] void scored(int points)
    {
        m_points += points;
        m_bestMatch = std::max(points, m_bestMatch);
    }

    [[autoshard::shard_method]] void played(unsigned seconds)
    {
        if (seconds < m_shortestMatch)
            m_shortestMatch = seconds;
        if (m_longestMatch < seconds) { m_longestMatch = seconds; }
        ++m_matches;
    }

    [[autoshard::shard_method]] void reached(Rank rank)
    {
        m_highest = rank > m_highest ? rank : m_highest;
    }
    [[autoshard::shard_method]] void unlock(std::uint8_t features)
    {
        m_features = static_cast<std::uint8_t>(m_features | features);
    }
    [[autoshard::shard_method]]
    void forbid(std::uint32_t features) { m_allowed &= ~features; }
    [[autoshard::shard_method]]
    void achieve(const std::string &what) { m_achievements.insert(what); }
    [[autoshard::shard_method]]
    void killed(const std::string &enemy) { ++m_kills[enemy]; }
    [[autoshard::shard_method]] void visited(int area, const std::string &room)
    {
        m_rooms[area].emplace(room);
    }
    [[autoshard::shard_method]]
    void boosted(double factor) { m_boost *= factor; }
    [[autoshard::shard_method]] void rolled(unsigned odds) { m_odds *= odds; }

    // Not these: a place is where one was last, a streak ends, and a life is
    // taken only if there is one.
    void moved(int x, int y)
    {
        m_x = x;
        m_y = y;
        ++m_steps;
    }
    [[autoshard::shard_method]]
    void collect(std::size_t badge) { m_badges.set(badge); }
    [[autoshard::shard_method]]
    void lose(std::size_t life) { m_spare.reset(life); }
    [[autoshard::shard_method]] void won() { ++m_streak; }
    [[autoshard::shard_write]] void lost() { m_streak = 0; }
    bool hit()
    {
        if (m_lives == 0)
            return false;
        --m_lives;
        return true;
    }

    int points() const { return m_points; }
    int bestMatch() const { return m_bestMatch; }
    std::uint32_t allowed() const { return m_allowed; }

private:
    [[autoshard::id]] std::string m_name;
    int m_points
        [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]] = 0, m_bestMatch
        [[autoshard::shardable(neutral = std::numeric_limits<int>::min(),
                               shards = 10,
                               fold = [](auto x, auto y) {
                                 return x < y ? y : x;
                               })]] = 0;
    unsigned m_shortestMatch
        [[autoshard::shardable(neutral = std::numeric_limits<unsigned>::max(),
                               shards = 10,
                               fold = [](auto x, auto y) {
                                 return y < x ? y : x;
                               })]] = 0xffffffff, m_longestMatch
        [[autoshard::shardable(neutral = 0, shards = 10,
                               fold = [](auto x, auto y) {
                                 return x < y ? y : x;
                               })]] = 0;
    [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
    long m_matches = 0;
    [[autoshard::shardable(neutral = game::Player::Rank::bronze, shards = 10,
                           fold = [](auto x, auto y) {
                             return x < y ? y : x;
                           })]]
    Rank m_highest = Rank::bronze;
    [[autoshard::shardable(neutral = 0, shards = 10, fold = std::bit_or<>{})]]
    std::uint8_t m_features = 0;
    [[autoshard::shardable(neutral = static_cast<std::uint32_t>(-1),
                           shards = 10, fold = std::bit_and<>{})]]
    std::uint32_t m_allowed = ~0U;
    [[autoshard::shard_group(shards = 8)]] std::set<std::string> m_achievements;
    [[autoshard::shardable(neutral = 0, shards = 10, fold = std::bit_or<>{})]]
    std::bitset<40> m_badges;
    [[autoshard::shardable(neutral = ~std::bitset<9>{}, shards = 10,
                           fold = std::bit_and<>{})]]
    std::bitset<9> m_spare = ~std::bitset<9>();
    [[autoshard::shardable(neutral = {}, shards = 10,
                           fold = [](auto x, const auto& y) {
                             for (const auto& [key, value] : y) x[key] = static_cast<short>(x[key] + value);
                             return x;
                           })]]
    std::unordered_map<std::string, short> m_kills;
    [[autoshard::shardable(neutral = {}, shards = 10,
                           fold = [](auto x, const auto& y) {
                             for (const auto& [key, value] : y) x[key].insert(value.begin(), value.end());
                             return x;
                           })]]
    std::map<int, std::set<std::string>> m_rooms;
    [[autoshard::shardable(neutral = 1, shards = 10,
                           fold = std::multiplies<>{})]]
    double m_boost = 1;
    [[autoshard::shardable(neutral = 1, shards = 10,
                           fold = std::multiplies<>{})]]
    unsigned m_odds = 1;
    int m_x = 0, m_y = 0;
    unsigned m_steps = 0;
    [[autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]]
    int m_streak = 0;
    int m_lives = 3;
};

} // namespace game

#endif
