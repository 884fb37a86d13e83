#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace autoshard {

/// What processes tell each other that may get lost: statistics, values that were loaded a while ago. The
/// seam between AutoShard and a cache such as memcached. Thread-safe.
///
/// It may forget anything at any time, and nothing that has to be right may rest on it. No call throws: what
/// the cache cannot do, because it is away, slow or full, it answers as if it had forgotten. Keys and values
/// are any bytes; one that is too long for the cache is not kept. A value may have been put there by anybody:
/// whoever reads it checks it.
class SharedCache {
 public:
  /// Differs between any two values that a key has had since the cache was started. Never 0.
  using Version = std::uint64_t;

  /// Stands for "there is none".
  static constexpr Version kAbsent = 0;

  struct Found {
    std::string value;
    Version version;
  };

  virtual ~SharedCache() = default;

  /// Empty where there is none, any more or that can be reached.
  virtual std::optional<Found> get(std::string_view key) noexcept = 0;

  /// Keeps the value for `lifetime` at most. A cache may count in whole seconds, rounding down: what is to
  /// live less than one may not be kept at all. False if it is not kept; a value that was there before may
  /// still be.
  virtual bool put(std::string_view key, std::string_view value,
                   std::chrono::milliseconds lifetime) noexcept = 0;

  /// As `put`, but only if the key's value is still this version, or there is still none for `kAbsent`.
  /// After false anything may be there, this value included.
  virtual bool put_if(std::string_view key, std::string_view value, std::chrono::milliseconds lifetime,
                      Version version) noexcept = 0;

  /// False if that could not be done: the value may still be there.
  virtual bool erase(std::string_view key) noexcept = 0;

 protected:
  SharedCache() = default;
  SharedCache(const SharedCache&) = delete;
  SharedCache& operator=(const SharedCache&) = delete;
};

}  // namespace autoshard
