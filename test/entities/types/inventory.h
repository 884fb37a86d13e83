// Every type a property can have, structs in structs, and members that stay in memory.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stock {

enum class Unit : std::uint8_t { kPiece, kKilogram };

struct Place {
  std::string hall;
  std::array<int, 2> shelf{};
};

struct Delivery {
  std::chrono::sys_seconds at;
  std::chrono::milliseconds took{};
  std::optional<Place> place;
  std::vector<std::pair<std::string, double>> items;
};

class [[autoshard::entity]] Inventory {
 public:
  enum Colour { kRed, kBlue };

  Inventory(Unit unit, std::string article) : article_(std::move(article)), unit_(unit) {}

  [[autoshard::shard_method]] void sell(std::int32_t pieces) { sold_ += pieces; }
  [[autoshard::shard_fold]] static std::int32_t total(const std::int32_t& a, const std::int32_t& b) { return a + b; }

  const std::string& article() const { return article_; }
  std::int32_t sold() const { return sold_; }
  void fill();
  bool is_filled() const;

 private:
  struct Batch {
    std::int64_t number;
    bool blocked;
  };

  [[autoshard::id]] std::string article_;
  Unit unit_;
  Colour colour_ = kBlue;
  bool active_ = true;
  char grade_ = 'A';
  signed char offset_ = -1;
  std::uint64_t ean_ = 0;
  float weight_ = 0.5F;
  double price_ = 0;
  std::optional<std::string> remark_;
  std::vector<bool> checks_;
  std::vector<Delivery> deliveries_;
  std::array<std::uint16_t, 3> sizes_;
  std::map<std::string, std::vector<int>> by_name_;
  std::unordered_map<int, std::string> by_number_;
  [[autoshard::index(elements)]] std::set<std::string> tags_;
  std::pair<int, Batch> newest_;
  std::chrono::system_clock::time_point changed_;
  std::chrono::duration<double> shelf_life_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] std::int32_t sold_ = 0;
  [[autoshard::transient]] const char* cached_ = nullptr;
};

inline void Inventory::fill() {
  using namespace std::chrono;
  colour_ = kRed;
  grade_ = 'B';
  ean_ = UINT64_MAX;
  weight_ = 1.5F;
  price_ = 2.25;
  remark_ = "fragile";
  checks_ = {true, false, true};
  deliveries_ = {{sys_seconds{seconds{5}}, milliseconds{7}, Place{"A", {1, 2}}, {{"nut", 0.5}, {"bolt", 1.0}}}, {}};
  sizes_ = {1, 2, 65535};
  by_name_ = {{"x", {1, 2}}, {"", {}}};
  by_number_ = {{-1, "minus"}, {7, "seven"}};
  tags_ = {"new", "old"};
  newest_ = {3, {std::int64_t{1} << 40, true}};
  changed_ = system_clock::time_point{seconds{1'000'000}};
  shelf_life_ = duration<double>{1.5};
  cached_ = "only in memory";
}

inline bool Inventory::is_filled() const {
  using namespace std::chrono;
  return unit_ == Unit::kKilogram && colour_ == kRed && active_ && grade_ == 'B' && offset_ == -1 && ean_ == UINT64_MAX &&
         weight_ > 1 && price_ > 2 && remark_ == "fragile" && checks_ == std::vector{true, false, true} &&
         deliveries_.size() == 2 && deliveries_[0].at == sys_seconds{seconds{5}} &&
         deliveries_[0].took == milliseconds{7} && deliveries_[0].place->shelf[1] == 2 &&
         deliveries_[0].items[1].first == "bolt" && !deliveries_[1].place && sizes_[2] == 65535 &&
         by_name_.at("x").size() == 2 && by_number_.at(-1) == "minus" && tags_.contains("old") &&
         newest_.second.number == std::int64_t{1} << 40 && newest_.second.blocked &&
         changed_ == system_clock::time_point{seconds{1'000'000}} && shelf_life_ > seconds{1} && cached_ == nullptr;
}

}  // namespace stock
