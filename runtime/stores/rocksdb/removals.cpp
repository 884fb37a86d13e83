#include "removals.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

namespace autoshard::rocksdb_store {

Removals::~Removals() {
  detail::platform::Thread thread;
  {
    const detail::MutexLock lock(mutex_);
    stopping_ = true;
    thread = std::move(thread_);
  }
  changed_.notify_all();
  if (thread.joinable()) thread.join();
}

void Removals::note(std::string_view begin, std::string_view end, std::uint64_t passed) {
  std::string first(begin);
  Place place{std::string(end), passed};
  const detail::MutexLock lock(mutex_);
  auto other = places_.upper_bound(begin);
  if (other != places_.begin() && std::prev(other)->second.end >= begin) --other;
  while (other != places_.end() && other->first <= place.end) {
    first = std::min(first, other->first);
    place.end = std::max(place.end, other->second.end);
    place.passed += other->second.passed;
    other = places_.erase(other);
  }
  if (places_.size() >= kMostPlaces) places_.clear();
  const Place& noted = places_.emplace(std::move(first), std::move(place)).first->second;
  if (!is_worth_compacting(noted)) return;
  if (!thread_.joinable()) thread_ = detail::platform::Thread([this] { run(); });
  changed_.notify_all();
}

void Removals::wait() {
  detail::MutexLock lock(mutex_);
  while (is_compacting_ || find_worst() != places_.end()) changed_.wait(lock);
}

void Removals::run() {
  using Clock = detail::platform::Clock;
  detail::MutexLock lock(mutex_);
  while (!stopping_) {
    const auto worst = find_worst();
    if (worst == places_.end()) {
      changed_.wait(lock);
      continue;
    }
    const std::string begin = worst->first, end = worst->second.end;
    places_.erase(worst);
    is_compacting_ = true;
    lock.unlock();
    const Clock::time_point start = Clock::now();
    compact(begin, end);
    const Clock::duration cost = Clock::now() - start;
    lock.lock();
    cost_ = cost;
    is_compacting_ = false;
    changed_.notify_all();
  }
}

bool Removals::is_worth_compacting(const Place& place) const {
  return place.passed >= kWorthCompacting && place.passed * kWorthOfOne >= cost_;
}

Removals::Places::iterator Removals::find_worst() {
  const auto worst = std::max_element(places_.begin(), places_.end(), [](const auto& one, const auto& other) {
    return one.second.passed < other.second.passed;
  });
  return worst != places_.end() && is_worth_compacting(worst->second) ? worst : places_.end();
}

void Removals::compact(const std::string& begin, const std::string& end) {
  const rocksdb::Slice first(begin), last(end);
  const rocksdb::Range range(first, last);
  std::uint64_t bytes = 0;
  db_.GetApproximateSizes(&range, 1, &bytes).PermitUncheckedError();
  try {
    free_space_.check(bytes);
  } catch (const StoreUnavailable&) {
    return;  // reading goes on, and must not fill the disk
  }
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  // Forced: RocksDB moves a file that overlaps no other to the next level as it is, with its tombstones. In
  // the last level it drops them only after a later commit and the end of a snapshot.
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
  options.canceled = &stopping_;
  // A failure leaves the place as it was. Writes report a database that fails.
  db_.CompactRange(options, &first, &last).PermitUncheckedError();
}

void PassedRemovals::note(std::string_view begin, std::string_view end) noexcept {
  const std::uint64_t passed = std::exchange(passed_, 0), records = std::exchange(records_, 0);
  if (passed < Removals::kWorthNoting || passed < records) return;
  try {
    removals_.note(begin, end, passed);
  } catch (const std::exception&) {
    // There is no memory, or no thread. A later cursor notes the place again.
  }
}

}  // namespace autoshard::rocksdb_store
