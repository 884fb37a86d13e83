#pragma once

/// What entities may hold after a loss of power, by what was acknowledged.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "power_loss_disk.h"
#include "support/test_store.h"

namespace autoshard::test {

enum class Outcome { kDone, kRefused, kUnknown };

/// How many calls ended how.
struct CallCounts {
  std::atomic<std::uint64_t> done{0}, refused{0}, unknown{0};
};

/// What a thread of the application works with.
struct Worker {
  Mapper& mapper;  ///< combines updates, or not
  Mapper& alone;   ///< does not
  /// These acknowledge before the commit. They are this thread's own, for each tells only once of a loss.
  Mapper& buffering;
  Mapper& buffering_windows;
  std::atomic<std::chrono::system_clock::time_point>& now;
  CallCounts& counts;
  std::mt19937_64 generator;
  std::string error{};  ///< of the last call that failed

  std::size_t below(std::size_t bound) { return test::below(generator, bound); }
  std::string letters(std::size_t most) { return std::string(1 + below(most), 'a'); }
  Mapper& any() { return below(2) == 0 ? mapper : alone; }

  /// A call that is one commit: refused, it has no effect.
  template <class Call>
  Outcome attempt(Call&& call) {
    try {
      call();
      ++counts.done;
      return Outcome::kDone;
    } catch (const OutcomeUnknown& unknown) {
      ++counts.unknown;
      error = unknown.what();
      return Outcome::kUnknown;
    } catch (const CorruptRecord& corrupt) {
      ADD_FAILURE() << corrupt.what();
    } catch (const Error& refused) {
      ++counts.refused;
      error = refused.what();
    } catch (const std::exception& other) {
      ADD_FAILURE() << other.what();
    }
    return Outcome::kRefused;
  }
  /// A call that is several commits: after an error, some of them may have taken effect.
  template <class Call>
  Outcome attempt_in_parts(Call&& call) {
    return attempt(call) == Outcome::kDone ? Outcome::kDone : Outcome::kUnknown;
  }
};

/// Something that is updated and remembers what it may be.
class Subject {
 public:
  virtual ~Subject() = default;
  virtual void act(Worker& worker) = 0;
  /// After the store was opened again. `durable`: what was acknowledged must be there.
  virtual void check(const Mapper& mapper, bool durable) = 0;
};

/// A number that several threads add to. Thread-safe.
class Count {
 public:
  void add(std::int64_t change, Outcome outcome) {
    const std::lock_guard lock(mutex_);
    if (outcome == Outcome::kDone) (change < 0 ? done_less_ : done_more_) += change;
    if (outcome == Outcome::kUnknown) (change < 0 ? maybe_less_ : maybe_more_) += change;
  }
  /// Checks the number after a restart, and begins with it.
  void check(const std::string& what, std::int64_t value, bool durable) {
    const std::lock_guard lock(mutex_);
    const std::int64_t done = start_ + done_less_ + done_more_;
    const std::int64_t least = durable ? done + maybe_less_ : start_ + done_less_ + maybe_less_;
    const std::int64_t most = durable ? done + maybe_more_ : start_ + done_more_ + maybe_more_;
    EXPECT_TRUE(least <= value && value <= most)
        << what << ": " << value << " instead of " << least << " to " << most;
    start_ = value;
    done_less_ = done_more_ = maybe_less_ = maybe_more_ = 0;
  }

 private:
  std::mutex mutex_;
  std::int64_t start_ = 0, done_less_ = 0, done_more_ = 0, maybe_less_ = 0, maybe_more_ = 0;
};

/// Something that one thread changes, so that its state is known but for calls with an unknown outcome.
/// `State` has a function `text`.
template <class State>
class Owned : public Subject {
 public:
  explicit Owned(std::string name) : name_(std::move(name)) {}

  void act(Worker& worker) final {
    if (possible_.size() > 1 && !look(worker)) return;
    error_ = &worker.error;
    change(worker, State(possible_.front()));
  }

  void check(const Mapper& mapper, bool durable) final {
    const State now = read(mapper);
    expect_one_of(durable ? possible_ : since_start_, now, "after the loss of power");
    possible_ = since_start_ = {now};
    history_ = "\n  " + now.text() + ": at the start";
  }

 protected:
  virtual State read(const Mapper& mapper) = 0;
  /// Makes one change, and calls `is_now` for what came of it.
  virtual void change(Worker& worker, State state) = 0;

  void is_now(State state, Outcome outcome) {
    history_ += "\n  " + state.text() +
                (outcome == Outcome::kDone      ? ": done"
                 : outcome == Outcome::kRefused ? ": refused, " + *error_
                                                : ": unknown, " + *error_);
    if (outcome == Outcome::kRefused) return;
    if (outcome == Outcome::kDone) possible_.clear();
    possible_.push_back(state);
    since_start_.push_back(std::move(state));
  }
  const std::string& name() const { return name_; }

 private:
  /// What a load shows is what there is, also later. False: nothing can be read.
  bool look(Worker& worker) {
    State now;
    if (worker.attempt([&] { now = read(worker.mapper); }) != Outcome::kDone) return false;
    expect_one_of(possible_, now, "in the process that wrote it");
    history_ += "\n  " + now.text() + ": seen";
    possible_ = {now};
    return true;
  }

  void expect_one_of(const std::vector<State>& states, const State& state, const char* when) {
    if (std::find(states.begin(), states.end(), state) != states.end()) return;
    std::string all;
    for (const State& each : states) all += "\n  " + each.text();
    ADD_FAILURE() << name_ << " " << when << " is\n  " << state.text() << "\ninstead of one of" << all
                  << "\nafter" << history_;
  }

  const std::string name_;
  std::string history_;
  const std::string* error_ = nullptr;
  std::vector<State> possible_{State()};
  std::vector<State> since_start_{State()};  // what was possible at any time since then
};

/// What a thread updates alone: entities of each kind, and with calls of each kind.
std::vector<std::unique_ptr<Subject>> entities_of(int thread);
std::vector<std::unique_ptr<Subject>> calls_of(int thread);
/// `now`: the clock of the mappers, which the page moves.
std::unique_ptr<Subject> page_of(int thread, const std::atomic<std::chrono::system_clock::time_point>& now);
/// What all threads update.
std::vector<std::unique_ptr<Subject>> shared_subjects();

constexpr std::size_t kMostLettersOfATag = 5;  // of a bookmark

/// Whether all indexes agree with a scan of all entities, in one state of the store.
void expect_right_indexes(Store& store);

}  // namespace autoshard::test
