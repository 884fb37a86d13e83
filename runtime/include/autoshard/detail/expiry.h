#pragma once

#include <autoshard/generated.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

namespace autoshard::detail {

template <class E>
inline constexpr bool kMayExpire = requires {
  Traits<E>::kExpires;
};

/// Returns the time in milliseconds since 1970, rounded up. A time hundreds of thousands of years
/// away becomes a fixed limit.
template <class Duration>
constexpr std::int64_t in_milliseconds(std::chrono::sys_time<Duration> time) {
  using Milliseconds = std::chrono::duration<std::int64_t, std::milli>;
  constexpr double kLimit = 9e15;
  const std::chrono::duration<double, std::milli> about = time.time_since_epoch();
  if (!(about.count() < kLimit)) return static_cast<std::int64_t>(kLimit);
  if (about.count() < -kLimit) return static_cast<std::int64_t>(-kLimit);
  return std::chrono::ceil<Milliseconds>(time.time_since_epoch()).count();
}

template <class T>
constexpr std::optional<std::int64_t> expiry_at(const T& time) {
  if constexpr (requires { *time; }) {
    return time ? std::optional(in_milliseconds(*time)) : std::nullopt;
  } else {
    return in_milliseconds(time);
  }
}

/// The instant by which an attempt of a call judges which entities have expired. The attempt reads the clock
/// at most once and passes the instant on: an entity could end between two readings of the clock.
struct Now {
  std::int64_t milliseconds;  ///< since 1970

  bool has_come(std::int64_t time) const { return time <= milliseconds; }
};

/// For calls that also find expired entities, and for classes whose entities never expire.
inline constexpr Now kBeforeAllTimes{std::numeric_limits<std::int64_t>::min()};

/// Returns when an entity expires, for `EntityType`.
using ExpiresAt = std::optional<std::int64_t> (*)(const void* entity);

template <class E>
constexpr ExpiresAt expires_at() {
  if constexpr (kMayExpire<E>) {
    return [](const void* entity) { return expiry_at(static_cast<const E*>(entity)->*Traits<E>::kExpires); };
  } else {
    return nullptr;
  }
}

}  // namespace autoshard::detail
