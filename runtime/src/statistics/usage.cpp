#include "usage.h"

#include <algorithm>
#include <bit>
#include <exception>

#include "check.h"

namespace autoshard::detail {

void Usage::add_put(const PropertyRef& property, std::uint32_t updates, double waited,
                    std::uint64_t weight) noexcept try {
  const auto times = static_cast<double>(weight);
  const MutexLock lock(mutex_);
  Activity& activity = written_.at(property, times * updates);
  activity.commits += times;
  activity.puts += times * updates;
  activity.waited += times * waited;
  note_sample(weight);
} catch (const std::exception&) {  // no memory: this event is not counted
}

void Usage::add(const PropertyRef& property, double Activity::*event, std::uint32_t number,
                std::uint64_t weight, double waited) noexcept try {
  const double times = static_cast<double>(weight) * number;
  const MutexLock lock(mutex_);
  Activity& activity = written_.at(property, times);
  activity.*event += times;
  activity.waited += static_cast<double>(weight) * waited;
  note_sample(weight);
} catch (const std::exception&) {
}

void Usage::add_get(const PropertyRef& property, std::uint64_t weight) noexcept try {
  const auto times = static_cast<double>(weight);
  const MutexLock lock(mutex_);
  read_.at(property, times).gets += times;
  note_sample(weight);
} catch (const std::exception&) {
}

/// If a window is busier than the last one, fewer of its events are drawn from now on.
void Usage::note_sample(std::uint64_t weight) {
  events_ += static_cast<double>(weight);
  if (++samples_ < kSamples) return;
  samples_ = 0;
  mask_.store(2 * weight - 1, std::memory_order_relaxed);
}

Window Usage::close_window(std::chrono::duration<double> length) {
  const double seconds = std::max(length.count(), 1e-6);
  Window window;
  const MutexLock lock(mutex_);
  for (const TopProperties* const top : {&read_, &written_}) {
    for (const TopProperties::Place& place : top->places()) {
      Activity activity = place.activity;
      if (top == &written_) activity.writers = static_cast<std::uint32_t>(std::popcount(place.writers));
      for (const auto rate : kRates) {
        activity.*rate /= seconds;
        AUTOSHARD_CHECK(activity.*rate >= 0, {"rate", activity.*rate}, {"seconds", seconds});
      }
      activity.waited /= seconds;
      merge(window[place.id], activity);
    }
  }
  written_.clear();
  read_.clear();
  const double each_stands_for = events_ / static_cast<double>(kSamples);
  mask_.store(std::bit_ceil(static_cast<std::uint64_t>(each_stands_for) + 1) - 1, std::memory_order_relaxed);
  events_ = 0;
  samples_ = 0;
  return window;
}

}  // namespace autoshard::detail
