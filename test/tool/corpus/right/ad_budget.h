// Advertising budgets. Style: Java-ish; getters and setters, private nested types, one class per concern.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace com::example::ads {

/// A strong id: a number that is an advertiser's and nothing else.
template <class Tag>
struct Id {
  std::int64_t value = 0;
  friend auto operator<=>(const Id&, const Id&) = default;
};
using AdvertiserId = Id<struct AdvertiserTag>;
using CampaignId = Id<struct CampaignTag>;

class BudgetReport;
struct BudgetAudit;
void print(std::ostream& out, const class Campaign& campaign);

class [[autoshard::entity]] Campaign {
  // Private, and yet the type of properties.
  struct Spending {
    std::int64_t micros = 0;
    std::uint32_t clicks = 0;
    friend bool operator==(const Spending&, const Spending&) = default;
  };

 public:
  enum class Channel { SEARCH, DISPLAY, VIDEO };

  Campaign(AdvertiserId ofAdvertiser, CampaignId number) : advertiser(ofAdvertiser), id(number) {}

  [[autoshard::shard_method]] void searchClick(std::int64_t micros) { spend(Channel::SEARCH, micros); }
  [[autoshard::shard_method]] void displayClick(std::int64_t micros) { spend(Channel::DISPLAY, micros); }
  [[autoshard::shard_method]] void videoClick(std::int64_t micros, int clicks = 1) {
    for (int i = 0; i < clicks; ++i) spend(Channel::VIDEO, micros);
  }
  [[autoshard::shard_method]] void refund(std::int64_t micros) { spent[Channel::DISPLAY].micros -= micros; }

  std::int64_t getSpent() const {
    std::int64_t sum = 0;
    for (const auto& [channel, spending] : spent) sum += spending.micros;
    return sum;
  }
  bool isExhausted() const { return dailyBudget && getSpent() >= *dailyBudget; }
  std::optional<std::int64_t> getDailyBudget() const { return dailyBudget; }
  void setDailyBudget(std::optional<std::int64_t> micros) { dailyBudget = micros; }

  friend class BudgetReport;
  friend struct BudgetAudit;
  friend void print(std::ostream& out, const Campaign& campaign);
  friend bool operator==(const Campaign& one, const Campaign& other) {
    return std::tie(one.advertiser, one.id) == std::tie(other.advertiser, other.id);
  }

 private:
  using Table = std::map<Channel, Spending>;

  [[autoshard::shard_method]] void spend(Channel channel, std::int64_t micros) {
    Spending& entry = spent[channel];
    entry.micros += micros;
    ++entry.clicks;
  }

  [[autoshard::shard_fold]] static Table sum(const Table& one, const Table& other) {
    Table result = one;
    for (const auto& [channel, spending] : other) {
      result[channel].micros += spending.micros;
      result[channel].clicks += spending.clicks;
    }
    return result;
  }

  [[autoshard::id]] AdvertiserId advertiser;
  [[autoshard::id]] CampaignId id;
  std::optional<std::int64_t> dailyBudget;
  std::vector<Channel> channels{Channel::SEARCH};
  [[autoshard::shardable(neutral = {}, shards = 12)]] Table spent;
};

/// Sees what others do not.
class BudgetReport {
 public:
  static std::size_t rows(const Campaign& campaign) { return campaign.spent.size(); }
};

struct BudgetAudit {
  static std::size_t channels(const Campaign& campaign) { return campaign.channels.size(); }
};

inline void print(std::ostream& out, const Campaign& campaign) {
  for (const auto& [channel, spending] : campaign.spent)
    out << static_cast<int>(channel) << ": " << spending.micros << " for " << spending.clicks << '\n';
}

/**
 * Who saw an ad how often, to show it not too often.
 * A reach of distinct users would be a sketch; this is for campaigns with few of them.
 */
class [[autoshard::entity]] Reach {
 public:
  explicit Reach(CampaignId ofCampaign) : campaign(ofCampaign) {}

  [[autoshard::shard_method]] void shown(std::int64_t user) { users.insert(user); }
  [[autoshard::shard_method]] void shown(std::set<std::int64_t> many) { users.merge(many); }
  std::size_t size() const noexcept(noexcept(users.size())) { return users.size(); }

 private:
  [[autoshard::id]] CampaignId campaign;
  [[autoshard::shardable(neutral = {}, shards = 12, fold = [](std::set<std::int64_t> a, std::set<std::int64_t> b) {
    a.merge(b);
    return a;
  })]] std::set<std::int64_t> users;
};

}  // namespace com::example::ads
