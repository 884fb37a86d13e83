#include "removals.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <iterator>
#include <utility>
#include <vector>

#include "check.h"

namespace autoshard::rocksdb_store {
namespace {

bool overlaps(const rocksdb::SstFileMetaData& file, const std::string& begin, const std::string& end) {
  return file.smallestkey <= end && file.largestkey >= begin;
}

/// Returns where a compaction of a place has to begin. A file of the last level may span the place, and have
/// no record in it. RocksDB keeps the delete markers above such a file, and does not compact down to it. So
/// the compaction begins at the first record of the file.
std::string first_to_compact(const rocksdb::ColumnFamilyMetaData& files, const std::string& begin,
                             const std::string& end) {
  std::string first = begin;
  for (const rocksdb::LevelMetaData& level : files.levels) {
    const auto file = std::find_if(level.files.begin(), level.files.end(),
                                   [&](const auto& each) { return overlaps(each, begin, end); });
    if (level.level > 0 && file != level.files.end()) first = std::min(begin, file->smallestkey);
  }
  return first;
}

/// Returns how many bytes a compaction rewrites at most: of each level the files that overlap it, and the
/// files of the next level that these overlap.
std::uint64_t bytes_to_rewrite(const rocksdb::ColumnFamilyMetaData& files, bool is_in_memory,
                               const std::string& begin, const std::string& end) {
  // The records in memory, and the files of level 0, may span all keys. RocksDB merges them with level 1.
  const auto& newest = files.levels.front().files;
  const bool is_spread = is_in_memory || std::any_of(newest.begin(), newest.end(), [&](const auto& file) {
                           return overlaps(file, begin, end);
                         });
  std::uint64_t bytes = 0;
  std::string first = begin, last = end;  // of the files of the level above that overlap the compaction
  for (const rocksdb::LevelMetaData& level : files.levels) {
    std::string next_first = begin, next_last = end;
    for (const rocksdb::SstFileMetaData& file : level.files) {
      if (!(is_spread && level.level <= 1) && !overlaps(file, first, last)) continue;
      bytes += file.size;
      if (!overlaps(file, begin, end)) continue;
      next_first = std::min(next_first, file.smallestkey);
      next_last = std::max(next_last, file.largestkey);
    }
    first = next_first;
    last = next_last;
  }
  return bytes;
}

}  // namespace

Removals::~Removals() {
  cancel();
  detail::platform::Thread thread;
  {
    const detail::MutexLock lock(mutex_);
    thread = std::move(thread_);
  }
  if (thread.joinable()) thread.join();
}

void Removals::note(std::string_view begin, std::string_view end, std::uint64_t passed) {
  std::string first(begin);
  Place place{.end = std::string(end), .passed = passed};
  const detail::MutexLock lock(mutex_);
  if (!add(std::move(first), std::move(place))) return;
  if (!thread_.joinable()) thread_ = detail::platform::Thread([this] { run(); });
  changed_.notify_all();
}

void Removals::wait() {
  detail::MutexLock lock(mutex_);
  while (is_busy_ || (thread_.joinable() && !stopping_ && find_worst() != places_.end())) changed_.wait(lock);
}

void Removals::cancel() {
  const detail::MutexLock lock(mutex_);
  stopping_ = true;
  changed_.notify_all();
}

bool Removals::add(std::string begin, Place place) {
  auto other = places_.upper_bound(begin);
  if (other != places_.begin() && std::prev(other)->second.end >= begin) --other;
  while (other != places_.end() && other->first <= place.end) {
    // No scan has passed delete markers in all of a place since its compaction. The next one does without it.
    if (place.passed == 0) {
      begin = other->first;
      place.end = other->second.end;
    } else if (other->second.passed > 0) {
      begin = std::min(begin, other->first);
      place.end = std::max(place.end, other->second.end);
    }
    place.passed += other->second.passed;
    place.needed = std::max(place.needed, other->second.needed);
    place.snapshot = std::max(place.snapshot, other->second.snapshot);
    other = places_.erase(other);
  }
  const bool is_due = place.passed >= place.needed;
  places_.emplace(std::move(begin), std::move(place));
  if (places_.size() > kMostPlaces) forget_half();
  return is_due;
}

void Removals::forget_half() {
  std::vector<Places::iterator> all;
  for (auto place = places_.begin(); place != places_.end(); ++place) all.push_back(place);
  const auto half = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), half, all.end(), [](const auto& one, const auto& other) {
    return one->second.passed < other->second.passed;
  });
  for (auto place = all.begin(); place != half; ++place) places_.erase(*place);
}

Removals::Places::iterator Removals::find_worst() {
  const auto excess = [](const Places::value_type& place) {
    return static_cast<std::int64_t>(place.second.passed - place.second.needed);
  };
  const auto worst =
      std::max_element(places_.begin(), places_.end(),
                       [&](const auto& one, const auto& other) { return excess(one) < excess(other); });
  return worst != places_.end() && excess(*worst) >= 0 ? worst : places_.end();
}

void Removals::run() {
  detail::MutexLock lock(mutex_);
  while (!stopping_) {
    const auto worst = find_worst();
    if (worst == places_.end()) {
      changed_.wait(lock);
      continue;
    }
    AUTOSHARD_CHECK(worst->first <= worst->second.end, {"begin", worst->first}, {"end", worst->second.end});
    auto place = places_.extract(worst);
    is_busy_ = true;
    lock.unlock();
    const bool is_kept = tidy_up(place.key(), place.mapped());
    lock.lock();
    if (is_kept) add(std::move(place.key()), std::move(place.mapped()));
    is_busy_ = false;
    changed_.notify_all();
  }
}

bool Removals::tidy_up(const std::string& begin, Place& place) {
  rocksdb::ColumnFamilyMetaData files;
  db_.GetColumnFamilyMetaData(&files);
  std::uint64_t in_memory = 0, ignored = 0;
  db_.GetApproximateMemTableStats({begin, place.end}, &in_memory, &ignored);
  const std::string first = first_to_compact(files, begin, place.end);
  const std::uint64_t bytes = bytes_to_rewrite(files, in_memory > 0, first, place.end);
  if (place.passed < bytes / kBytesPerDeleteMarker) {
    place.needed = bytes / kBytesPerDeleteMarker;
    return true;
  }
  try {
    free_space_.check(bytes);
  } catch (const StoreUnavailable&) {
    return false;  // reading goes on, and must not fill the disk
  }
  rocksdb::SequenceNumber snapshot = 0;
  db_.GetIntProperty(rocksdb::DB::Properties::kOldestSnapshotSequence, &snapshot);
  compact(first, place.end);
  place.passed = 0;
  place.needed = snapshot == place.snapshot ? 2 * place.needed : kWorthCompacting;
  place.snapshot = snapshot;
  return snapshot != 0;
}

void Removals::compact(const std::string& begin, const std::string& end) {
  const rocksdb::Slice first(begin), last(end);
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  // Forced: RocksDB moves a file that overlaps no other to the next level as it is, with its delete markers.
  // In the last level it drops them only after a later commit and the end of a snapshot.
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
