#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace autoshard {

/// A cache such as memcached, through which processes exchange data that may get lost: statistics, and values
/// that were loaded some time ago. The seam between AutoShard and a cache. Thread-safe.
///
/// The cache may forget anything at any time, so correctness must not depend on it. No call throws: if the
/// cache is unreachable, slow or full, it answers as if it had forgotten the key. Keys and values are any
/// bytes; a key or value that is too long for the cache is not kept. Any program may have written a value, so
/// the reader checks it.
class SharedCache {
 public:
  /// Differs between any two values that a key has had since the cache was started. Never 0.
  using Version = std::uint64_t;

  /// The version of an absent value.
  static constexpr Version kAbsent = 0;

  struct Found {
    std::string value;
    Version version;
  };

  virtual ~SharedCache() = default;

  /// Returns an empty optional if the value was never there, is forgotten, or cannot be reached.
  virtual std::optional<Found> get(std::string_view key) noexcept = 0;

  /// Keeps the value for `lifetime` at most. A cache may count in whole seconds and round down, so it may not
  /// keep a value with a lifetime below one second at all. Returns false if the value is not kept; the
  /// previous value may still be there.
  virtual bool put(std::string_view key, std::string_view value,
                   std::chrono::milliseconds lifetime) noexcept = 0;

  /// As `put`, but only if the key's value still has this version; for `kAbsent`, only if there is still no
  /// value. After false the key may have any value, including this one.
  virtual bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
                      Version version) noexcept = 0;

  /// Returns false if the value could not be removed: it may still be there.
  virtual bool erase(std::string_view key) noexcept = 0;

 protected:
  SharedCache() = default;
  SharedCache(const SharedCache&) = delete;
  SharedCache& operator=(const SharedCache&) = delete;
};

}  // namespace autoshard
