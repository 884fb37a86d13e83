// Arguments that are constants of another header.
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sizes.h"

namespace sales {

class [[autoshard::entity, autoshard::sharded_index(name = ByTown, key = town_, order = opened_,
                                                    shards = sizes::half(sizes::kShards))]] Kiosk {
 public:
  Kiosk(std::string name, std::string town, long opened)
      : name_(std::move(name)), town_(std::move(town)), opened_(opened) {}

  [[autoshard::shard_method]] void sell(long papers) { papers_ -= papers; }
  [[autoshard::shard_method]] void look() { ++looks_; }
  [[autoshard::shard_method]] void earn(int cents) { cents_ += cents; }
  [[autoshard::shard_method]] void note(std::string text) { notes_.push_back(std::move(text)); }

  long papers() const { return papers_; }

 private:
  [[autoshard::id]] std::string name_;
  std::string town_;
  long opened_ = 0;
  [[autoshard::shardable(neutral = 0, shards = sizes::kShards, fold = std::plus<>{}, min = 0,
                         max = 2 * sizes::kStock)]] long papers_ = sizes::kStock;
  [[autoshard::shardable(neutral = 0, shards = adaptive(sizes::Limit::kLeast, sizes::Limit::kMost),
                         fold = std::plus<>{})]] long looks_ = 0;
  [[autoshard::index(staleness = sizes::kShards * 2),
    autoshard::shardable(neutral = 0, shards = sizes::kGroups, fold = std::plus<>{})]] int cents_ = 0;
  [[autoshard::shard_group(shards = sizes::kGroups + 1)]] std::vector<std::string> notes_;
};

}  // namespace sales
