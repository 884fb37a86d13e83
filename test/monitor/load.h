#pragma once

#include <autoshard/autoshard.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "support/faulty_store.h"

namespace autoshard::test {

/// Updates of flights by eight processes that meet, made by one thread: each process begins its transaction,
/// and the one that began last commits first. So the conflicts are the same in each run.
class Load {
 public:
  static constexpr int kFlights = 20;

  Load() {
    for (int i = 0; i < 8; ++i) {
      processes_.push_back(
          std::make_unique<Mapper>(raced_, MapperOptions{.compact_every = std::chrono::milliseconds(0),
                                                         .adaptive = {.window = std::chrono::milliseconds(0)},
                                                         .cache = &cache_}));
    }
    for (int flight = 1; flight <= kFlights; ++flight) watched().save(airline::Flight(flight));
    end_window();
  }

  /// The mapper that is monitored.
  Mapper& watched() { return *processes_.front(); }

  /// Two saves of one flight that meet: the second one fails.
  void save(int flight) {
    airline::Flight mine = watched().load<airline::Flight>(flight).value();
    airline::Flight theirs = watched().load<airline::Flight>(flight).value();
    mine.set_to("A" + std::to_string(++saves_));
    theirs.set_to("B" + std::to_string(saves_));
    watched().save(theirs);
    try {
      watched().save(mine);
      throw std::logic_error("a stale entity was saved");
    } catch (const StaleEntity&) {
    }
  }

  /// Updates of one flight by all processes, which meet.
  template <auto kMethod, class... Args>
  void race(int flight, Args... args) {
    std::size_t began = 0;
    const auto next = [&] { processes_[began++]->apply<kMethod>(flight, args...); };
    raced_.before_commit([&](int) {
      if (began < processes_.size()) next();
      return Fate::kCommits;
    });
    next();
    raced_.before_commit(nullptr);
  }

  /// One update of each flight by one process.
  void spread() {
    for (int flight = 1; flight <= kFlights; ++flight) watched().apply<&airline::Flight::like>(flight);
  }

  /// Ends a window of the adaptive rules, a second after the last one by their clock.
  void end_window() {
    now_ += std::chrono::seconds(1);
    for (const auto& process : processes_) admin::adapt(*process, now_);
  }

 private:
  MemoryStore store_;
  FaultyStore raced_{store_};
  std::chrono::steady_clock::time_point now_ = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  MemoryCache cache_{1'000'000, [this] { return now_; }};
  std::vector<std::unique_ptr<Mapper>> processes_;
  int saves_ = 0;
};

}  // namespace autoshard::test
