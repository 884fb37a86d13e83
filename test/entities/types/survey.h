// Shard methods that take, and members that are, types of every kind: what the laws can be tried on, and where.
#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <string>
#include <tuple>
#include <unordered_set>
#include <variant>

namespace survey {

class [[autoshard::mapped]] Dated {
 public:
  const std::string& day() const { return day_; }

 private:
  std::string day_;
};

struct Weight {
  int grams = 0;
};

class [[autoshard::entity]] Answers : public Dated {
 public:
  [[autoshard::shard_method]] void add(const std::deque<int>& numbers, std::variant<int, bool> kind, std::monostate = {}) {
    count_ += static_cast<long>(numbers.size() + kind.index());
  }
  [[autoshard::shard_method]] void join(const std::list<std::tuple<int, bool>>& pairs) {
    for (const auto& [number, counts] : pairs) {
      if (counts) seen_.insert(number);
    }
  }
  [[autoshard::shard_method]] void weigh(Weight weight) { count_ += weight.grams; }
  [[autoshard::shard_fold]] static long sum(long a, long b) { return a + b; }
  [[autoshard::shard_fold]] static std::unordered_set<int> unite(std::unordered_set<int> a,
                                                                const std::unordered_set<int>& b) {
    a.insert(b.begin(), b.end());
    return a;
  }

  long count() const { return count_; }
  std::size_t seen() const { return seen_.size(); }

 private:
  [[autoshard::id]] int number_ = 0;
  std::list<int> order_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] long count_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 4)]] std::unordered_set<int> seen_;
};

}  // namespace survey
