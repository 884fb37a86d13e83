#pragma once

#include <autoshard/errors.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace autoshard {

/// An idempotency key: a name that a caller gives to one update of an entity. The caller may repeat the
/// update after a time-out, a crash or a message that was delivered twice, and it counts once all the same:
/// `mapper.apply<&Question::voteUp>(42, token{request_id})`.
///
/// An update whose token was already counted for this entity does nothing and returns as if it were the
/// first. The first may have come from another thread or process, before or after a restart. (If the entity
/// is gone by then, the call throws `NotFound` as ever.) The token alone decides; the shard methods and their
/// arguments are not compared. Each entity has tokens of its own. The token of an update that failed is free
/// again, because nothing was written. After `OutcomeUnknown`, the same update with the same token has a
/// definite outcome.
///
/// A token is remembered for at least `MapperOptions::token_lifetime`, even if the entity is erased meanwhile
/// and another one of its id is created, and whatever the clocks of machines show. After that time it may
/// count again: do not repeat an update so late. A token costs a small record for that time, and two reads of
/// the store in each commit of updates with tokens.
class token {
 public:
  static constexpr std::size_t kLongest = 128;

  /// Any bytes. Throws `InvalidUse` if there are none, or more than `kLongest`.
  explicit token(std::string bytes) : bytes_(std::move(bytes)) {
    if (bytes_.empty() || bytes_.size() > kLongest)
      throw InvalidUse("a token has " + std::to_string(bytes_.size()) + " bytes: give it 1 to " +
                       std::to_string(kLongest));
  }
  /// A UUID.
  explicit token(const std::array<std::uint8_t, 16>& uuid) : bytes_(uuid.begin(), uuid.end()) {}

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

namespace detail {

template <class... Args>
inline constexpr bool kBeginsWithToken = false;
template <class First, class... Others>
inline constexpr bool kBeginsWithToken<First, Others...> = std::is_same_v<std::remove_cvref_t<First>, token>;

}  // namespace detail
}  // namespace autoshard
