// Hooks, which may throw, and a member that is not persisted.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace web {

class [[autoshard::entity]] Session {
 public:
  explicit Session(long number, std::string name = "") : user(std::move(name)), number_(number) {}

  long number() const { return number_; }
  long hits() const { return hits_; }
  int saves() const { return saves_; }
  int loads() const { return loads_; }
  [[autoshard::shard_method]] void hit(long by) { hits_ += by; }

  std::string user;
  [[autoshard::transient]] bool refuses = false;  ///< `before_save` throws

 private:
  [[autoshard::before_save]] void stamp() {
    if (refuses) throw std::runtime_error("not to be saved");
    ++saves_;
  }
  [[autoshard::after_load]] void arrive() {
    if (user == "cursed") throw std::runtime_error("not to be loaded");
    ++loads_;
  }

  [[autoshard::id]] long number_;
  int saves_ = 0;
  [[autoshard::transient]] int loads_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long hits_ = 0;
};

}  // namespace web
