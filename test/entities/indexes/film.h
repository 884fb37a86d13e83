// Properties of many types, without an index.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "genre.h"

namespace cinema {

class [[autoshard::entity]] Film {
 public:
  explicit Film(std::string code) : code_(std::move(code)) {}

  const std::string& code() const { return code_; }
  long viewers() const { return viewers_; }
  int best() const { return static_cast<int>(best_); }

  [[autoshard::shard_method]] void view(long by) { viewers_ += by; }
  [[autoshard::shard_method]] void rate(int points) {
    best_ = std::max(best_, static_cast<unsigned>(points));
  }

  int year = 0;
  double length = 0;
  std::string title;
  Genre genre = Genre::kDrama;
  bool subtitled = false;
  std::optional<std::string> studio;
  std::set<std::string> tags;
  std::map<std::string, int> cast;
  Day released{};

 private:
  /// Of natural numbers: 0 is the neutral value.
  static unsigned greater(unsigned x, unsigned y) { return x > y ? x : y; }

  [[autoshard::id]] std::string code_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long viewers_ = 0;
  [[autoshard::shardable(neutral = 0, fold = greater)]] unsigned best_ = 0;
};

}  // namespace cinema
