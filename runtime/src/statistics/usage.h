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

/// Records the activity of properties: puts and gets, sampled by time, and conflicts and retries, which are
/// exceptions. Thread-safe, and cheap enough to be always on. Of many events one is drawn at random and
/// stands for all; of few events each is recorded. Memory is bounded.
class Usage {
 public:
  /// The number of properties that are told apart: those with the most writes and conflicts, and as many with
  /// the most reads.
  static constexpr std::size_t kPlaces = 256;
  /// The approximate limit of recorded events in a window. The share of an event among that many is estimated
  /// to 1 %.
  static constexpr std::uint64_t kSamples = 16'384;

  Usage() : written_(kPlaces), read_(kPlaces) {}

  /// A commit of this many updates that had waited together, for `waited` seconds in all.
  void put(const PropertyRef& property, std::uint32_t updates = 1, double waited = 0) noexcept {
    if (const std::uint64_t weight = draw()) add_put(property, updates, waited, weight);
  }
  /// A transaction that was not committed because of another one.
  void conflict(const PropertyRef& property, double waited = 0) noexcept {
    if (const std::uint64_t weight = draw()) add(property, &Activity::conflicts, 1, weight, waited);
  }
  /// Updates that were attempted before.
  void retry(const PropertyRef& property, std::uint32_t updates = 1) noexcept {
    if (const std::uint64_t weight = draw()) add(property, &Activity::retries, updates, weight);
  }
  void get(const PropertyRef& property) noexcept {
    if (const std::uint64_t weight = draw()) add_get(property, weight);
  }

  /// Returns the activity since the last call. `length`: the time since then.
  Window close_window(std::chrono::duration<double> length);

 private:
  /// Returns the number of events that this one stands for; 0: it is not recorded.
  std::uint64_t draw() const noexcept {
    const std::uint64_t mask = mask_.load(std::memory_order_relaxed);
    return mask == 0 || (random_bits() & mask) == 0 ? mask + 1 : 0;
  }

  void add_put(const PropertyRef& property, std::uint32_t updates, double waited,
               std::uint64_t weight) noexcept;
  void add(const PropertyRef& property, double Activity::*event, std::uint32_t number, std::uint64_t weight,
           double waited = 0) noexcept;
  void add_get(const PropertyRef& property, std::uint64_t weight) noexcept;
  void note_sample(std::uint64_t weight) AUTOSHARD_REQUIRES(mutex_);

  std::atomic<std::uint64_t> mask_{0};  // one of mask + 1 events is drawn; mask + 1 is a power of two
  Mutex mutex_;
  TopProperties written_ AUTOSHARD_GUARDED_BY(mutex_), read_ AUTOSHARD_GUARDED_BY(mutex_);
  std::uint64_t samples_ AUTOSHARD_GUARDED_BY(mutex_) = 0;  // since the mask was last changed
  double events_ AUTOSHARD_GUARDED_BY(mutex_) = 0;          // in this window
};

}  // namespace autoshard::detail
