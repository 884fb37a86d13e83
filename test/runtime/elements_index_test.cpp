// Indexes of what collections contain.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "entities/versions/bookmark/bookmark.autoshard.h"
#include "entities/versions/bookmark/plain.autoshard.h"
#include "entity_index.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using Bookmark = reading::Bookmark;
using Earlier = reading::PlainBookmark;
using q = Fields<Bookmark>;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;
using Tags = std::vector<std::string>;

class ElementsIndexTest : public StoreTest {
 protected:
  static Bookmark bookmark(int number, Tags tags, std::set<std::uint16_t> years = {}) {
    Bookmark bookmark(number);
    bookmark.tags = std::move(tags);
    bookmark.years = std::move(years);
    return bookmark;
  }
  void save(Bookmark bookmark) { mapper_.save(bookmark); }

  static std::vector<int> numbers(const Query<Bookmark>& query) {
    std::vector<int> numbers;
    for (const Bookmark& bookmark : query) numbers.push_back(bookmark.number());
    return numbers;
  }
  Query<Bookmark> with(const std::string& tag) { return mapper_.query<Bookmark>(q::tags.contains(tag)); }

  /// Whether each element of each bookmark has its entry, and there are no others.
  void expect_right() {
    const detail::EntityType& type = detail::kEntityType<Bookmark>;
    std::map<std::string, std::set<std::string>> expected, found;  // by the keys of indexes
    for (const Bookmark& bookmark : other_.query<Bookmark>()) {
      const auto expect = [&](std::size_t place, const auto& element) {
        std::string key = detail::find_index(type, type.indexes[place]).key();
        std::string entry = key;
        detail::append_id(entry, element);
        expected[key].insert(entry.append(detail::id_in(detail::entity_key("Bookmark", bookmark.number()))));
      };
      for (const std::string& tag : bookmark.tags) expect(0, tag);
      for (const std::uint16_t year : bookmark.years) expect(1, year);
      for (const auto& [voter, vote] : bookmark.votes) expect(2, voter);
      expect(3, bookmark.hash);
      for (const unsigned char mark : bookmark.marks) expect(4, mark);
    }
    for (const detail::IndexType& declared : type.indexes) {
      const std::string key = detail::find_index(type, declared).key();
      for (const auto& [entry, value] : records(*store_, key + '\0', key + '\xFF')) {
        found[key].insert(entry);
        EXPECT_EQ(value, "\xC0");
      }
    }
    EXPECT_EQ(found, expected);
  }

  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, {.compact_every = std::chrono::milliseconds(0)}};
  Mapper other_{*store_, {.compact_every = std::chrono::milliseconds(0)}};
};
INSTANTIATE_TEST_SUITE_P(Stores, ElementsIndexTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(ElementsIndexTest, AnswersWhatContainsAnElement) {
  save(bookmark(1, {"c++", "clang"}));
  save(bookmark(2, {"rust"}));
  save(bookmark(3, {"c++", "rocksdb", "c++"}));
  save(bookmark(4, {}));
  EXPECT_THAT(with("c++").explain(), HasSubstr("index tags: its entries that can match by tags"));
  EXPECT_THAT(numbers(with("c++")), ElementsAre(1, 3)) << "each once, in the order of ids";
  EXPECT_THAT(numbers(with("rust")), ElementsAre(2));
  EXPECT_THAT(numbers(with("c")), IsEmpty());
  EXPECT_EQ(with("c++").count(), 2U);
  EXPECT_THAT(numbers(with("c++").limit(1)), ElementsAre(1));
  EXPECT_THAT(numbers(mapper_.query<Bookmark>(q::tags.contains("c++") && q::number > 1)), ElementsAre(3));
  expect_right();
}

TEST_P(ElementsIndexTest, AnswersForSetsAndTheKeysOfMaps) {
  save(bookmark(1, {}, {2014, 2024}));
  Bookmark voted(2);
  voted.votes = {{"ann", 1}, {"bob", 5}};
  save(voted);
  const auto of_year = mapper_.query<Bookmark>(q::years.contains(2024));
  EXPECT_THAT(of_year.explain(), HasSubstr("index years"));
  EXPECT_THAT(numbers(of_year), ElementsAre(1));
  const auto by_bob = mapper_.query<Bookmark>(q::votes.contains("bob"));
  EXPECT_THAT(by_bob.explain(), HasSubstr("index votes"));
  EXPECT_THAT(numbers(by_bob), ElementsAre(2));
  EXPECT_THAT(numbers(mapper_.query<Bookmark>(q::years.contains(70'000))), IsEmpty());
  expect_right();
}

// Each of two elements may be another one.
TEST_P(ElementsIndexTest, SeveralConditionsHoldTogether) {
  save(bookmark(1, {"a", "b"}));
  save(bookmark(2, {"a"}));
  save(bookmark(3, {"b"}));
  const auto query = [&](const Condition<Bookmark>& condition) { return mapper_.query<Bookmark>(condition); };
  const auto a = q::tags.contains("a"), b = q::tags.contains("b");
  EXPECT_THAT(numbers(query(a && b)), ElementsAre(1));
  EXPECT_THAT(query(a && b).explain(), HasSubstr("index tags"));
  EXPECT_THAT(numbers(query(a || b)), ElementsAre(1, 2, 3));
  EXPECT_THAT(query(a || b).explain(), HasSubstr("scan"));
  EXPECT_THAT(numbers(query(!a)), ElementsAre(3));
  EXPECT_THAT(numbers(query(a && !b)), ElementsAre(2));
  EXPECT_THAT(numbers(query(q::tags == Tags{"a"})), ElementsAre(2));
}

// An array of bytes is a key as a whole, and a collection.
TEST_P(ElementsIndexTest, IsNotTakenForAnIndexOfWholeValuesNorTheOtherWayRound) {
  Bookmark one(1), other(2);
  one.hash = one.marks = {1, 2, 3, 4};
  other.hash = other.marks = {5, 6, 7, 8};
  save(one);
  save(other);
  EXPECT_THAT(numbers(mapper_.query<Bookmark>(q::hash.contains(2))), ElementsAre(1));
  EXPECT_THAT(numbers(mapper_.query<Bookmark>(q::hash == other.hash)), ElementsAre(2));
  EXPECT_THAT(numbers(mapper_.query<Bookmark>(q::hash == one.hash && q::hash.contains(3))), ElementsAre(1));
  EXPECT_THAT(numbers(mapper_.query<Bookmark>(q::marks.contains(6))), ElementsAre(2));
  EXPECT_THAT(numbers(mapper_.query<Bookmark>(q::marks == one.marks)), ElementsAre(1));
  EXPECT_THAT(numbers(mapper_.query<Bookmark>(q::marks == one.marks && q::marks.contains(6))), IsEmpty());
  expect_right();
}

TEST_P(ElementsIndexTest, FollowsSavesAndErases) {
  save(bookmark(1, {"a", "b"}));
  Bookmark changed = mapper_.load<Bookmark>(1).value();
  changed.tags = {"b", "c", "c"};
  mapper_.save(changed);
  expect_right();
  EXPECT_THAT(numbers(with("a")), IsEmpty());
  EXPECT_THAT(numbers(with("c")), ElementsAre(1));
  mapper_.transact([](EntityTransaction& transaction) {
    Bookmark bookmark = transaction.load<Bookmark>(1).value();
    bookmark.tags = {"d"};
    transaction.save(bookmark);
  });
  EXPECT_THAT(numbers(with("d")), ElementsAre(1));
  expect_right();
  EXPECT_TRUE(mapper_.erase<Bookmark>(1));
  EXPECT_THAT(numbers(with("d")), IsEmpty());
  expect_right();
}

TEST_P(ElementsIndexTest, ASaveWritesTheEntriesOfNewElementsOnly) {
  save(bookmark(1, {"a", "b", "c"}));
  FaultyStore watched(*store_);
  Mapper mapper(watched);
  Bookmark changed = mapper.load<Bookmark>(1).value();
  changed.tags.emplace_back("d");
  mapper.save(changed);
  EXPECT_EQ(watched.most_writes(), 2U) << "the main record and an entry";
  expect_right();
}

TEST_P(ElementsIndexTest, SaysWhichElementIsTooLong) {
  faulty_.limit_keys(100);
  Bookmark wrong = bookmark(1, {"short", std::string(100, 'l')});
  EXPECT_THAT([&] { mapper_.save(wrong); },
              ThrowsMessage<KeyTooLong>(
                  AllOf(HasSubstr("the entry of Bookmark 1 in index tags needs a key of"),
                        HasSubstr("choose a shorter element of tags than \"lllllllllllllllllll"))));
  EXPECT_EQ(records(*store_, "\2", "\3").size(), 0U);
}

TEST_P(ElementsIndexTest, IsBuiltForEntitiesThatWereThere) {
  for (int number = 1; number <= 3; ++number) {
    Earlier earlier(number);
    earlier.tags = {"all", std::to_string(number)};
    mapper_.save(earlier);
  }
  EXPECT_THAT(with("all").explain(), HasSubstr("index tags is not used"));
  EXPECT_THAT(numbers(with("all")), ElementsAre(1, 2, 3));
  EXPECT_EQ(admin::build_indexes<Bookmark>(mapper_), 3U);
  EXPECT_THAT(with("all").explain(), HasSubstr("index tags: "));
  EXPECT_THAT(numbers(with("all")), ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(with("2")), ElementsAre(2));
  expect_right();
}

TEST_P(ElementsIndexTest, ABuildRemovesWhatNoEntityHas) {
  save(bookmark(1, {"a"}));
  Earlier earlier = mapper_.load<Earlier>(1).value();
  earlier.tags = {"b"};
  mapper_.save(earlier);  // and gives the index up
  const std::string key =
      detail::find_index(detail::kEntityType<Bookmark>, detail::kEntityType<Bookmark>.indexes[0]).key();
  const auto transaction = store_->begin();
  for (const std::string& entry : {std::string("\2lost\0\1\x15\7", 9), std::string("nonsense")})
    transaction->put(key + entry, "\xC0");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(admin::build_indexes<Bookmark>(mapper_), 1U);
  EXPECT_THAT(numbers(with("b")), ElementsAre(1));
  expect_right();
}

// FORMAT.md: the bytes are those of other versions, too.
TEST_P(ElementsIndexTest, LiesWhereTheFormatSays) {
  save(bookmark(7, {"c++"}));
  const std::string key =
      detail::find_index(detail::kEntityType<Bookmark>, detail::kEntityType<Bookmark>.indexes[0]).key();
  EXPECT_THAT(key, ::testing::StartsWith(std::string("\0\2"
                                                     "Bookmark\0\1"
                                                     "tags\0\1",
                                                     18)));
  std::string value;
  EXPECT_TRUE(store_->snapshot()->get(key + std::string("\2c++\0\1\x15\7", 8), value));
  EXPECT_EQ(value, "\xC0");
}

TEST_P(ElementsIndexTest, HoldsWhateverIsSaved) {
  std::mt19937_64 generator = seeded_generator();
  std::uniform_int_distribution<int> number(1, 6), dice(0, 99), size(0, 4), letter('a', 'd');
  std::map<int, Tags> model;
  for (int step = 0; step < 300; ++step) {
    const int id = number(generator);
    Tags tags;
    for (int i = size(generator); i > 0; --i) tags.emplace_back(1, static_cast<char>(letter(generator)));
    const int kind = dice(generator);
    if (kind < 15) {
      EXPECT_EQ(mapper_.erase<Bookmark>(id), model.erase(id) > 0);
    } else if (kind < 25) {
      Earlier earlier = mapper_.load<Earlier>(id).value_or(Earlier(id));
      earlier.tags = model[id] = tags;
      mapper_.save(earlier);
      admin::build_indexes<Bookmark>(mapper_);
    } else if (kind < 50) {
      mapper_.transact([&](EntityTransaction& transaction) {
        Bookmark bookmark = transaction.load<Bookmark>(id).value_or(Bookmark(id));
        bookmark.tags = tags;
        transaction.save(bookmark);
      });
      model[id] = tags;
    } else {
      Bookmark bookmark = mapper_.load<Bookmark>(id).value_or(Bookmark(id));
      bookmark.tags = model[id] = tags;
      mapper_.save(bookmark);
    }
    const std::string tag(1, static_cast<char>(letter(generator)));
    std::vector<int> expected;
    for (const auto& [its_id, its_tags] : model) {
      if (std::ranges::find(its_tags, tag) != its_tags.end()) expected.push_back(its_id);
    }
    ASSERT_EQ(numbers(with(tag)), expected) << "step " << step << ", tag " << tag;
  }
  expect_right();
}

}  // namespace
}  // namespace autoshard::test
