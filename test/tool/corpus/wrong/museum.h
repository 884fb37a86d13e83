#pragma once
#include <set>
#include <string>

namespace museum {

class [[autoshard::entity]] Exhibit {
 public:
  using Tags = std::set<std::string>;

  explicit Exhibit(int number) : number_(number) {}
  [[autoshard::shard_method]] void tag(const std::string& with) { tags_.insert(with); }
  const Tags& tags() const { return tags_; }

  // Merges in place, which saves a copy.
  [[autoshard::shard_fold]] static void merge(Tags& into, const Tags& from) { into.insert(from.begin(), from.end()); }  // expect: autoshard-fold-signature

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Tags tags_;
};

}  // namespace museum
