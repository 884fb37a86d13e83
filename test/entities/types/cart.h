// Composite ids, and ids with types of their own.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <utility>

namespace shop {

/// No other text is taken for one.
struct CustomerId {
  std::string text;
  auto operator<=>(const CustomerId&) const = default;
};

enum class Country : std::uint8_t { kAustria, kGermany };

/// A customer has a few of these in each country.
class [[autoshard::entity]] Cart {
 public:
  Cart(Country country, CustomerId customer, int number)
      : customer_(std::move(customer)), number_(number), country_(country) {}

  [[autoshard::shard_method]] void add(int pieces) { pieces_ += pieces; }
  [[autoshard::shard_fold]] static int sum(int a, int b) { return a + b; }

  const CustomerId& customer() const { return customer_; }
  int number() const { return number_; }
  Country country() const { return country_; }
  int pieces() const { return pieces_; }
  CustomerId gift_for = {};

 private:
  [[autoshard::id]] CustomerId customer_;
  [[autoshard::shardable(neutral = 0, shards = 4)]] int pieces_ = 0;
  [[autoshard::id]] int number_;
  [[autoshard::id]] Country country_;
};

struct Uuid {
  std::array<std::uint8_t, 16> bytes{};
};

struct [[autoshard::entity]] Session {
  [[autoshard::id]] Uuid id;
  std::string user = {};
};

}  // namespace shop
