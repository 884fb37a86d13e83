#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <latch>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "latencies.h"
#include "rows.h"

namespace autoshard::bench {

using Clock = std::chrono::steady_clock;

/// Under what conditions all contestants run.
struct Setting {
  std::filesystem::path folder;  ///< one for each contestant is made in it
  int threads = 64;
  int entities = 1;
  bool sync = true;
  double seconds = 3;  ///< that each is measured for, over all rounds
  int rounds = 5;
  std::string what = "updates";  ///< that are done
  bool counting = true;          ///< whether these change a total, so that some may fail or be lost
};

enum class Phase { kWarmUp, kMeasured, kOver };

/// What one thread does in one round, and what came of it.
class Lap {
 public:
  /// Those of a round share what it refers to.
  Lap(std::latch& start, const std::atomic<Phase>& phase, std::atomic<bool>& any, int entities,
      std::uint64_t seed)
      : start_(start), phase_(phase), any_(any), entities_(entities), random_(seed * 2 + 1) {}

  /// Waits until every thread is ready, or has failed. The second call of a lap does nothing.
  void start() {
    if (!std::exchange(started_, true)) start_.arrive_and_wait();
  }

  Phase phase() const { return phase_.load(std::memory_order_relaxed); }

  /// The entity that the next update is for.
  int entity();

  /// A random number below `bound`.
  std::uint32_t random(std::uint32_t bound);

  /// To be called with the phase in which the update began.
  void acknowledge(Phase began, std::chrono::nanoseconds duration) {
    ++acknowledged_;
    if (began != Phase::kMeasured) return;
    latencies_.add(duration);
    if (latencies_.count() == 1) announce();
  }
  void refuse(Phase began) { refused_ += began == Phase::kMeasured; }

  std::uint64_t acknowledged() const { return acknowledged_; }
  std::uint64_t refused() const { return refused_; }
  const Latencies& latencies() const { return latencies_; }

 private:
  void announce();

  std::latch& start_;
  bool started_ = false;
  const std::atomic<Phase>& phase_;
  std::atomic<bool>& any_;
  const int entities_;
  std::uint64_t random_;
  std::uint64_t acknowledged_ = 0;  // in every phase
  std::uint64_t refused_ = 0;
  Latencies latencies_;
};

/// An open store of one counter an entity, which are numbered from 0. Thread-safe.
class Counters {
 public:
  virtual ~Counters() = default;

  /// Counts up in the calling thread until the lap is over.
  virtual void run(Lap& lap) = 0;

  /// The sum of all counters.
  virtual std::uint64_t total() = 0;

 protected:
  Counters() = default;
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
};

/// One way to keep counters.
struct Contestant {
  std::string name;
  std::string what;  ///< in up to 40 characters
  /// Opens the counters in the setting's folder, making them where they do not exist.
  std::function<std::unique_ptr<Counters>(const Setting&)> open;
  bool acknowledges_early = false;  ///< before it is on disk, whatever the setting says
};

/// Calls `count_up(entity)`, which answers whether that was counted, until the lap is over.
template <class CountUp>
void run_blocking(Lap& lap, CountUp&& count_up) {
  lap.start();
  Clock::time_point start = Clock::now();
  for (Phase phase = lap.phase(); phase != Phase::kOver; phase = lap.phase()) {
    const bool counted = count_up(lap.entity());
    const Clock::time_point end = Clock::now();
    if (counted) {
      lap.acknowledge(phase, end - start);
    } else {
      lap.refuse(phase);
    }
    start = end;
  }
}

/// Lets all contestants take turns, opens each again at the end and counts. Rows of medians over the rounds,
/// the fastest first. Progress goes to the standard error stream.
std::vector<Row> race(const std::vector<Contestant>& contestants, const Setting& setting);

}  // namespace autoshard::bench
