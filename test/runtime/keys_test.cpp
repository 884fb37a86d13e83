#include "keys.h"

#include <autoshard/detail/id.h>
#include <autoshard/errors.h>
#include <autoshard/store.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>

#include "support/test_store.h"

namespace autoshard::detail {
namespace {

using test::below;
using test::seeded_generator;

// A record's key where an entity's is expected does not compile, nor the other way round.
static_assert(std::is_invocable_v<decltype(main_key), EntityKey>);
static_assert(!std::is_invocable_v<decltype(main_key), RecordKey>);
static_assert(!std::is_invocable_v<decltype(main_key), std::string>);
static_assert(!std::is_invocable_v<decltype(main_key), std::string_view>);
static_assert(!std::is_invocable_v<decltype(read_shard_key), RecordKey, EntityKey>);
static_assert(!std::is_invocable_v<decltype(entity_of), EntityKey>);
static_assert(std::is_invocable_v<decltype(&Transaction::erase), Transaction&, RecordKey>);
static_assert(!std::is_invocable_v<decltype(&Transaction::erase), Transaction&, EntityKey>);
static_assert(!std::is_invocable_v<decltype(&Transaction::erase), Transaction&, EntityKeyView>);
static_assert(!std::is_convertible_v<EntityKey, RecordKey> && !std::is_convertible_v<RecordKey, EntityKey>);
static_assert(!std::is_constructible_v<EntityKey, RecordKey>);
static_assert(!std::is_constructible_v<RecordKey, EntityKey>);
static_assert(!std::is_assignable_v<RecordKey&, EntityKey> && !std::is_assignable_v<EntityKey&, RecordKey>);
static_assert(!std::equality_comparable_with<EntityKey, RecordKey>);
// Only the conversion to a view is implicit.
static_assert(std::is_convertible_v<EntityKey, EntityKeyView>);
static_assert(!std::is_convertible_v<EntityKeyView, EntityKey>);
static_assert(!std::is_convertible_v<std::string, EntityKey>);
static_assert(!std::is_convertible_v<std::string, RecordKey>);

/// Texts that are hard to keep apart: of few different bytes, those that have a meaning in keys among them.
std::string adversarial_text(std::mt19937_64& generator) {
  constexpr std::string_view kBytes(
      "\0\x01\x02\x14\x15\xFE\xFF"
      "a",
      8);
  std::string text;
  for (std::size_t length = below(generator, 6); length > 0; --length)
    text += kBytes[below(generator, kBytes.size())];
  return text;
}

std::int64_t adversarial_number(std::mt19937_64& generator) {
  const auto bits = static_cast<std::int64_t>(generator() >> below(generator, 64));
  return below(generator, 2) == 0 ? bits : -bits;
}

template <class T>
void expect_same_order(const T& a, const T& b, std::string_view kind) {
  const EntityKey key_a = entity_key(kind, a), key_b = entity_key(kind, b);
  ASSERT_EQ(a <=> b, key_a <=> key_b) << describe(key_a) << " and " << describe(key_b);
}

TEST(Keys, KeepTheOrderOfTexts) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 100'000; ++i)
    expect_same_order(adversarial_text(generator), adversarial_text(generator), "Kind");
}

TEST(Keys, KeepTheOrderOfNumbers) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 100'000; ++i) {
    expect_same_order(adversarial_number(generator), adversarial_number(generator), "Kind");
    expect_same_order(generator() >> below(generator, 64), generator() >> below(generator, 64), "Kind");
  }
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min(), kMost = -(kLeast + 1);
  const std::int64_t limits[] = {kLeast, kLeast + 1, -65536, -65535, -257, -256,  -255,
                                 -1,     0,          1,      255,    256,  65535, kMost};
  for (const std::int64_t a : limits) {
    for (const std::int64_t b : limits) expect_same_order(a, b, "Kind");
  }
}

TEST(Keys, KeepTheOrderOfCompositeIds) {
  std::mt19937_64 generator = seeded_generator();
  const auto random_id = [&] {
    return std::tuple(adversarial_text(generator), adversarial_number(generator),
                      adversarial_text(generator));
  };
  for (int i = 0; i < 100'000; ++i) expect_same_order(random_id(), random_id(), "Kind");
}

TEST(Keys, KeepTheOrderOfBytes) {
  std::mt19937_64 generator = seeded_generator();
  const auto random_id = [&] {
    std::array<std::uint8_t, 3> bytes{};
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(below(generator, 4) * 85);
    return bytes;
  };
  for (int i = 0; i < 10'000; ++i) expect_same_order(random_id(), random_id(), "Kind");
}

TEST(Keys, OfAStructAreThoseOfItsMember) {
  struct Number {
    int value;
  };
  struct Uuid {
    std::array<std::byte, 2> bytes;
  };
  EXPECT_EQ(entity_key("Kind", Number{-7}), entity_key("Kind", -7));
  EXPECT_EQ(entity_key("Kind", Uuid{{std::byte{'a'}, std::byte{0}}}),
            entity_key("Kind", std::string("a\0", 2)));
  EXPECT_EQ(entity_key("Kind", std::tuple(Number{1}, true)), entity_key("Kind", std::tuple(1, 1)));
}

TEST(Keys, AreTheSameForEveryTypeOfANumber) {
  enum class Colour : short { kRed = -7 };
  EXPECT_EQ(entity_key("Kind", -7), entity_key("Kind", std::int64_t{-7}));
  EXPECT_EQ(entity_key("Kind", static_cast<signed char>(-7)), entity_key("Kind", Colour::kRed));
  EXPECT_EQ(entity_key("Kind", 200u), entity_key("Kind", static_cast<unsigned char>(200)));
  EXPECT_EQ(entity_key("Kind", std::uint64_t{1}), entity_key("Kind", true));
  EXPECT_NE(entity_key("Kind", std::string("7")), entity_key("Kind", 7));
}

struct Entity {
  std::string kind;
  EntityKey key;
  std::vector<RecordKey> records;
};

Entity adversarial_entity(std::mt19937_64& generator) {
  Entity entity;
  entity.kind = adversarial_text(generator);
  const std::string text = adversarial_text(generator);
  const std::int64_t number = adversarial_number(generator);
  switch (below(generator, 4)) {
    case 0:
      entity.key = entity_key(entity.kind, text);
      break;
    case 1:
      entity.key = entity_key(entity.kind, number);
      break;
    case 2:
      entity.key = entity_key(entity.kind, std::tuple(text, number));
      break;
    default:
      entity.key = entity_key(entity.kind, std::tuple(text, number, adversarial_text(generator)));
  }
  entity.records = {main_key(entity.key)};
  for (int i = 0; i < 3; ++i) {
    entity.records.push_back(
        shard_key(entity.key, adversarial_text(generator), static_cast<std::uint16_t>(generator())));
  }
  return entity;
}

TEST(Keys, OfDifferentEntitiesNeverMix) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 100'000; ++i) {
    const Entity a = adversarial_entity(generator), b = adversarial_entity(generator);
    if (a.key == b.key) continue;
    ASSERT_FALSE(b.key.has_record(a.key.bytes())) << describe(a.key) << " and " << describe(b.key);
    const auto [first, last] = std::minmax_element(a.records.begin(), a.records.end());
    for (const RecordKey& record : b.records) {
      ASSERT_TRUE(record < *first || record > *last) << describe(a.key) << " and " << describe(b.key);
      ASSERT_FALSE(record >= main_key(a.key) && record < end_key(a.key));
    }
  }
}

TEST(Keys, OfAnEntityBeginWithItsMainRecord) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 10'000; ++i) {
    const Entity entity = adversarial_entity(generator);
    for (const RecordKey& record : entity.records) {
      ASSERT_GE(record, entity.records.front());
      ASSERT_LT(record, end_key(entity.key));
    }
  }
}

TEST(Keys, LeaveTheStoreItsOwn) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 10'000; ++i)
    ASSERT_FALSE(adversarial_entity(generator).key.bytes().starts_with(std::string(2, '\0')));
}

TEST(Keys, TellWhatAShardIsOf) {
  const EntityKey key = entity_key("Kind", std::string(3, '\0'));
  const RecordKey record = shard_key(key, "votes", 65534);
  const std::optional<ShardKey> shard = read_shard_key(key, record);
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->property, "votes");
  EXPECT_EQ(shard->shard, 65534);
  EXPECT_FALSE(read_shard_key(key, main_key(key)));
  EXPECT_FALSE(read_shard_key(key, key.bytes()));
  for (std::size_t missing = 1; missing < record.size() - key.bytes().size(); ++missing)
    EXPECT_FALSE(read_shard_key(key, std::string_view(record).substr(0, record.size() - missing)));
}

TEST(Keys, OfDeltasAreNewAndStandBehindTheShardsInTheirOrder) {
  const EntityKey key = entity_key("Kind", 7);
  RecordKey delta, before = shard_key(key, "votes", 65534);
  for (int i = 0; i < 10'000; ++i) {
    delta.set_delta(key, "votes");
    ASSERT_LT(before, delta);
    ASSERT_LT(delta, end_of_property(key, "votes"));
    before = delta;
  }
  const std::optional<ShardKey> shard = read_shard_key(key, delta);
  ASSERT_TRUE(shard);
  EXPECT_EQ(shard->property, "votes");
  EXPECT_EQ(shard->shard, std::nullopt);
  EXPECT_EQ(describe(delta), "Kind 7, a delta of votes");
  EXPECT_LT(end_of_property(key, "votes"), shard_key(key, "votes2", 0));
}

/// A bucket begins in 1970 or later, and its key ends with that instant.
TEST(Keys, OfBucketsAreReadIfAMapperHasWrittenThem) {
  const EntityKey key = entity_key("Kind", 7);
  const auto read = [&](const RecordKey& record) {
    const std::optional<ShardKey> shard = read_shard_key(key, record);
    EXPECT_TRUE(shard);
    return shard ? read_bucket(*shard) : std::nullopt;
  };
  RecordKey record;
  for (const std::int64_t begin : {std::int64_t{0}, (std::int64_t{1} << 56) - 1}) {  // of 56 bits
    record.set_bucket(key, "clicks", 2, begin);
    EXPECT_EQ(read(record), begin);
  }
  const RecordKey shard = shard_key(key, "clicks", 2);
  EXPECT_EQ(read(shard), std::nullopt);
  EXPECT_EQ(read(RecordKey(shard.bytes(), std::string(7, '\0'))), std::nullopt);
  EXPECT_EQ(read(RecordKey(shard.bytes(), std::string(8, '\xFF'))), std::nullopt) << "before 1970";
  record.set_new_element(key, "clicks", 2);
  EXPECT_EQ(read(record), std::nullopt) << "of a sequence that was there before the window";
  record.set_delta(key, "clicks");
  EXPECT_EQ(read(record), std::nullopt);
}

TEST(Keys, OfNewElementsAreInTheOrderInWhichTheyWereMade) {
  const EntityKey key = entity_key("Kind", 7);
  RecordKey element;
  std::string before;
  for (int i = 0; i < 10'000; ++i) {
    element.set_new_element(key, "posts", static_cast<std::uint16_t>(i % 8));
    ASSERT_LT(shard_key(key, "posts", 0), element);
    ASSERT_LT(element, end_of_property(key, "posts"));
    const std::optional<ShardKey> shard = read_shard_key(key, element);
    ASSERT_TRUE(shard);
    ASSERT_EQ(shard->shard, i % 8);
    ASSERT_LT(before, shard->element);
    before = shard->element;
  }
  EXPECT_EQ(describe(element), "Kind 7, an element of posts");
}

TEST(Keys, OfEqualElementsAreEqual) {
  const EntityKey key = entity_key("Kind", 7);
  const std::string bytes(3, '\0');
  RecordKey element, again;
  element.set_equal_element(key, "readers", bytes);
  again.set_equal_element(key, "readers", bytes);
  EXPECT_EQ(element, again);
  EXPECT_EQ(read_shard_key(key, element).value().element, bytes);
  again.set_equal_element(key, "readers", "another");
  EXPECT_NE(element, again);
  EXPECT_EQ(element.bytes().substr(0, element.size() - bytes.size()),
            shard_key(key, "readers", 0x872C));  // on disk: it must never change
}

TEST(Keys, TellWhichEntityARecordIsOf) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 10'000; ++i) {
    const Entity entity = adversarial_entity(generator);
    for (const RecordKey& record : entity.records) ASSERT_EQ(entity_of(record), entity.key);
  }
  EXPECT_TRUE(entity_of(std::string("\0\0autoshard", 11)).empty());
  EXPECT_TRUE(entity_of("").empty());
}

TEST(Keys, OfEntitiesAreFoundByViews) {
  const EntityKey key = entity_key("Kind", 7);
  const std::string bytes = key.bytes() + "rest";
  const EntityKeyView view = entity_of(bytes);
  EXPECT_EQ(std::hash<EntityKey>()(key), std::hash<EntityKeyView>()(view));
  const std::unordered_map<EntityKey, int, std::hash<EntityKey>, std::equal_to<>> numbers{{key, 1}};
  EXPECT_TRUE(numbers.contains(view));
  EXPECT_FALSE(numbers.contains(entity_key("Kind", 8)));
  EXPECT_TRUE(view.has_record(main_key(key)));
  EXPECT_FALSE(view.has_record(main_key(entity_key("Kind", 8))));
}

TEST(Keys, HoldIdsOfAnyLength) {
  const std::string zeros(1 << 16, '\0');
  const EntityKey key = entity_key("Kind", zeros);
  EXPECT_LT(entity_key("Kind", std::string()), key);
  EXPECT_LT(key, entity_key("Kind", zeros + '\0'));
  EXPECT_NE(describe(key), "");
}

TEST(Keys, AreDescribedInWords) {
  const EntityKey key = entity_key("Question", 42);
  EXPECT_EQ(describe(key), "Question 42");
  EXPECT_EQ(describe(main_key(key)), "Question 42");
  EXPECT_EQ(describe(shard_key(key, "votes", 300)), "Question 42, shard 300 of votes");
  EXPECT_EQ(describe(entity_key("Question", std::numeric_limits<std::int64_t>::min())),
            "Question -9223372036854775808");
  EXPECT_EQ(describe(entity_key("Stock", std::string("a\0\"b", 4))), "Stock \"a\\x00\"b\"");
  EXPECT_EQ(describe(main_key(entity_key("Cart", std::tuple(std::string("ann"), -7)))), "Cart (\"ann\", -7)");
  EXPECT_EQ(describe("xyz\n"), "record xyz\\x0a");
}

TEST(Keys, OfAnyBytesCanBeDescribed) {
  std::mt19937_64 generator = seeded_generator();
  for (int i = 0; i < 100'000; ++i) {
    std::string key = shard_key(adversarial_entity(generator).key, "votes", 1).bytes();
    key[below(generator, key.size())] = static_cast<char>(generator());
    key.resize(below(generator, key.size() + 1));
    ASSERT_NE(describe(key), "");
  }
}

TEST(Keys, OfEndsAreReadIfAMapperHasWrittenThem) {
  const EntityKey entity = entity_key("Kind", std::tuple(std::string("ann"), -7));
  const RecordKey key = expiry_key("Kind", 1'000, entity);
  const std::optional<ExpiryKey> read = read_expiry_key("Kind", key);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->time, 1'000);
  EXPECT_EQ(read->entity, entity);
  for (std::size_t size = 0; size < key.size(); ++size)
    EXPECT_FALSE(read_expiry_key("Kind", std::string_view(key).substr(0, size))) << size;
  EXPECT_FALSE(read_expiry_key("Kind", key.bytes() + '\1'));
}

TEST(Keys, APartIsSkippedHoweverDeepItIs) {
  constexpr std::size_t kDepth = 1'000'000;
  const std::string open(kDepth, '\3'), close(kDepth, '\1');
  std::string key = open + close + "rest";
  std::string_view rest = key;
  skip_part(rest);
  EXPECT_EQ(rest, "rest");
  rest = open;
  EXPECT_THROW(skip_part(rest), CorruptRecord);
}

TEST(Keys, AnIdIsReadWholeOrNotAtAll) {
  const EntityKey key = entity_key("Cart", std::tuple(std::string("ann"), 7, 8));
  EXPECT_EQ((read_id<std::tuple<std::string, int, int>>(key)), std::tuple(std::string("ann"), 7, 8));
  EXPECT_THROW((read_id<std::tuple<std::string, int>>(key)), CorruptRecord);
  EXPECT_THROW(read_id<std::string>(EntityKey(entity_key("Cart", std::string("ann")).bytes() + '\1')),
               CorruptRecord);
  EXPECT_THROW(read_id<int>(entity_key("Cart", std::string("ann"))), CorruptRecord);
  EXPECT_THROW(read_id<std::string>(entity_key("Cart", 7)), CorruptRecord);
  EXPECT_THROW((read_id<std::tuple<std::string, int>>(entity_key("Cart", 7))), CorruptRecord);
  std::string ends_otherwise = key.bytes();
  ends_otherwise.back() = '\2';
  EXPECT_THROW((read_id<std::tuple<std::string, int, int>>(EntityKeyView(ends_otherwise))), CorruptRecord);
}

}  // namespace
}  // namespace autoshard::detail
