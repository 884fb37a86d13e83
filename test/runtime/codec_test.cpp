#include <autoshard/codec.h>
#include <autoshard/errors.h>
#include <autoshard/generated.h>
#include <gmock/gmock.h>

#include <bitset>
#include <cmath>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

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

/// Holds itself, as deep as anybody likes.
struct Tree {
  std::vector<Tree> children;
};

/// A list without copies.
struct Link {
  int value = 0;
  std::unique_ptr<Link> next;
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
  static constexpr auto members(const Link*) {
    return std::tuple{Property{"value", &Link::value}, Property{"next", &Link::next}};
  }
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

TEST(Codec, KeepsSequencesAndSets) {
  expect_round_trip(std::deque<std::string>{"a", "", "b"});
  expect_round_trip(std::list<std::vector<int>>{{1}, {}, {2, 3}});
  expect_round_trip(std::unordered_set<std::string>{"b", "a", ""});
  expect_round_trip(std::unordered_map<int, std::unordered_set<int>>{{1, {2, 3}}, {4, {}}});
}

TEST(Codec, KeepsTuples) {
  expect_round_trip(std::tuple<int, std::string, std::optional<bool>>{1, "x", std::nullopt});
  expect_round_trip(std::map<std::tuple<int, int>, std::tuple<Point>>{{{1, 2}, {Point{3, 4}}}});
}

TEST(Codec, KeepsVariants) {
  using Variant = std::variant<std::monostate, int, std::string, int, std::vector<Point>>;
  expect_round_trip(Variant());
  expect_round_trip(Variant(std::in_place_index<1>, 7));
  expect_round_trip(Variant(std::in_place_index<3>, 7));
  expect_round_trip(Variant("text"));
  expect_round_trip(Variant(std::vector{Point{1, 2}}));
  expect_round_trip(std::list<std::variant<Line, Colour>>{Colour::kGreen, Line{{{1, 2}}, {}, Colour::kRed}});
  EXPECT_EQ(encoded(Variant("a")),
            "\x92\x02\xA1"
            "a");
}

TEST(Codec, KeepsPointersToValues) {
  EXPECT_EQ(decoded<std::unique_ptr<int>>(encoded(std::unique_ptr<int>())), nullptr);
  EXPECT_EQ(*decoded<std::unique_ptr<int>>(encoded(std::make_unique<int>(7))), 7);
  EXPECT_EQ(encoded(std::make_unique<int>(7)), encoded(7));

  std::vector<std::unique_ptr<Line>> lines;
  lines.push_back(nullptr);
  lines.push_back(std::make_unique<Line>(Line{{{1, 2}}, {}, Colour::kRed}));
  const auto loaded = decoded<std::vector<std::unique_ptr<Line>>>(encoded(lines));
  ASSERT_EQ(loaded.size(), 2u);
  EXPECT_EQ(loaded[0], nullptr);
  EXPECT_EQ(*loaded[1], *lines[1]);

  const auto list = Link{1, std::make_unique<Link>(Link{2, nullptr})};
  EXPECT_EQ(decoded<Link>(encoded(list)).next->value, 2);
}

TEST(Codec, TellsWhichOfNestedNullsIsEmpty) {
  using Inner = std::optional<int>;
  EXPECT_EQ(decoded<std::unique_ptr<Inner>>(encoded(std::unique_ptr<Inner>())), nullptr);
  EXPECT_EQ(*decoded<std::unique_ptr<Inner>>(encoded(std::make_unique<Inner>())), std::nullopt);
  expect_round_trip(std::optional<std::monostate>());
  expect_round_trip(std::optional(std::monostate()));
  const std::optional<std::unique_ptr<int>> null(std::in_place);
  const auto loaded = decoded<std::optional<std::unique_ptr<int>>>(encoded(null));
  EXPECT_TRUE(loaded.has_value() && *loaded == nullptr);
}

TEST(Codec, KeepsReferencesAsIds) {
  struct Absent;
  expect_round_trip(Ref<Absent, std::string>("id"));
  EXPECT_EQ(encoded(Ref<Absent, Point>(Point{3, 4})), encoded(Point{3, 4}));
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

  std::unordered_set<std::string> few, many(1000);
  for (int i = 0; i < 100; ++i) {
    few.insert(std::to_string(i));
    many.insert(std::to_string(99 - i));
  }
  EXPECT_EQ(encoded(few), encoded(many));
  using Nested = std::vector<std::unordered_set<std::string>>;
  EXPECT_EQ(encoded(Nested{few}), encoded(Nested{many}));
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
  expect_corrupt<std::vector<int>>(encoded(std::map<int, int>()));
  expect_corrupt<std::map<int, int>>(encoded(std::vector<int>()));
  expect_corrupt<std::array<int, 2>>(encoded(std::vector<int>{1}));
  expect_corrupt<std::array<int, 2>>(encoded(std::vector<int>{1, 2, 3}));
  expect_corrupt<std::pair<int, int>>(encoded(std::vector<int>{1, 2, 3}));
  expect_corrupt<Point>(encoded(std::map<int, int>{{1, 2}}));
  expect_corrupt<int>("\xC0");
  expect_corrupt<std::deque<int>>(encoded(1));
  expect_corrupt<std::list<int>>(encoded(std::vector<std::string>{"x"}));
  expect_corrupt<std::unordered_set<int>>(encoded(std::map<int, int>()));
  expect_corrupt<std::monostate>(encoded(1));
  expect_corrupt<std::unique_ptr<int>>(encoded(std::string("1")));
  expect_corrupt<std::unique_ptr<std::optional<int>>>(encoded(std::vector{1, 2}));
  expect_corrupt<std::tuple<int, int>>(encoded(std::vector{1}));
}

TEST(Codec, KeepsBitSets) {
  EXPECT_EQ(encoded(std::bitset<8>(5)), "\x91\x05");
  EXPECT_EQ(encoded(std::bitset<100>(5)), "\x91\x05");
  EXPECT_EQ(encoded(std::bitset<8>()), "\x90");
  EXPECT_EQ(encoded(std::bitset<65>().set(64)), std::string("\x92\x00\x01", 3));
  expect_round_trip(std::bitset<0>());
  for (std::size_t bit = 0; bit < 130; ++bit) {
    expect_round_trip(std::bitset<130>().set(bit));
    expect_round_trip(std::bitset<130>().set().reset(bit));
  }
  expect_round_trip(~std::bitset<64>());
  expect_round_trip(std::vector<std::bitset<3>>{1, 0, 7});
  // A bitset may grow, and shrink where the bits that it loses are not set.
  EXPECT_EQ(decoded<std::bitset<200>>(encoded(~std::bitset<70>())), std::bitset<200>().set() >> 130);
  EXPECT_EQ(decoded<std::bitset<3>>(encoded(std::bitset<200>(7))), std::bitset<3>(7));
}

TEST(Codec, RefusesBitsThatABitSetDoesNotHave) {
  expect_corrupt<std::bitset<3>>(encoded(std::bitset<4>(8)));
  expect_corrupt<std::bitset<64>>(encoded(std::bitset<65>().set(64)));
  expect_corrupt<std::bitset<0>>(encoded(std::vector{1}));
  expect_corrupt<std::bitset<8>>(encoded(5));
  expect_corrupt<std::bitset<8>>(encoded(std::vector{5, 0}));
  expect_corrupt<std::bitset<8>>(encoded(std::vector{-1}));
  expect_corrupt<std::bitset<8>>("\xDD\xFF\xFF\xFF\xFF\x01");
}

TEST(Codec, RefusesAlternativesThatAVariantDoesNotHave) {
  using Variant = std::variant<int, std::string>;
  expect_corrupt<Variant>(encoded(1));
  expect_corrupt<Variant>(encoded(std::vector{0}));
  expect_corrupt<Variant>(encoded(std::vector{-1, 1}));
  expect_corrupt<Variant>(encoded(std::vector{2, 1}));
  expect_corrupt<Variant>(encoded(std::vector{1, 1}));
  expect_corrupt<Variant>(encoded(std::tuple(std::numeric_limits<std::uint64_t>::max(), 1)));
  using Grown = std::variant<int, std::string, double>;
  EXPECT_EQ(decoded<Grown>(encoded(Variant("text"))), Grown("text"));
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

Link chain(int length) {
  Link first;
  for (int i = 1; i < length; ++i) first = Link{i, std::make_unique<Link>(std::move(first))};
  return first;
}

TEST(Codec, RefusesToWriteWhatCouldNotBeRead) {
  std::string record;
  Encoder out(record);
  out.array(1);  // as every record begins
  encode<Owner>(out, chain(kDeepestNesting - 1));
  EXPECT_NO_THROW(Decoder("key", record));
  EXPECT_THROW(encoded(chain(kDeepestNesting)), InvalidUse);
  std::unordered_map<int, Link> table;
  table[1] = chain(kDeepestNesting - 1);
  EXPECT_THROW(encoded(table), InvalidUse);
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
  std::string all = "\xDC";
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
