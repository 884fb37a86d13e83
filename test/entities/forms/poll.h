// Methods that are defined behind the class, and in a source of their own.
#pragma once

#include <map>
#include <string>
#include <utility>

namespace poll {

struct Reason {
  std::string text;
  int weight = 1;
};

/// What people think of one thing.
class [[autoshard::entity]] Poll {
 public:
  enum class Mood { kGood, kBad };
  using Words = std::map<std::string, int>;

  Poll(int id, std::string text);

  /// Counts one vote.
  [[autoshard::shard_method]] void voteUp();
  [[autoshard::shard_method]] Poll& vote(int weight, Reason why = {}) &;
  [[autoshard::shard_method]] Poll& vote(const std::string& word);
  [[autoshard::shard_method]] Mood feel(Mood) noexcept;
  [[autoshard::shard_method]] auto say(std::string&& word, int times = 1) -> Words::size_type;
  [[autoshard::shard_method]] void operator+=(int votes);
  [[autoshard::shard_method]] void voteDown() { vote(-1); }
  [[autoshard::shard_method]] int twice(int);
  [[autoshard::shard_method]] constexpr void thrice();
  /// Begins again.
  [[autoshard::shard_write]] void reset(int votes = 0);
  [[autoshard::shard_write]] void mute() noexcept;

  int votes() const;
  const Words& words() const { return words_; }

 private:
  [[autoshard::shard_fold(votes_)]] static int add(int x, int y);
  [[autoshard::shard_fold(words_)]] static Words merge(Words x, const Words& y);

  [[autoshard::id]] int id_;
  std::string text_;
  [[autoshard::shardable(neutral = 0, shards = 10)]] int votes_ = 0;
  [[autoshard::shardable(neutral = {}, shards = 10)]] Words words_;
};

inline int Poll::twice(int n) {
  votes_ += 2 * n;  // the same as n, twice
  return 2 * n;
}

inline void Poll::mute() noexcept { words_.clear(); }

constexpr void Poll::thrice() { votes_ += 3; }

}  // namespace poll
