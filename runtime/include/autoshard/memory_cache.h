#pragma once

#include <autoshard/shared_cache.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

namespace autoshard {

/// A cache in this process's memory, for one process alone, and for tests.
class MemoryCache final : public SharedCache {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// Holds keys and values of so many bytes in all; then forgets what would go first anyhow. `clock` may be
  /// called from any thread.
  explicit MemoryCache(std::size_t most_bytes = std::size_t{16} << 20,
                       Clock clock = std::chrono::steady_clock::now);

  std::optional<Found> get(std::string_view key) noexcept override;
  bool put(std::string_view key, std::string_view value,
           std::chrono::milliseconds lifetime) noexcept override;
  bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
              Version version) noexcept override;
  bool erase(std::string_view key) noexcept override;

 private:
  using Time = std::chrono::steady_clock::time_point;

  struct Entry {
    std::string value;
    Version version;
    Time end;
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  Entries::iterator find(std::string_view key);
  bool keep(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime);
  void remove(Entries::iterator entry);

  const std::size_t most_bytes_;
  const Clock clock_;
  std::mutex mutex_;
  Entries entries_;
  std::set<std::pair<Time, std::string_view>> by_end_;  // keys of `entries_`
  std::size_t bytes_ = 0;
  Version last_version_ = kAbsent;
};

}  // namespace autoshard
