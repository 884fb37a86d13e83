#include "observation.h"

#include <iterator>
#include <utility>

namespace autoshard::detail {

bool Observation::begin(platform::Clock::time_point now) {
  const MutexLock lock(mutex_);
  if (is_on()) return false;
  usage_.close_window(std::chrono::seconds(1));  // of an earlier observer
  changes_.clear();
  began_ = now;
  is_on_.store(true, std::memory_order_release);
  return true;
}

void Observation::note_change(ObservedChange change) {
  const MutexLock lock(mutex_);
  if (!is_on()) return;
  if (changes_.size() == kMostChanges) changes_.pop_front();
  changes_.push_back(std::move(change));
}

Observation::Seen Observation::take(platform::Clock::time_point now) {
  const MutexLock lock(mutex_);
  Seen seen{.length = now - std::exchange(began_, now), .window = {}, .changes = {}};
  seen.window = usage_.close_window(seen.length);
  seen.changes.assign(std::make_move_iterator(changes_.begin()), std::make_move_iterator(changes_.end()));
  changes_.clear();
  return seen;
}

}  // namespace autoshard::detail
