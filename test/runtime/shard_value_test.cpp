// A shard lies where its type may lie, and is destroyed as often as it is constructed.

#include "shard_value.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <stdexcept>

namespace autoshard::detail {
namespace {

int living = 0;

template <std::size_t kSize, std::size_t kAlignment>
struct alignas(kAlignment) Shard {
  Shard() { ++living; }
  ~Shard() { --living; }
  std::array<std::byte, kSize> bytes{};
};

template <class S>
constexpr ShardType kTypeOf = {.size = sizeof(S),
                               .alignment = alignof(S),
                               .construct = [](void* at) { new (at) S; },
                               .move = [](void*, void* at) { new (at) S; },
                               .destroy = [](void* shard) { static_cast<S*>(shard)->~S(); }};

template <class S>
void expect_to_lie_right(ShardValue& value) {
  const auto address = reinterpret_cast<std::uintptr_t>(value.make_neutral(kTypeOf<S>));
  EXPECT_EQ(address % alignof(S), 0U);
  EXPECT_EQ(living, 1);
}

TEST(ShardValue, LiesAsItsTypeDemands) {
  {
    ShardValue value;
    expect_to_lie_right<Shard<8, 8>>(value);
    expect_to_lie_right<Shard<64, 64>>(value);
    expect_to_lie_right<Shard<1000, 8>>(value);
    expect_to_lie_right<Shard<1000, 256>>(value);
    value.reset();
    EXPECT_EQ(living, 0);
    expect_to_lie_right<Shard<8, 8>>(value);
  }
  EXPECT_EQ(living, 0);
}

TEST(ShardValue, IsNoneAfterAnException) {
  ShardValue value;
  ShardType type = kTypeOf<Shard<1000, 256>>;
  type.construct = [](void*) { throw std::runtime_error("no neutral shard"); };
  EXPECT_THROW(value.make_neutral(type), std::runtime_error);
  value.reset();
  EXPECT_EQ(living, 0);
}

}  // namespace
}  // namespace autoshard::detail
