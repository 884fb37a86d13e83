// A Session that ends when its hook says so.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace web {

class [[autoshard::entity]] Visit {
 public:
  using Time = std::chrono::system_clock::time_point;

  explicit Visit(long number, std::string name = "") : user(std::move(name)), number_(number) {}

  long number() const { return number_; }
  long hits() const { return hits_; }
  int saves() const { return saves_; }
  [[autoshard::shard_method]] void hit(long by) { hits_ += by; }

  std::string user;
  [[autoshard::transient]] bool refuses = false;            ///< `before_save` throws
  [[autoshard::transient]] std::optional<Time> next_until;  ///< `before_save` sets `until` to it
  [[autoshard::expires]] std::optional<Time> until;

 private:
  [[autoshard::before_save]] void stamp() {
    if (refuses) throw std::runtime_error("not to be saved");
    ++saves_;
    until = next_until;
  }

  [[autoshard::id]] long number_;
  int saves_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long hits_ = 0;
};

}  // namespace web
