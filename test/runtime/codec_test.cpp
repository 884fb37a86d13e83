#include <autoshard/codec.h>
#include <autoshard/errors.h>
#include <autoshard/generated.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>

namespace autoshard {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

enum class Colour : std::uint8_t { kRed, kGreen = 200 };

struct Point {
  int x = 1;
  int y = 2;
  bool operator==(const Point&) const = default;
};

struct Line {
  std::vector<Point> points;
  std::optional<Point> end;
  Colour colour = Colour::kRed;
  bool operator==(const Line&) const = default;
};

/// Has room for numbers that none of its names has.
enum Size { kSmall, kLarge = 5 };

/// Holds itself, as deep as anybody likes.
struct Tree {
  std::vector<Tree> children;
};

using Pair = std::pair<int, int>;
struct HashPair {
  std::size_t operator()(const Pair& pair) const { return static_cast<std::size_t>(pair.first); }
};

struct Money {
  long cents = 0;
  bool operator==(const Money&) const = default;
};

/// What the generator lists in the traits of an entity.
struct Owner {
  static constexpr auto members(const Point*) {
    return std::tuple{Property{"x", &Point::x}, Property{"y", &Point::y}};
  }
  static constexpr auto members(const Line*) {
    return std::tuple{Property{"points", &Line::points}, Property{"end", &Line::end},
                      Property{"colour", &Line::colour}};
  }
  static constexpr auto members(const Tree*) { return std::tuple{Property{"children", &Tree::children}}; }
};

template <class T>
std::string encoded(const T& value) {
  std::string bytes;
  Encoder out(bytes);
  encode<Owner>(out, value);
  return bytes;
}

template <class T>
T decoded(std::string_view bytes) {
  T value{};
  Decoder in("key", bytes);
  decode<Owner>(in, value);
  return value;
}

template <class T>
void expect_round_trip(const T& value) {
  EXPECT_EQ(decoded<T>(encoded(value)), value);
}

template <class T>
void expect_limits() {
  expect_round_trip(std::numeric_limits<T>::min());
  expect_round_trip(std::numeric_limits<T>::max());
  expect_round_trip(std::numeric_limits<T>::lowest());
  expect_round_trip(T{0});
  expect_round_trip(T{1});
}

}  // namespace

template <>
struct Codec<Money> {
  static void encode(Encoder& out, const Money& money) { out.integer(money.cents); }
  static void decode(Decoder& in, Money& money) { money.cents = static_cast<long>(in.integer()); }
};

namespace {

TEST(Codec, KeepsNumbers) {
  expect_limits<bool>();
  expect_limits<char>();
  expect_limits<signed char>();
  expect_limits<unsigned char>();
  expect_limits<short>();
  expect_limits<unsigned short>();
  expect_limits<int>();
  expect_limits<unsigned>();
  expect_limits<long long>();
  expect_limits<unsigned long long>();
  expect_limits<wchar_t>();
  expect_limits<char32_t>();
  expect_limits<float>();
  expect_limits<double>();
  for (int shift = 0; shift < 64; ++shift) {
    expect_round_trip(std::uint64_t{1} << shift);
    expect_round_trip((std::uint64_t{1} << shift) - 1);
    expect_round_trip(static_cast<std::int64_t>(~std::uint64_t{0} << shift));
  }
  expect_round_trip(std::numeric_limits<double>::infinity());
  expect_round_trip(-std::numeric_limits<float>::infinity());
  expect_round_trip(0x1p64);
  EXPECT_TRUE(std::signbit(decoded<double>(encoded(-0.0))));
  EXPECT_TRUE(std::isnan(decoded<double>(encoded(std::nan("")))));
  EXPECT_TRUE(std::isnan(decoded<float>(encoded(std::nanf("")))));
  expect_round_trip(Colour::kGreen);
  expect_round_trip(kLarge);
}

TEST(Codec, KeepsTexts) {
  expect_round_trip(std::string());
  expect_round_trip(std::string("\0\xFF text", 7));
  for (const std::size_t size : {31u, 32u, 255u, 256u, 65535u, 65536u})
    expect_round_trip(std::string(size, 'x'));
}

TEST(Codec, KeepsTimes) {
  using namespace std::chrono;
  expect_round_trip(-5ns);
  expect_round_trip(duration<double>(0.25));
  expect_round_trip(time_point_cast<microseconds>(system_clock::now()));
  expect_round_trip(sys_days{year{1969} / July / 20});
}

TEST(Codec, KeepsContainers) {
  expect_round_trip(std::vector<int>{});
  expect_round_trip(std::vector<std::string>{"a", ""});
  expect_round_trip(std::vector<bool>{true, false, true});
  expect_round_trip(std::vector<int>(70'000, 7));
  expect_round_trip(std::array<int, 3>{1, 2, 3});
  expect_round_trip(std::array<int, 0>{});
  expect_round_trip(std::set<std::string>{"b", "a"});
  expect_round_trip(std::map<int, std::string>{{-1, "x"}, {1, "y"}});
  expect_round_trip(std::map<std::pair<int, int>, std::vector<std::set<int>>>{{{1, 2}, {{3}, {}}}});
  expect_round_trip(std::unordered_map<std::string, double>{{"a", 1.5}, {"b", -2}});
  expect_round_trip(std::pair<int, std::string>{1, "one"});
}

TEST(Codec, KeepsOptionals) {
  expect_round_trip(std::optional<int>());
  expect_round_trip(std::optional<int>(0));
  using Nested = std::optional<std::optional<int>>;
  expect_round_trip(Nested());
  expect_round_trip(Nested(std::optional<int>()));
  expect_round_trip(Nested(std::optional<int>(1)));
}

TEST(Codec, KeepsStructs) {
  expect_round_trip(Point{3, 4});
  expect_round_trip(Line{{{1, 2}, {3, 4}}, Point{5, 6}, Colour::kGreen});
  expect_round_trip(std::map<std::string, Line>{{"line", {{}, {}, Colour::kRed}}});
}

TEST(Codec, KeepsTypesOfTheUsersOwn) {
  expect_round_trip(Money{-5});
  expect_round_trip(std::vector<Money>{{1}, {2}});
}

TEST(Codec, WritesEqualHashTablesAlike) {
  std::unordered_map<int, int> one, other(1000);
  for (int i = 0; i < 100; ++i) {
    one[i] = i;
    other[99 - i] = 99 - i;
  }
  EXPECT_EQ(encoded(one), encoded(other));
}

TEST(Codec, WritesMessagePackThatAnybodyReads) {
  EXPECT_EQ(encoded(Point{3, -4}), std::string("\x82\xA1x\x03\xA1y\xFC", 7));
  EXPECT_EQ(encoded(std::optional<std::string>()), "\xC0");
}

TEST(Codec, MembersMayBeMissingReorderedAndUnknown) {
  std::string bytes;
  Encoder out(bytes);
  out.map(3);
  out.text("unknown");
  encode<Owner>(out, std::map<std::string, Line>{{"line", {{{1, 2}}, Point{}, Colour::kRed}}});
  out.text("y");
  out.integer(7);
  out.text("also unknown");
  out.nil();
  EXPECT_EQ(decoded<Point>(bytes), (Point{1, 7}));
  EXPECT_EQ(decoded<Point>("\x80"), Point());
}

TEST(Codec, ReadsWholeNumbersAsReals) {
  EXPECT_EQ(decoded<double>(encoded(-3)), -3.0);
  EXPECT_EQ(decoded<float>(encoded(0.5)), 0.5f);
  EXPECT_EQ(decoded<double>(encoded(0.5f)), 0.5);
}

template <class T>
void expect_corrupt(std::string_view bytes) {
  EXPECT_THAT([&] { decoded<T>(bytes); }, ThrowsMessage<CorruptRecord>(HasSubstr("record key")))
      << typeid(T).name();
}

TEST(Codec, RefusesWhatDoesNotFitTheType) {
  expect_corrupt<signed char>(encoded(128));
  expect_corrupt<unsigned char>(encoded(256));
  expect_corrupt<unsigned>(encoded(-1));
  expect_corrupt<std::int64_t>(encoded(std::numeric_limits<std::uint64_t>::max()));
  expect_corrupt<int>(encoded(1.0));
  expect_corrupt<int>(encoded(true));
  expect_corrupt<bool>(encoded(1));
  expect_corrupt<int>(encoded(std::string("1")));
  expect_corrupt<std::string>(encoded(1));
  expect_corrupt<float>(encoded(1e300));
  expect_corrupt<float>(encoded(-1e300));
  expect_corrupt<Colour>(encoded(256));
  expect_corrupt<Size>(encoded(-1));
  expect_corrupt<Size>(encoded(std::int64_t{1} << 32));
  expect_corrupt<std::vector<int>>(encoded(std::map<int, int>()));
  expect_corrupt<std::map<int, int>>(encoded(std::vector<int>()));
  expect_corrupt<std::array<int, 2>>(encoded(std::vector<int>{1}));
  expect_corrupt<std::array<int, 2>>(encoded(std::vector<int>{1, 2, 3}));
  expect_corrupt<std::pair<int, int>>(encoded(std::vector<int>{1, 2, 3}));
  expect_corrupt<Point>(encoded(std::map<int, int>{{1, 2}}));
  expect_corrupt<int>("\xC0");
}

TEST(Codec, RefusesWhatIsNoMessagePack) {
  expect_corrupt<int>("");
  expect_corrupt<int>("\xC1");
  expect_corrupt<int>("\x01\x01");
  expect_corrupt<int>("\xD2\x01");
  expect_corrupt<std::string>("\xA5text");
  expect_corrupt<std::string>("\xDB\xFF\xFF\xFF\xFFtext");
  expect_corrupt<std::vector<int>>("\x92\x01");
  expect_corrupt<std::vector<int>>("\xDD\xFF\xFF\xFF\xFF\x01");
  expect_corrupt<std::map<int, int>>("\xDF\xFF\xFF\xFF\xFF\x01\x01");
  expect_corrupt<std::vector<int>>("\xC9\xFF\xFF\xFF\xFF\x01");  // an extension of that size
}

TEST(Codec, RefusesNestingWithoutEnd) {
  std::string bytes;
  for (int i = 0; i < 1'000'000; ++i)
    bytes +=
        "\x81\xA8"
        "children\x91";
  expect_corrupt<Tree>(bytes + '\x80');
  expect_corrupt<std::vector<int>>(std::string(10'000'000, '\x91') + '\x90');
}

Tree nested(int levels) {
  Tree tree;
  for (; levels > 1; --levels) {
    Tree above;
    above.children.push_back(std::move(tree));
    tree = std::move(above);
  }
  return tree;
}

// What can be written can be read again: each tree is two levels, and the record around it one more.
TEST(Codec, WritesNothingThatIsNestedTooDeepToBeRead) {
  const auto record = [](int levels) {
    std::string bytes;
    Encoder out(bytes);
    out.array(1);
    encode<Owner>(out, nested(levels));
    return bytes;
  };
  const std::string deepest = record(127);
  Decoder in("key", deepest);
  ASSERT_EQ(in.array(), 1u);
  Tree tree;
  decode<Owner>(in, tree);
  for (const int levels : {128, 130, 1000}) {
    EXPECT_THAT([&] { record(levels); }, ThrowsMessage<std::length_error>(HasSubstr("256")));
  }
  // Wide is not deep; and the keys of hash tables, which are put together apart, are as deep as the rest.
  Tree wide;
  wide.children.resize(1000);
  encoded(wide);
  std::string bytes;
  Encoder out(bytes);
  std::vector<std::unique_ptr<Encoder::Level>> levels;
  for (std::size_t level = 0; level < kDeepestRecord - 2; ++level)
    levels.push_back(std::make_unique<Encoder::Level>(out));
  encode<Owner>(out, std::unordered_map<std::string, int>{{"flat", 1}});
  EXPECT_THROW((encode<Owner>(out, std::unordered_map<Pair, int, HashPair>{{{1, 2}, 1}})), std::length_error);
}

TEST(Codec, CopiesAnyMessagePack) {
  const std::vector<std::string> values = {
      "\xC0",
      "\xC2",
      "\xC3",
      "\x07",
      "\xE0",
      encoded(std::numeric_limits<std::uint64_t>::max()),
      encoded(std::numeric_limits<std::int64_t>::min()),
      encoded(1.5f),
      encoded(1.5),
      encoded(std::string("text")),
      std::string("\xC4\x03\x00\xFF\x01", 5),      // bytes
      std::string("\xD4\x05\x00", 3),              // an extension of one byte
      std::string("\xC7\x03\x05\x00\xFF\x01", 6),  // of three
      std::string("\xC7\x00\x05", 3),              // of none
      encoded(std::map<std::string, Line>{{"line", {{{1, 2}}, Point{}, Colour::kRed}}}),
      "\x90",
      "\x80",
  };
  std::string all = "\xDC", copied;
  all += static_cast<char>(values.size() >> 8);
  all += static_cast<char>(values.size());
  for (const std::string& value : values) all += value;
  Decoder in("key", all);
  ASSERT_EQ(in.array(), values.size());
  for (const std::string& value : values) {
    std::string copy;
    Encoder out(copy);
    in.copy(out);
    EXPECT_EQ(copy, value);
  }
}

}  // namespace
}  // namespace autoshard
