#ifndef INFRA_CACHE_COUNTER_H_
#define INFRA_CACHE_COUNTER_H_

#include <functional>
#include <string>

namespace infra {

/// Hits of a cache, by the type of its keys.
template <typename Key>
class [[autoshard::entity]] CacheCounter {  // expect: autoshard-entity-template
 public:
  explicit CacheCounter(Key key) : key_(key) {}
  [[autoshard::shard_method]] void hit() { ++hits_; }

 private:
  [[autoshard::id]] Key key_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long hits_ = 0;
};

}  // namespace infra

#endif
