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

  // wrong:
  // Merges in place, which saves a copy.
  [[autoshard::shard_fold]] static void merge(Tags& into, const Tags& from) { into.insert(from.begin(), from.end()); }
  // expect: autoshard-fold-signature: shard fold 'merge' must take two values of the sharded member's type,
  //     by value, const reference or rvalue reference, and return one, as in 'static Tags fold(Tags, Tags)'
  // right:
  // [[autoshard::shard_fold]] static Tags merge(Tags into, const Tags& from) {
  //   into.insert(from.begin(), from.end());
  //   return into;
  // }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Tags tags_;
};

}  // namespace museum
