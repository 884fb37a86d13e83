// Scheduling: starts, ends, busy slots and hulls of intervals.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace scheduling {

using std::chrono::minutes;
using Time = std::chrono::sys_time<minutes>;

/// The earliest start and the latest end of all tasks.
class [[autoshard::entity]] Project {
 public:
  explicit Project(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void plan(Time start, minutes takes) {
    hull_ = hull(hull_, {start, start + takes});
  }
  minutes length() const { return hull_.end - hull_.begin; }

 private:
  struct Span {
    Time begin = Time::max();
    Time end = Time::min();
  };
  [[autoshard::shard_fold]] static Span hull(const Span& a, const Span& b) {
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Span hull_;
};

/// Quarters of an hour of a day that are busy.
class [[autoshard::entity]] Calendar {
 public:
  Calendar(std::string person, int day) : person_(std::move(person)), day_(day) {}
  [[autoshard::shard_method]] void book(std::size_t quarter) { busy_.set(quarter); }
  [[autoshard::shard_method]] void block(const std::bitset<96>& quarters) { busy_ = busy_ | quarters; }
  [[autoshard::shard_write]] void clear() { busy_.reset(); }
  bool is_free(std::size_t quarter) const { return !busy_[quarter]; }

 private:
  [[autoshard::id]] std::string person_;
  [[autoshard::id]] int day_;
  [[autoshard::shardable(neutral = {}, shards = 2, fold = std::bit_or<>{})]] std::bitset<96> busy_;
};

/// Hours in which everybody is free: those that nobody has struck out.
class [[autoshard::entity]] Poll {
 public:
  explicit Poll(int number) : number_(number) {}
  [[autoshard::shard_method]] void answer(std::uint32_t free) { left_ &= free; }
  [[autoshard::shard_method]] void strike(unsigned hour) {
    if (hour < 24) left_ &= ~(1U << hour);
  }
  bool is_possible() const { return (left_ & 0xFFFFFFU) != 0; }

 private:
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = ~0U, shards = 4, fold = std::bit_and<>{})]] std::uint32_t left_ = ~0U;
};

/// Minutes of work by weekday.
class [[autoshard::entity]] TimeSheet {
 public:
  enum Day { kMonday, kTuesday, kWednesday, kThursday, kFriday };
  explicit TimeSheet(int employee) : employee_(employee) {}
  [[autoshard::shard_method]] void work(Day day, minutes time) {
    if (day < kMonday || day > kFriday) return;
    worked_[static_cast<std::size_t>(day)] += time;
  }
  minutes worked(Day day) const { return worked_.at(static_cast<std::size_t>(day)); }

 private:
  using Week = std::array<minutes, 5>;
  [[autoshard::shard_fold]] static Week add(Week a, const Week& b) {
    for (std::size_t day = 0; day < a.size(); ++day) a[day] += b[day];
    return a;
  }

  [[autoshard::id]] int employee_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Week worked_{};
};

/// The next job: the highest priority, then the earliest time, then the lowest number.
class [[autoshard::entity]] Printer {
 public:
  explicit Printer(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void submit(std::uint8_t priority, std::uint32_t second, std::uint32_t job) {
    next_ = sooner(next_, {priority, second, job});
  }
  std::uint32_t next() const { return next_.job; }

 private:
  static constexpr std::uint32_t kNever = std::numeric_limits<std::uint32_t>::max();
  struct Job {
    std::uint8_t priority = 0;
    std::uint32_t second = kNever;
    std::uint32_t job = kNever;
  };
  [[autoshard::shard_fold]] static Job sooner(Job a, Job b) {
    if (a.priority != b.priority) return a.priority > b.priority ? a : b;
    if (a.second != b.second) return a.second < b.second ? a : b;
    return a.job < b.job ? a : b;
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Job next_;
};

/// A deadline that may be unknown; the earliest of those that are known.
class [[autoshard::entity]] Milestone {
 public:
  explicit Milestone(int number) : number_(number) {}
  [[autoshard::shard_method]] void needed_by(std::optional<Time> deadline) { due_ = earlier(due_, deadline); }
  bool is_overdue(Time now) const { return due_.has_value() && *due_ < now; }

 private:
  [[autoshard::shard_fold]] static std::optional<Time> earlier(std::optional<Time> a, std::optional<Time> b) {
    if (!b) return a;
    if (!a || *b < *a) std::swap(a, b);
    return a;
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = std::nullopt, shards = 2)]] std::optional<Time> due_;
};

/// Seats of a course: bounded on both sides.
class [[autoshard::entity]] Course {
 public:
  explicit Course(int number) : number_(number) {}
  [[autoshard::shard_method]] void enrol(int people) { taken_ += people; }
  [[autoshard::shard_method]] void leave() { --taken_; }
  int taken() const { return taken_; }

 private:
  static constexpr int seats() { return 4 * 30; }
  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, min = 0, max = seats())]] int taken_ =
      0;
};

/// The state of a build: the worst of its steps.
enum class State : std::uint8_t { kUnknown, kPassed, kSkipped, kUnstable, kFailed };
constexpr State worst(State a, State b) {
  return static_cast<std::uint8_t>(a) < static_cast<std::uint8_t>(b) ? b : a;
}

class [[autoshard::entity]] Build {
 public:
  explicit Build(std::uint64_t number) : number_(number) {}
  [[autoshard::shard_method]] void step(State state, std::chrono::milliseconds took) {
    result_.state = worst(result_.state, state);
    result_.longest = std::max(result_.longest, took);
    result_.total += took;
  }
  State state() const { return result_.state; }

 private:
  struct Result {
    State state = State::kUnknown;
    std::chrono::milliseconds longest = std::chrono::milliseconds::min();
    std::chrono::milliseconds total{};
  };
  [[autoshard::shard_fold]] static Result join(const Result& a, const Result& b) {
    return {worst(a.state, b.state), std::max(a.longest, b.longest), a.total + b.total};
  }

  [[autoshard::id]] std::uint64_t number_;
  [[autoshard::shardable(neutral = {}, shards = 4)]] Result result_;
};

/// When a lift is out of order: never, for some hours, or for good.
class [[autoshard::entity]] Lift {
 public:
  explicit Lift(int number) : number_(number) {}
  [[autoshard::shard_method]] void close_for(std::uint16_t hours) {
    closed_ = longer(closed_, Closed(hours));
  }
  [[autoshard::shard_method]] void close() { closed_ = longer(closed_, Closed(true)); }
  bool runs() const { return std::holds_alternative<std::monostate>(closed_); }

 private:
  using Closed = std::variant<std::monostate, std::uint16_t, bool>;
  [[autoshard::shard_fold]] static Closed longer(Closed a, Closed b) {
    if (a.index() != b.index()) return a.index() > b.index() ? a : b;
    return std::max(a, b);
  }

  [[autoshard::id]] int number_;
  [[autoshard::shardable(neutral = Closed{}, shards = 2)]] Closed closed_;
};

/// How many tasks wait, run and are done; each move takes from one and gives to another.
class [[autoshard::entity]] Pipeline {
 public:
  explicit Pipeline(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void add(int tasks) { move(-1, 0, tasks); }
  [[autoshard::shard_method]] void start() { move(0, 1, 1); }
  [[autoshard::shard_method]] void finish() { move(1, 2, 1); }
  int waiting() const { return tasks_[0]; }

 private:
  [[autoshard::shard_method]] void move(int from, int to, int count) {
    if (from >= 0 && from < 3) tasks_[static_cast<std::size_t>(from)] -= count;
    if (to >= 0 && to < 3) tasks_[static_cast<std::size_t>(to)] += count;
  }
  using Tasks = std::array<int, 3>;
  [[autoshard::shard_fold]] static Tasks sum(const Tasks& a, const Tasks& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
  }

  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = {}, shards = 8)]] Tasks tasks_{};
};

}  // namespace scheduling
