// API quotas. Style: a modern library; everything that C++20 has.
#ifndef ACME_QUOTA_H_
#define ACME_QUOTA_H_

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>

#define ACME_NODISCARD [[nodiscard]]

namespace acme::inline v2::quota {

template <std::integral T>
struct saturating {
  T value = 0;
  constexpr saturating& operator+=(T by) {
    value = value > std::numeric_limits<T>::max() - by ? std::numeric_limits<T>::max() : static_cast<T>(value + by);
    return *this;
  }
  friend constexpr auto operator<=>(const saturating&, const saturating&) = default;
};

struct key {
  std::string value;
  constexpr auto operator<=>(const key&) const = default;
};

class limiter;

/// How many requests a client has made, and may make.
class [[autoshard::entity("ApiQuota")]] quota {
 public:
  using counter = saturating<std::uint32_t>;

  quota(const quota&) = default;
  quota(quota&&) noexcept = default;
  quota& operator=(const quota&) = default;
  quota& operator=(quota&&) noexcept = default;
  virtual ~quota() = default;
  explicit quota(key of, std::uint32_t limit = 1'000) noexcept : of_{std::move(of)}, limit_{limit} {}

  [[autoshard::shard_method]] virtual auto use(std::uint32_t requests = 1) & noexcept -> quota& {
    used_ += requests;
    return *this;
  }
  [[autoshard::shard_method]] void use(std::uint32_t requests, std::uint32_t of_weight) & {
    used_ += requests % 1000 * (of_weight % 1000);
  }

  ACME_NODISCARD constexpr auto left() const noexcept {
    return used_.value >= limit_ ? std::uint32_t{0} : limit_ - used_.value;
  }
  ACME_NODISCARD constexpr auto operator<=>(const quota& other) const noexcept { return used_ <=> other.used_; }

 private:
  friend limiter;

  [[autoshard::shard_fold]] static constexpr counter sum(counter a, counter b) noexcept { return a += b.value; }

  [[autoshard::id]] key of_;
  std::uint32_t limit_;
  [[autoshard::shardable(neutral = counter{}, shards = 16)]] counter used_{};
};

}  // namespace acme::inline v2::quota

#undef ACME_NODISCARD
#endif  // ACME_QUOTA_H_
