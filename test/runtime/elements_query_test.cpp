// Queries by an index of elements: which index they choose, their pages and orders, and entities that expire,
// are damaged, or were written before they had the member.

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "entities/versions/listing/first.autoshard.h"
#include "entities/versions/listing/listing.autoshard.h"
#include "entity_index.h"
#include "keys.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using market::FirstListing;
using market::Listing;
using q = Fields<Listing>;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Tags = std::vector<std::string>;
using namespace std::chrono_literals;

class ElementsQueryTest : public StoreTest {
 protected:
  void save(int number, Tags tags, std::set<int> sizes = {}, std::string seller = "ann") {
    Listing listing(number, "code" + std::to_string(number));
    listing.tags = std::move(tags);
    listing.sizes = std::move(sizes);
    listing.seller = std::move(seller);
    mapper_.save(listing);
  }
  void save(std::initializer_list<int> numbers, const Tags& tags) {
    for (const int number : numbers) save(number, tags);
  }

  template <class Rows>
  static std::vector<int> numbers(const Rows& rows) {
    std::vector<int> numbers;
    for (const Listing& listing : rows) numbers.push_back(listing.number());
    return numbers;
  }
  std::vector<int> numbers(const Condition<Listing>& condition) {
    return numbers(mapper_.query<Listing>(condition));
  }
  std::string explain(const Condition<Listing>& condition) {
    return mapper_.query<Listing>(condition).explain();
  }

  /// Makes an entity unreadable.
  void damage(int number) { put_raw(detail::main_key(detail::entity_key("Listing", number)), "\x93"); }
  void put_raw(std::string_view key, std::string_view value) {
    const auto transaction = store_->begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  const std::string& index_key(std::size_t place) const {
    const detail::EntityType& type = detail::kEntityType<Listing>;
    return detail::find_index(type, type.indexes[place]).key();
  }
  std::size_t entries(std::size_t place) const {
    return records(*store_, index_key(place) + '\0', index_key(place) + '\xFF').size();
  }

  market::Listing::Time now_{1'000'000s};
  Mapper mapper_{*store_, {.compact_every = 0ms, .clock = [this] { return now_; }}};
};
INSTANTIATE_TEST_SUITE_P(Stores, ElementsQueryTest, ::testing::ValuesIn(all_stores()), store_name);

// An entity has any number of elements, one value, and a unique value alone.
TEST_P(ElementsQueryTest, PreferUniqueValuesToValuesToElementsToRanges) {
  save(1, {"red"}, {40}, "bob");
  save(2, {"red"}, {41}, "bob");
  const auto red = q::tags.contains("red");
  EXPECT_THAT(explain(red && q::code == "code2"), HasSubstr("index code: its entries"));
  EXPECT_THAT(explain(red && q::seller == "bob" && q::code == "code2"), HasSubstr("index code: its entries"));
  EXPECT_THAT(explain(red && q::seller == "bob"), HasSubstr("index seller: its entries"));
  EXPECT_THAT(explain(q::seller > "a" && red), HasSubstr("index tags: its entries"));
  EXPECT_THAT(explain(q::code > "a" && red), HasSubstr("index tags: its entries"));
  EXPECT_THAT(explain(red && q::number > 1), HasSubstr("index tags: its entries"));
  EXPECT_THAT(explain(red && q::number == 1), HasSubstr("scan"));
  EXPECT_THAT(numbers(red && q::code == "code2"), ElementsAre(2));
  EXPECT_THAT(numbers(red && q::seller == "bob"), ElementsAre(1, 2));
  EXPECT_THAT(numbers(red && q::number > 1), ElementsAre(2));
}

// In whichever order they are given, and whether one index has both or not. A query that read the many would
// throw.
TEST_P(ElementsQueryTest, WalkOverTheElementThatFewestEntitiesHave) {
  for (int number = 1; number <= 9; ++number) save(number, {"many"});
  save(10, {"many", "few"}, {7});
  save(11, {"few"});
  damage(1);
  const auto many = q::tags.contains("many"), few = q::tags.contains("few"), seven = q::sizes.contains(7);
  EXPECT_THROW(numbers(many), CorruptRecord);
  EXPECT_THAT(numbers(many && few), ElementsAre(10));
  EXPECT_THAT(numbers(few && many), ElementsAre(10));
  EXPECT_THAT(numbers(many && seven), ElementsAre(10));
  EXPECT_THAT(numbers(seven && many && few), ElementsAre(10));
  EXPECT_THAT(numbers(many && q::tags.contains("none")), IsEmpty());
  EXPECT_THAT(numbers(q::number <= 9 && many && few), IsEmpty());
  EXPECT_THAT(explain(seven && many), HasSubstr("index sizes: its entries"));
}

TEST_P(ElementsQueryTest, GoOnAfterEachPage) {
  save({1, 2, 4, 5, 7}, {"a", "b"});
  save({3, 6}, {"b"});
  const auto paged = [&](const auto& query, std::uint64_t limit) {
    std::vector<int> all;
    std::string cursor;
    do {
      const Page<Listing> page = query.limit(limit).after(cursor).page();
      EXPECT_LE(page.rows.size(), limit);
      for (const int number : numbers(page.rows)) all.push_back(number);
      cursor = page.cursor;
    } while (!cursor.empty() && all.size() < 10);
    return all;
  };
  const auto with_a = mapper_.query<Listing>(q::tags.contains("a"));
  const auto of_some = mapper_.query<Listing>(q::tags.contains("a") && q::number > 1 && q::number < 7);
  for (const std::uint64_t limit : {1U, 2U, 5U, 9U}) {
    EXPECT_THAT(paged(with_a, limit), ElementsAre(1, 2, 4, 5, 7)) << limit;
    EXPECT_THAT(paged(of_some, limit), ElementsAre(2, 4, 5)) << limit;
    EXPECT_THAT(paged(with_a.order_by(q::number), limit), ElementsAre(1, 2, 4, 5, 7)) << limit;
    EXPECT_THAT(paged(with_a.order_by(q::number.desc()), limit), ElementsAre(7, 5, 4, 2, 1)) << limit;
    EXPECT_THAT(paged(with_a.order_by(q::seller, q::code.desc()), limit), ElementsAre(7, 5, 4, 2, 1))
        << limit;
  }
  const Page<Listing> page = with_a.limit(2).page();
  EXPECT_THAT([&] { mapper_.query<Listing>(q::tags.contains("b")).after(page.cursor).page(); },
              ::testing::Throws<InvalidCursor>());
}

// All plans by elements have the order of ids, as a scan has.
TEST_P(ElementsQueryTest, GoOnByAnotherElementOrAScan) {
  save({1, 2, 3, 4, 5, 6}, {"a", "b"});
  save(7, {"b"});
  const auto query = mapper_.query<Listing>(q::tags.contains("a") && q::tags.contains("b")).limit(2);
  const Page<Listing> first = query.page();
  EXPECT_THAT(numbers(first.rows), ElementsAre(1, 2));
  save({8, 9}, {"a"});  // now fewer have b
  const Page<Listing> second = query.after(first.cursor).page();
  EXPECT_THAT(numbers(second.rows), ElementsAre(3, 4));
  FirstListing other(10, "other");  // of a program that does not have the index
  mapper_.save(other);
  const std::string explained = query.explain();
  ASSERT_THAT(explained, HasSubstr("scan"));
  constexpr std::string_view kUnused = "index tags is not used";
  EXPECT_THAT(explained, HasSubstr(kUnused));
  EXPECT_EQ(explained.find(kUnused), explained.rfind(kUnused)) << "though both conditions could use it";
  const Page<Listing> third = query.after(second.cursor).page();
  EXPECT_THAT(numbers(third.rows), ElementsAre(5, 6));
  admin::build_indexes<Listing>(mapper_);
  EXPECT_THAT(numbers(query.after(second.cursor).page().rows), ElementsAre(5, 6));
}

TEST_P(ElementsQueryTest, AreSortedIfAnotherOrderIsAskedFor) {
  save(1, {"a"}, {3, 4}, "cleo");
  save(2, {"a"}, {}, "ann");
  save(3, {"b"}, {3}, "ann");
  save(4, {"a"}, {3}, "bob");
  const auto with_a = mapper_.query<Listing>(q::tags.contains("a"));
  EXPECT_THAT(with_a.order_by(q::number).explain(), AllOf(HasSubstr("index tags"), Not(HasSubstr("sort"))));
  EXPECT_THAT(with_a.order_by(q::seller).explain(),
              AllOf(HasSubstr("index tags"), HasSubstr("sort: by seller")));
  EXPECT_THAT(numbers(with_a.order_by(q::seller)), ElementsAre(2, 4, 1));
  EXPECT_THAT(numbers(with_a.order_by(q::seller.desc()).limit(2)), ElementsAre(1, 4));
  EXPECT_THAT(with_a.order_by(q::number.desc()).explain(), HasSubstr("sort"));
  EXPECT_THAT(numbers(with_a.order_by(q::number.desc())), ElementsAre(4, 2, 1));
  // The index has an entity several times, so its order is none of entities.
  EXPECT_THAT(mapper_.query<Listing>().explain(), HasSubstr("scan"));
  EXPECT_THAT(numbers(mapper_.query<Listing>()), ElementsAre(1, 2, 3, 4));
}

TEST_P(ElementsQueryTest, DoNotFindEntitiesThatHaveExpired) {
  Listing ends(1, "ends");
  ends.tags = {"a", "gone"};
  ends.until = now_ + 1s;
  mapper_.save(ends);
  save(2, {"a"});
  EXPECT_THAT(numbers(q::tags.contains("a")), ElementsAre(1, 2));
  now_ += 1s;
  EXPECT_THAT(numbers(q::tags.contains("a")), ElementsAre(2));
  EXPECT_THAT(numbers(mapper_.query<Listing>(q::tags.contains("a")).limit(1)), ElementsAre(2));
  EXPECT_EQ(entries(0), 3U);
  save(1, {"anew"});
  EXPECT_THAT(numbers(q::tags.contains("gone")), IsEmpty());
  EXPECT_EQ(entries(0), 2U) << "those of the entity that has expired are gone";
  Listing again = mapper_.load<Listing>(1).value();
  again.until = now_ + 1s;
  mapper_.save(again);
  now_ += 1s;
  admin::compact(mapper_);
  EXPECT_EQ(entries(0), 1U);
  EXPECT_THAT(numbers(q::tags.contains("a")), ElementsAre(2));
}

TEST_P(ElementsQueryTest, DamageConcernsTheElementsOfTheDamagedEntity) {
  save(1, {"a", "b"}, {1, 2});
  save(2, {"b", "c"});
  damage(1);
  EXPECT_THROW(numbers(q::tags.contains("a")), CorruptRecord);
  EXPECT_THROW(numbers(q::tags.contains("b")), CorruptRecord);
  EXPECT_THAT(numbers(q::tags.contains("c")), ElementsAre(2));
  EXPECT_THROW(admin::rebuild_indexes<Listing>(mapper_), CorruptRecord);
  EXPECT_TRUE(mapper_.erase<Listing>(1));
  EXPECT_EQ(entries(0), 2U) << "an erase looks for the entries of a damaged entity";
  EXPECT_EQ(entries(1), 0U);
  admin::rebuild_indexes<Listing>(mapper_);
  EXPECT_THAT(numbers(q::tags.contains("b")), ElementsAre(2));
}

TEST_P(ElementsQueryTest, ADamagedEntryLeadsNowhereAndIsRemovedByABuild) {
  save(1, {"a"});
  put_raw(index_key(0) + std::string("\2a\0\1nonsense", 12), "\xC0");
  put_raw(index_key(0) + "nonsense", "\xC0");
  EXPECT_THAT(numbers(q::tags.contains("a")), ElementsAre(1));
  admin::rebuild_indexes<Listing>(mapper_);
  EXPECT_THAT(numbers(q::tags.contains("a")), ElementsAre(1));
  EXPECT_EQ(entries(0), 1U);
}

// A main record that lacks the member has the elements of its default.
TEST_P(ElementsQueryTest, FindTheDefaultOfAnEarlierVersion) {
  for (const int number : {1, 2}) {
    FirstListing first(number, "code" + std::to_string(number));
    mapper_.save(first);
  }
  EXPECT_THAT(numbers(q::tags.contains("new")), ElementsAre(1, 2)) << "by a scan";
  EXPECT_EQ(admin::build_indexes<Listing>(mapper_), 2U);
  EXPECT_THAT(explain(q::tags.contains("new")), HasSubstr("index tags: its entries"));
  EXPECT_THAT(numbers(q::tags.contains("new")), ElementsAre(1, 2));
  std::string main;
  ASSERT_TRUE(store_->snapshot()->get(detail::main_key(detail::entity_key("Listing", 1)), main));
  EXPECT_THAT(main, HasSubstr("\xA4tags\x91\xA3new")) << "whatever the default will be";
  Listing changed = mapper_.load<Listing>(1).value();
  changed.tags = {"old"};
  mapper_.save(changed);
  EXPECT_THAT(numbers(q::tags.contains("new")), ElementsAre(2));
  EXPECT_TRUE(mapper_.erase<Listing>(2));
  EXPECT_EQ(entries(0), 1U);
}

}  // namespace
}  // namespace autoshard::test
