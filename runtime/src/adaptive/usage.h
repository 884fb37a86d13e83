#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

#include "mutex.h"
#include "platform.h"
#include "random.h"
#include "top_properties.h"
#include "window.h"

namespace autoshard::detail {

/// Records what happens to properties: puts and gets, by time, and conflicts and retries, which are
/// exceptions. Thread-safe, and cheap enough to be always on: of many events one is drawn at random and
/// stands for all, of few each is recorded, and memory is bounded.
class Usage {
 public:
  /// How many properties it tells apart: those written and in conflict most, and as many that are read most.
  static constexpr std::size_t kPlaces = 256;
  /// About how many events of a window are recorded at most. What one is out of so many is estimated to 1 %.
  static constexpr std::uint64_t kSamples = 16'384;

  Usage() : written_(kPlaces), read_(kPlaces) {}

  /// A commit, of so many updates that had waited together.
  void put(const PropertyRef& property, std::uint32_t updates = 1) noexcept {
    if (const std::uint64_t weight = draw()) add_put(property, updates, weight);
  }
  /// A transaction that was not committed, because of another.
  void conflict(const PropertyRef& property) noexcept {
    if (const std::uint64_t weight = draw()) add(property, &Activity::conflicts, 1, weight);
  }
  /// Updates that were tried before.
  void retry(const PropertyRef& property, std::uint32_t updates = 1) noexcept {
    if (const std::uint64_t weight = draw()) add(property, &Activity::retries, updates, weight);
  }
  void get(const PropertyRef& property) noexcept {
    if (const std::uint64_t weight = draw()) add_get(property, weight);
  }

  /// What has happened since the last call, which was so long ago.
  Window close_window(std::chrono::duration<double> length);

 private:
  /// For how many events this one stands; 0: for none.
  std::uint64_t draw() const noexcept {
    const std::uint64_t mask = mask_.load(std::memory_order_relaxed);
    return mask == 0 || (random_bits() & mask) == 0 ? mask + 1 : 0;
  }

  void add_put(const PropertyRef& property, std::uint32_t updates, std::uint64_t weight) noexcept;
  void add(const PropertyRef& property, double Activity::*event, std::uint32_t number,
           std::uint64_t weight) noexcept;
  void add_get(const PropertyRef& property, std::uint64_t weight) noexcept;
  void note_sample(std::uint64_t weight) AUTOSHARD_REQUIRES(mutex_);

  std::atomic<std::uint64_t> mask_{0};  // one of mask + 1 events is drawn, a power of two
  Mutex mutex_;
  TopProperties written_ AUTOSHARD_GUARDED_BY(mutex_), read_ AUTOSHARD_GUARDED_BY(mutex_);
  std::uint64_t samples_ AUTOSHARD_GUARDED_BY(mutex_) = 0;  // since the mask has been what it is
  double events_ AUTOSHARD_GUARDED_BY(mutex_) = 0;          // in this window
};

}  // namespace autoshard::detail
