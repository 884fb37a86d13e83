#include <autoshard/memory_cache.h>

#include <algorithm>
#include <exception>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "mutex.h"

namespace autoshard {

/// All values. Thread-safe.
class MemoryCache::Values {
 public:
  Values(std::size_t most_bytes, Clock clock) : most_bytes_(most_bytes), clock_(std::move(clock)) {}

  std::optional<Found> get(std::string_view key) {
    const detail::MutexLock lock(mutex_);
    const auto found = find(key);
    if (found == entries_.end()) return std::nullopt;
    return Found{found->second.value, found->second.version};
  }

  /// Stores a value. If `version` is not null, stores it only if the current value has that version.
  bool put(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
           const Version* version) {
    const detail::MutexLock lock(mutex_);
    if (version) {
      const auto found = find(key);
      if ((found == entries_.end() ? kAbsent : found->second.version) != *version) return false;
    }
    return keep(key, value, lifetime);
  }

  void erase(std::string_view key) {
    const detail::MutexLock lock(mutex_);
    const auto found = find(key);
    if (found != entries_.end()) remove(found);
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Entry {
    std::string value;
    Version version;
    Time end;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  Entries::iterator find(std::string_view key) AUTOSHARD_REQUIRES(mutex_) {
    const auto found = entries_.find(key);
    if (found == entries_.end() || found->second.end > clock_()) return found;
    remove(found);
    return entries_.end();
  }

  bool keep(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime)
      AUTOSHARD_REQUIRES(mutex_) {
    const std::size_t bytes = key.size() + value.size();
    if (bytes > most_bytes_ || lifetime.count() <= 0) return false;
    const Time now = clock_();
    const auto longest = std::chrono::duration_cast<std::chrono::milliseconds>(Time::max() - now);
    Entry entry{std::string(value), ++last_version_, now + std::min(lifetime, longest)};
    if (const auto old = entries_.find(key); old != entries_.end()) remove(old);
    while (bytes_ + bytes > most_bytes_) remove(entries_.find(by_end_.begin()->second));
    const auto kept = entries_.emplace(key, std::move(entry)).first;
    try {
      by_end_.emplace(kept->second.end, kept->first);
    } catch (...) {
      entries_.erase(kept);
      throw;
    }
    bytes_ += bytes;
    return true;
  }

  void remove(Entries::iterator entry) AUTOSHARD_REQUIRES(mutex_) {
    by_end_.erase({entry->second.end, entry->first});
    bytes_ -= entry->first.size() + entry->second.value.size();
    entries_.erase(entry);
  }

  const std::size_t most_bytes_;
  const Clock clock_;
  detail::Mutex mutex_;
  Entries entries_ AUTOSHARD_GUARDED_BY(mutex_);
  /// Keys of `entries_`, in the order in which they end.
  std::set<std::pair<Time, std::string_view>> by_end_ AUTOSHARD_GUARDED_BY(mutex_);
  std::size_t bytes_ AUTOSHARD_GUARDED_BY(mutex_) = 0;
  Version last_version_ AUTOSHARD_GUARDED_BY(mutex_) = kAbsent;
};

MemoryCache::MemoryCache(std::size_t most_bytes, Clock clock)
    : values_(std::make_unique<Values>(most_bytes, std::move(clock))) {}
MemoryCache::~MemoryCache() = default;

std::optional<SharedCache::Found> MemoryCache::get(std::string_view key) noexcept try {
  return values_->get(key);
} catch (const std::exception&) {  // no memory
  return std::nullopt;
}

bool MemoryCache::put(std::string_view key, std::string_view value,
                      std::chrono::milliseconds lifetime) noexcept try {
  return values_->put(key, value, lifetime, nullptr);
} catch (const std::exception&) {
  return false;
}

bool MemoryCache::put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
                         Version version) noexcept try {
  return values_->put(key, value, lifetime, &version);
} catch (const std::exception&) {
  return false;
}

bool MemoryCache::erase(std::string_view key) noexcept try {
  values_->erase(key);
  return true;
} catch (const std::exception&) {
  return false;
}

}  // namespace autoshard
