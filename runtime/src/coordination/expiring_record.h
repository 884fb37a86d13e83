#pragma once

#include <autoshard/detail/expiry.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The mappers' own records that are used for a limited time: marks of writers, and tokens of callers. Each
/// says when it may be removed: a mark in milliseconds since 1970, a token by the clock of the store too.
namespace autoshard::detail {

/// The lifetime of a mark after its last commit. A writer that was idle for so long makes another mark.
inline constexpr std::chrono::hours kMarkLifetime(24);

/// The limit of all lifetimes.
inline constexpr std::chrono::milliseconds kLongestLifetime = std::chrono::hours(24 * 365 * 100);

/// The number of a mark counts commits. The number of a token is its end by the clock of the store; tokens of
/// earlier versions have none.
void encode_expiring(std::string& record, std::int64_t until, std::optional<std::uint64_t> number = {});

/// Throws `CorruptRecord`.
struct Expiring {
  std::int64_t until;
  std::optional<std::uint64_t> number;
};
Expiring read_expiring(std::string_view key, std::string_view record);

/// Return the end of a lifetime in the form of the records, by the clock of the machine.
std::int64_t expires_after(std::chrono::milliseconds lifetime);
std::int64_t expires_after(std::chrono::milliseconds lifetime, Now now);

}  // namespace autoshard::detail
