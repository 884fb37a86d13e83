// The encoder writes what msgpack-cxx writes, in the shortest form.

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <msgpack.hpp>
#include <string>

namespace autoshard {
namespace {

struct Sink {
  std::string bytes;
  void write(const char* data, std::size_t size) { bytes.append(data, size); }
};

template <class Encode, class Pack>
void expect_the_same(Encode encode, Pack pack, std::uint64_t what) {
  std::string own;
  Encoder out(own);
  encode(out);
  Sink sink;
  msgpack::packer<Sink> packer(sink);
  pack(packer);
  ASSERT_EQ(testing::PrintToString(own.substr(0, 16)), testing::PrintToString(sink.bytes.substr(0, 16)))
      << what;
  ASSERT_EQ(own, sink.bytes) << what;
}

/// Calls `check` with numbers around each power of two.
template <class Check>
void around_powers(unsigned powers, Check check) {
  for (unsigned power = 0; power <= powers; ++power) {
    const std::uint64_t one = power == 64 ? 0 : std::uint64_t{1} << power;
    for (const std::uint64_t number : {one - 2, one - 1, one, one + 1}) {
      check(number);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(Encoder, WritesNumbersOfEverySize) {
  around_powers(64, [](std::uint64_t number) {
    expect_the_same([&](Encoder& out) { out.natural(number); }, [&](auto& packer) { packer.pack(number); },
                    number);
    for (const std::uint64_t bits : {number, ~number + 1}) {
      const auto integer = static_cast<std::int64_t>(bits);
      expect_the_same([&](Encoder& out) { out.integer(integer); },
                      [&](auto& packer) { packer.pack(integer); }, bits);
    }
  });
}

TEST(Encoder, WritesTextsAndContainersOfEverySize) {
  around_powers(17, [](std::uint64_t number) {
    if (number > 1 << 18) return;  // below 0
    const auto size = static_cast<std::uint32_t>(number);
    const std::string text(size, 'x');
    expect_the_same([&](Encoder& out) { out.text(text); }, [&](auto& packer) { packer.pack(text); }, size);
    expect_the_same([&](Encoder& out) { out.array(size); }, [&](auto& packer) { packer.pack_array(size); },
                    size);
    expect_the_same([&](Encoder& out) { out.map(size); }, [&](auto& packer) { packer.pack_map(size); }, size);
  });
}

TEST(Encoder, WritesWhatHasNoSize) {
  expect_the_same([](Encoder& out) { out.nil(); }, [](auto& packer) { packer.pack_nil(); }, 0);
  for (const bool value : {false, true}) {
    expect_the_same([&](Encoder& out) { out.boolean(value); }, [&](auto& packer) { packer.pack(value); }, 0);
  }
  expect_the_same([](Encoder& out) { out.real(0.1); }, [](auto& packer) { packer.pack(0.1); }, 0);
  expect_the_same([](Encoder& out) { out.real(0.1F); }, [](auto& packer) { packer.pack(0.1F); }, 0);
}

// Where msgpack-cxx would write integers.
TEST(Encoder, KeepsFloatsThatHaveTheValueOfAnInteger) {
  std::string bytes;
  Encoder out(bytes);
  out.real(-0.0);
  out.real(1.0F);
  EXPECT_EQ(bytes, std::string("\xCB\x80\0\0\0\0\0\0\0\xCA\x3F\x80\0\0", 14));
}

TEST(Encoder, RefusesWhatIsTooLong) {
  if (sizeof(std::size_t) <= sizeof(std::uint32_t)) GTEST_SKIP() << "no such sizes";
  std::string bytes;
  Encoder out(bytes);
  const std::size_t many = std::size_t{std::numeric_limits<std::uint32_t>::max()} + 1;
  EXPECT_THROW(out.array(many), InvalidUse);
  EXPECT_THROW(out.map(many), InvalidUse);
  EXPECT_EQ(bytes, "");
}

}  // namespace
}  // namespace autoshard
