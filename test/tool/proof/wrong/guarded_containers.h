// Containers in a header with an include guard, whose folds are functions outside of the class.
#ifndef GUARDED_CONTAINERS_H
#define GUARDED_CONTAINERS_H

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace guarded {

using Names = std::map<int, std::string>;

inline Names keep_left(Names a, const Names& b) {
  for (const auto& [number, name] : b) a.emplace(number, name);
  return a;
}

// wrong: `emplace` keeps the left name of a number that both maps have
class [[autoshard::entity]] Players {
 public:
  explicit Players(int team) : team_(team) {}
  [[autoshard::shard_method]] void name(int number, std::string player) {
    names_.insert_or_assign(number, std::move(player));
  }
  std::size_t players() const { return names_.size(); }

 private:
  [[autoshard::id]] int team_;
  [[autoshard::shardable(neutral = {}, shards = 4, fold = keep_left)]] Names names_;
};

}  // namespace guarded

// wrong: the update takes the element from one shard only
class [[autoshard::entity]] Waiting {
 public:
  explicit Waiting(int desk) : desk_(desk) {}
  [[autoshard::shard_method]] void toggle(const std::string& who) {
    if (!who_.insert(who).second) who_.erase(who);
  }
  std::size_t count() const { return who_.size(); }

 private:
  using Names = std::set<std::string>;
  [[autoshard::shard_fold]] static Names unite(Names a, Names b) {
    a.merge(b);
    return a;
  }

  [[autoshard::id]] int desk_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Names who_;
};

#endif  // GUARDED_CONTAINERS_H
