// Forum: threads, posts, members. Style: the methods are defined in forum.cpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

namespace forum {

class Member;
class Thread;

namespace detail {
/// What a search engine would make of `title`.
std::string slug(const std::string& title);
}  // namespace detail

using ThreadId = std::uint64_t;

enum class Reaction : std::uint8_t { kLike, kLaugh, kCry, kAngry };

/// Text, a picture by its address, or a poll with its choices.
struct Picture {
  std::string url;
  int width = 0, height = 0;
};
struct Choices {
  std::vector<std::string> of;
};
using Content = std::variant<std::string, Picture, Choices>;

class [[autoshard::entity]] Thread {
 public:
  Thread(ThreadId id, std::string title);

  /// Somebody answered: one more post, and the thread is as new as it.
  [[autoshard::shard_method]] void answered(std::chrono::sys_seconds at, const std::string& by);
  [[autoshard::shard_method]] void viewed(unsigned times = 1) noexcept;

  void close();
  bool is_open() const;
  std::size_t participants() const;
  std::uint64_t views() const noexcept { return views_; }
  std::chrono::sys_seconds last_answer() const { return last_answer_; }
  friend std::ostream& operator<<(std::ostream& out, const Thread& thread);

 private:
  using Names = std::unordered_set<std::string>;

  [[autoshard::shard_fold]] static Names unite(Names one, const Names& other);
  [[autoshard::shard_fold]] static std::chrono::sys_seconds later(std::chrono::sys_seconds a, std::chrono::sys_seconds b);

  [[autoshard::id]] ThreadId id_;
  [[autoshard::also_load("subject")]] std::string title_;
  std::string slug_;
  bool open_ = true;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Names participants_;
  [[autoshard::shardable(neutral = std::chrono::sys_seconds::min(), shards = 8)]]
  std::chrono::sys_seconds last_answer_ = std::chrono::sys_seconds::min();
  [[autoshard::shardable(neutral = 0, shards = 32, fold = std::plus<>{})]] std::uint64_t views_ = 0;
};

class [[autoshard::entity]] Post {
 public:
  Post(ThreadId thread, std::uint32_t number, Content content);

  [[autoshard::shard_method]] void react(Reaction with);
  [[autoshard::shard_method]] void take_back(Reaction reaction) { count(reaction, -1); }
  [[autoshard::shard_method]] void react_all(const std::vector<Reaction>& with);
  int reactions(Reaction of) const;

  void edit(Content content);

 private:
  using Counts = std::unordered_map<Reaction, int>;

  [[autoshard::shard_method]] void count(Reaction which, int by);
  [[autoshard::shard_fold]] static Counts sum(const Counts& one, const Counts& other);

  [[autoshard::id]] ThreadId thread_;
  [[autoshard::id]] std::uint32_t number_;
  Content content_;
  std::optional<std::chrono::sys_seconds> edited_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Counts reactions_;
};

}  // namespace forum
