#ifndef INFRA_CACHE_COUNTER_H_
#define INFRA_CACHE_COUNTER_H_

#include <functional>
#include <string>

namespace infra {

/// Hits of a cache, by the type of its keys.
// wrong:
template <typename Key>
class [[autoshard::entity]] CacheCounter {
// expect: autoshard-entity-template: 'CacheCounter' is a template; annotate an ordinary class, which may hold
//     or derive from instances of templates without data members
// right:
// class [[autoshard::entity]] CacheCounter {
 public:
  // wrong:
  explicit CacheCounter(Key key) : key_(key) {}
  // right:
  // explicit CacheCounter(std::string key) : key_(std::move(key)) {}
  [[autoshard::shard_method]] void hit() { ++hits_; }

 private:
  // wrong:
  [[autoshard::id]] Key key_;
  // right:
  // [[autoshard::id]] std::string key_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long hits_ = 0;
};

}  // namespace infra

#endif
