#pragma once

#include <autoshard/store.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// Records of the mappers' own that are of use for some time: marks of writers, tokens of callers. Each says
/// in milliseconds since 1970 when it may be removed.
namespace autoshard::detail {

/// Of a mark, since its last commit. A writer that has done nothing for so long makes another one.
inline constexpr std::chrono::hours kMarkLifetime(24);

/// A token has no number.
void encode_expiring(std::string& record, std::int64_t until, std::optional<std::uint64_t> number = {});

/// Throws `CorruptRecord`.
struct Expiring {
  std::int64_t until;
  std::uint64_t number;
};
Expiring read_expiring(std::string_view key, std::string_view record);

/// In the form of the records.
std::int64_t expires_after(std::chrono::milliseconds lifetime);

/// Removes what has expired, a batch of it at a time, so that neither a snapshot nor a transaction gets
/// large. Right in several processes at the same time. For one thread.
class Expiry {
 public:
  /// The store must outlive it.
  Expiry(Store& store, std::int64_t now);

  /// False if it has seen all of them.
  bool remove_some();
  /// How many it has removed.
  std::uint64_t removed() const { return removed_; }

 private:
  void remove(std::span<const std::string> expired);

  Store& store_;
  const std::int64_t now_;
  std::string next_;  // where the next batch begins
  std::uint64_t removed_ = 0;
};

}  // namespace autoshard::detail
