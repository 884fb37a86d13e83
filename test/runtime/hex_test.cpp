#include "hex.h"

#include <gtest/gtest.h>

namespace autoshard::detail {
namespace {

TEST(Hex, ReadsWhatItWrites) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes.push_back(static_cast<char>(byte));
  const std::string digits = to_hex(bytes);
  EXPECT_TRUE(digits.starts_with("000102030405060708090a0b0c0d0e0f10")) << digits;
  EXPECT_TRUE(digits.ends_with("fdfeff")) << digits;
  EXPECT_EQ(from_hex(digits), bytes);
  EXPECT_EQ(from_hex(""), "");
}

TEST(Hex, WritesAllDigitsOfANumber) {
  EXPECT_EQ(to_hex(std::uint64_t{0xAB}), "00000000000000ab");
  EXPECT_EQ(to_hex(0x0123'4567'89AB'CDEFU), "0123456789abcdef");
}

TEST(Hex, RefusesOtherTexts) {
  for (const char* text : {"0", "000", "0g", "AB", " 0", "0x00"})
    EXPECT_EQ(from_hex(text), std::nullopt) << text;
}

TEST(Hex, ShowsWhatIsNotPrintable) {
  EXPECT_EQ(printable({"a~\x7F\x80\\\0 z", 8}, 8), "a~\\x7f\\x80\\x5c\\x00 z");
  EXPECT_EQ(printable("abc", 3), "abc");
  EXPECT_EQ(printable("abcd", 3), "abc...");
}

}  // namespace
}  // namespace autoshard::detail
