// The decoder reads what msgpack-cxx reads, and refuses what that refuses.

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>
#include <gtest/gtest.h>

#include <msgpack.hpp>
#include <random>
#include <string>

#include "support/test_store.h"

namespace autoshard::test {
namespace {

/// What msgpack-cxx parses, within the nesting that is allowed.
struct Reader : msgpack::null_visitor {
  std::size_t depth = 0;
  bool visit_ext(const char*, std::uint32_t size) { return size > 0; }
  bool start_array(std::uint32_t) { return ++depth <= kDeepestNesting; }
  bool start_map(std::uint32_t) { return ++depth <= kDeepestNesting; }
  bool end_array() { return --depth, true; }
  bool end_map() { return --depth, true; }
};

bool msgpack_reads(const std::string& bytes) {
  Reader reader;
  std::size_t end = 0;
  return !bytes.empty() && msgpack::parse(bytes.data(), bytes.size(), end, reader) && end == bytes.size();
}

/// The value written anew; empty if it is refused.
std::string copied(const std::string& bytes) {
  try {
    Decoder in("", bytes);
    std::string copy;
    Encoder out(copy);
    in.copy(out);
    return copy;
  } catch (const CorruptRecord&) {
    return {};
  }
}

void expect_the_same(const std::string& bytes) {
  const std::string copy = copied(bytes);
  ASSERT_EQ(!copy.empty(), msgpack_reads(bytes)) << testing::PrintToString(bytes);
  if (copy.empty()) return;
  // Written by the same library, both take the shortest form.
  msgpack::sbuffer own, other;
  msgpack::pack(own, msgpack::unpack(copy.data(), copy.size()).get());
  msgpack::pack(other, msgpack::unpack(bytes.data(), bytes.size()).get());
  ASSERT_EQ(std::string(own.data(), own.size()), std::string(other.data(), other.size()))
      << testing::PrintToString(bytes);
}

TEST(Decoder, LooksAtNoMoreThanTheFirstElements) {
  const std::string pair = "\x92\x81\xA1x\x07\x08", garbage = "\xC1\xC1";
  for (const std::string& map :
       {"\x82" + pair + '\x05' + garbage, '\xDE' + std::string("\0\xFF", 2) + pair + '\x05'}) {
    EXPECT_THROW(Decoder("", map), CorruptRecord);
    Decoder in("", map, 2);
    EXPECT_GE(in.map(), 2U);
    EXPECT_EQ(in.array(), 2U);
    EXPECT_EQ(in.map(), 1U);
    EXPECT_EQ(in.text(), "x");
    EXPECT_EQ(in.natural(), 7U);
    EXPECT_EQ(in.natural(), 8U);
    EXPECT_EQ(in.natural(), 5U);
    EXPECT_THROW(in.natural(), CorruptRecord);
  }
  EXPECT_THROW(Decoder("", "\x92" + pair.substr(0, 4), 2), CorruptRecord) << "fewer than announced";
  Decoder empty("", "\x80", 2);
  EXPECT_EQ(empty.map(), 0U);
  EXPECT_THROW(empty.text(), CorruptRecord);
}

TEST(Decoder, ReadsEveryFormOfEveryValue) {
  for (int tag = 0; tag < 256; ++tag) {
    std::string bytes(1, static_cast<char>(tag));
    for (int fill : {0x00, 0x01, 0x7F, 0x80, 0xC0, 0xFF}) {
      for (std::size_t size = 1; size < 40; ++size) {
        std::string value = bytes;
        value.resize(size, static_cast<char>(fill));
        expect_the_same(value);
      }
    }
  }
}

TEST(Decoder, FollowsContainersAsDeepAsTheyMayBe) {
  for (const std::size_t depth : {1U, 255U, 256U, 257U, 5000U}) {
    expect_the_same(std::string(depth - 1, '\x91') + '\x90');
    expect_the_same(std::string(depth, '\x91') + '\x01');
    EXPECT_EQ(copied(std::string(depth, '\x91') + '\x01').empty(), depth > kDeepestNesting);
  }
}

TEST(Decoder, AgreesOnRandomBytes) {
  std::mt19937_64 generator = seeded_generator();
  // Mostly tags that something follows, of little size.
  const std::string likely =
      "\x81\x82\x92\x93\xA1\xA2\xC4\xC7\xCA\xCB\xCC\xCD\xCE\xCF\xD0\xD1\xD2\xD3\xD4\xD6\xD9\xDC\xDE";
  for (int i = 0; i < 100'000; ++i) {
    std::string bytes;
    for (std::size_t size = 1 + below(generator, 24); size > 0; --size) {
      switch (below(generator, 4)) {
        case 0:
          bytes += static_cast<char>(below(generator, 256));
          break;
        case 1:
          bytes += '\0';
          break;
        case 2:
          bytes += static_cast<char>(below(generator, 4));
          break;
        default:
          bytes += likely[below(generator, likely.size())];
      }
    }
    // Where more is there than one value, so much of it as is one.
    std::size_t end = 0;
    Reader reader;
    if (msgpack::parse(bytes.data(), bytes.size(), end, reader)) bytes.resize(end);
    expect_the_same(bytes);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace autoshard::test
