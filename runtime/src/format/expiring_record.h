#pragma once

#include <autoshard/detail/expiry.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Records of the mappers' own that are of use for some time: marks of writers, tokens of callers. Each says
/// when it may be removed: a mark in milliseconds since 1970, a token by the clock of the store too.
namespace autoshard::detail {

/// Of a mark, since its last commit. A writer that has done nothing for so long makes another one.
inline constexpr std::chrono::hours kMarkLifetime(24);

/// Nothing lasts longer.
inline constexpr std::chrono::milliseconds kLongestLifetime = std::chrono::hours(24 * 365 * 100);

/// The number of a mark counts commits, that of a token is its end by the clock of the store. Tokens of
/// earlier versions have none.
void encode_expiring(std::string& record, std::int64_t until, std::optional<std::uint64_t> number = {});

/// Throws `CorruptRecord`.
struct Expiring {
  std::int64_t until;
  std::optional<std::uint64_t> number;
};
Expiring read_expiring(std::string_view key, std::string_view record);

/// In the form of the records, by the clock of the machine.
std::int64_t expires_after(std::chrono::milliseconds lifetime);
std::int64_t expires_after(std::chrono::milliseconds lifetime, Now now);

}  // namespace autoshard::detail
