// Containers whose laws hold for every value that updates can reach from the neutral one, and not for all
// values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace reachable_containers {

/// A sorted vector. Reachable: sorted.
class [[autoshard::entity]] Scores {
 public:
  explicit Scores(int class_number) : class_(class_number) {}
  [[autoshard::shard_method]] void add(int score) {
    scores_.insert(std::upper_bound(scores_.begin(), scores_.end(), score), score);
  }
  int median() const { return scores_.empty() ? 0 : scores_[scores_.size() / 2]; }

 private:
  [[autoshard::shard_fold]] static std::vector<int> merge(const std::vector<int>& a,
                                                          const std::vector<int>& b) {
    std::vector<int> merged;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(merged));
    return merged;
  }

  [[autoshard::id]] int class_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] std::vector<int> scores_;
};

/// The five greatest different numbers. Reachable: five elements at most.
class [[autoshard::entity]] Jackpots {
 public:
  explicit Jackpots(int machine) : machine_(machine) {}
  [[autoshard::shard_method]] void win(std::uint64_t cents) {
    greatest_ = top(std::move(greatest_), {cents});
  }
  std::size_t wins() const { return greatest_.size(); }

 private:
  static constexpr std::size_t kMost = 5;
  using Wins = std::set<std::uint64_t>;
  [[autoshard::shard_fold]] static Wins top(Wins a, const Wins& b) {
    a.insert(b.begin(), b.end());
    while (a.size() > kMost) a.erase(a.begin());
    return a;
  }

  [[autoshard::id]] int machine_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Wins greatest_;
};

/// Pieces by article, without articles of which there are none. Reachable: no value is zero.
class [[autoshard::entity]] Trolley {
 public:
  explicit Trolley(int customer) : customer_(customer) {}
  [[autoshard::shard_method]] void change(std::uint64_t article, std::uint32_t by) {
    pieces_ = add(std::move(pieces_), {{article, by}});
  }
  std::size_t articles() const { return pieces_.size(); }

 private:
  using Pieces = std::map<std::uint64_t, std::uint32_t>;
  [[autoshard::shard_fold]] static Pieces add(Pieces a, const Pieces& b) {
    for (const auto& [article, pieces] : b) {
      if ((a[article] += pieces) == 0) a.erase(article);
    }
    return a;
  }

  [[autoshard::id]] int customer_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] Pieces pieces_;
};

/// A set in a sorted vector. Reachable: sorted, without the same element twice.
class [[autoshard::entity]] Friends {
 public:
  explicit Friends(std::uint64_t user) : user_(user) {}
  [[autoshard::shard_method]] void add(std::uint64_t other) {
    const auto at = std::lower_bound(ids_.begin(), ids_.end(), other);
    if (at == ids_.end() || *at != other) ids_.insert(at, other);
  }
  std::size_t count() const { return ids_.size(); }

 private:
  using Ids = std::vector<std::uint64_t>;
  [[autoshard::shard_fold]] static Ids unite(const Ids& a, const Ids& b) {
    Ids all;
    all.reserve(a.size() + b.size());
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
    return all;
  }

  [[autoshard::id]] std::uint64_t user_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Ids ids_;
};

}  // namespace reachable_containers
