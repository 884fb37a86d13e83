#include <autoshard/memory_cache.h>

namespace autoshard {

MemoryCache::MemoryCache(std::size_t most_bytes, Clock clock)
    : most_bytes_(most_bytes), clock_(std::move(clock)) {}

std::optional<SharedCache::Found> MemoryCache::get(std::string_view key) noexcept try {
  const std::lock_guard lock(mutex_);
  const auto found = find(key);
  if (found == entries_.end()) return std::nullopt;
  return Found{found->second.value, found->second.version};
} catch (const std::exception&) {  // no memory
  return std::nullopt;
}

bool MemoryCache::put(std::string_view key, std::string_view value,
                      std::chrono::milliseconds lifetime) noexcept try {
  const std::lock_guard lock(mutex_);
  return keep(key, value, lifetime);
} catch (const std::exception&) {
  return false;
}

bool MemoryCache::put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
                         Version version) noexcept try {
  const std::lock_guard lock(mutex_);
  const auto found = find(key);
  if ((found == entries_.end() ? kAbsent : found->second.version) != version) return false;
  return keep(key, value, lifetime);
} catch (const std::exception&) {
  return false;
}

bool MemoryCache::erase(std::string_view key) noexcept try {
  const std::lock_guard lock(mutex_);
  const auto found = find(key);
  if (found != entries_.end()) remove(found);
  return true;
} catch (const std::exception&) {
  return false;
}

MemoryCache::Entries::iterator MemoryCache::find(std::string_view key) {
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second.end > clock_()) return found;
  remove(found);
  return entries_.end();
}

bool MemoryCache::keep(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime) {
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

void MemoryCache::remove(Entries::iterator entry) {
  by_end_.erase({entry->second.end, entry->first});
  bytes_ -= entry->first.size() + entry->second.value.size();
  entries_.erase(entry);
}

}  // namespace autoshard
