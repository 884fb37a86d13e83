#pragma once

#include <autoshard/errors.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace autoshard {

/// A name that a caller gives to one update of an entity, so that it can be asked for again, after a
/// time-out, a crash or a message that was delivered twice, and counts once all the same:
/// `mapper.apply<&Question::voteUp>(42, token{request_id})`.
///
/// An update whose token was counted for this entity before does nothing, and returns as if it were the
/// first, whoever repeats it: another thread or process, before or after a restart. (If there is no such
/// entity any more, that is `NotFound` as ever.) Which shard methods it runs and with what does not matter.
/// Tokens of other entities are other tokens. Those of updates that failed are free, for nothing was written.
/// After `OutcomeUnknown` the same update with the same token settles the matter.
///
/// A token is remembered for `MapperOptions::token_lifetime` at least, also if the entity is erased meanwhile
/// and another one made of its id, and whatever the clocks of machines show. After that it may count again:
/// repeat no update for so long. It costs a small record for that time, and two reads of the store in each
/// commit of updates that have one.
class token {
 public:
  static constexpr std::size_t kLongest = 128;

  /// Any bytes; `InvalidUse` if there are none or more than `kLongest`.
  explicit token(std::string bytes) : bytes_(std::move(bytes)) {
    if (bytes_.empty() || bytes_.size() > kLongest)
      throw InvalidUse("a token has 1 to " + std::to_string(kLongest) + " bytes, not " +
                       std::to_string(bytes_.size()));
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
