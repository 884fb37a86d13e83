#pragma once
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <utility>

namespace dashboard {

template <class T>
struct Exporter;

/// With attributes of other people's, and names that nobody else may use.
class [[autoshard::entity("Widget")  /// its kind in the store, whatever the class is called later
]] Widget {
  enum class State { kIdle, kBusy = 4, kBroken };
  using Label = std::string;
  template <class T>
  friend struct Exporter;

 public:
  explicit Widget(std::string id) : id_(std::move(id)) {}

  [[gnu::noinline]] [[autoshard::shard_method]] void shown() { ++views_; }
  [[autoshard::shard_method, gnu::cold]] void hidden [[gnu::noinline]] () { --views_; }
  [[autoshard::shard_method]] __attribute__((noinline)) int shownTwice() { views_ += 2; return 2; }
  [[gnu::noinline]] [[autoshard::shard_method]] inline void shownThrice() { views_ += 3; }
  [[autoshard::shard_method]] [[deprecated("call shown")]] void seen() { ++views_; }
  [[autoshard::shard_method]] [[nodiscard]] [[gnu::hot]] int clicked(int times) {
    clicks_ += sizeof(*this) > 0 ? times : 0;
    return times;
  }
  [[autoshard::shard_method]] void enter(State state) { worst_ = worse(worst_, state); }
  [[autoshard::shard_method]] void label(const Label& text) { ++labels_[text]; }
  [[autoshard::shard_method]] void fail() {
    worst_ = State::kBroken;
    ++failures_[State::kBroken];
  }
  [[autoshard::shard_method]] Widget& operator+=(int views) {
    views_ += views;
    return *this;
  }
  [[autoshard::shard_method]] Widget& operator-=(int views) { return *this += -views; }
  [[autoshard::shard_method]] void weigh(unsigned kind) {
    static constexpr int kWeights[] = {1, 5, 25};
    struct Weight {
      int value;
      int get() const { return this->value; }
    };
    clicks_ += Weight{kWeights[kind % 3]}.get();
  }
  [[autoshard::shard_method]] void rank(int rank) { best_ = std::max(best_, rank); }
  bool is_broken() const { return worst_ == State::kBroken; }

 private:
  static constexpr int kRows = 3;
  static constexpr int doubled(int n) { return 2 * n; }
  [[autoshard::shard_fold]] static State worse(State a, State b) { return std::max(a, b); }
  template <class Key>
  static std::map<Key, int> sums(std::map<Key, int> a, const std::map<Key, int>& b) {
    for (const auto& [key, count] : b) a[key] += count;
    return a;
  }
  [[autoshard::shard_fold]] static std::map<State, int> failures(std::map<State, int> a,
                                                                 const std::map<State, int>& b) {
    return sums(std::move(a), b);
  }
  [[autoshard::shard_fold]] static std::map<Label, int> labels(std::map<Label, int> a,
                                                               const std::map<Label, int>& b) {
    return sums(std::move(a), b);
  }

  [[autoshard::id]] std::string id_;
  State state_ = State::kIdle;
  [[autoshard::shardable(neutral = 0, shards = 1 << 4, fold = std::plus<>{})]] int views_ = 0;
  [[autoshard::shardable(neutral = 0, shards = kRows * doubled(2) + sizeof(char), fold = std::plus<>{})]] int clicks_ = 0;
  [[autoshard::shardable(neutral = std::numeric_limits<int>::min(), shards = 2, fold = std::max<int>)]] int best_ = 0;
  [[autoshard::shardable(neutral = State::kIdle, shards = 2)]] State worst_ = State::kIdle;
  [[autoshard::shardable(neutral = {}, shards = 2)]] std::map<State, int> failures_;
  [[autoshard::shardable(neutral = {}, shards = 2)]] std::map<Label, int> labels_;
};

template <class T>
struct Exporter {
  static T views(const Widget& widget) { return static_cast<T>(widget.views_); }
};

inline long exported(const Widget& widget) { return Exporter<long>::views(widget); }

}  // namespace dashboard
