#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "entities/types/note.autoshard.h"
#include "keys.h"
#include "mapper_fixture.h"
#include "query_fixture.h"

namespace autoshard::test {
namespace {

using cinema::Day;
using cinema::Genre;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace std::chrono_literals;
using f = Fields<Film>;

TEST_P(QueryTest, GivesEveryEntityOfAClassInTheOrderOfIds) {
  EXPECT_THAT(codes(mapper_.query<Film>()), IsEmpty());
  film("b"), film("a"), film("c");
  save();
  mapper_.save(shop::Note(7));
  EXPECT_THAT(codes(mapper_.query<Film>()), ElementsAre("a", "b", "c"));
}

TEST_P(QueryTest, ComparesWhatTheMainRecordHolds) {
  film("a").year = 1950;
  film("b").year = 1960;
  film("c").year = 1970;
  save();
  EXPECT_THAT(codes(f::year == 1960), ElementsAre("b"));
  EXPECT_THAT(codes(f::year != 1960), ElementsAre("a", "c"));
  EXPECT_THAT(codes(f::year < 1960), ElementsAre("a"));
  EXPECT_THAT(codes(f::year <= 1960), ElementsAre("a", "b"));
  EXPECT_THAT(codes(f::year > 1960), ElementsAre("c"));
  EXPECT_THAT(codes(f::year >= 1960), ElementsAre("b", "c"));
  EXPECT_THAT(codes(f::year.between(1955, 1965)), ElementsAre("b"));
  EXPECT_THAT(codes(f::year.in({1950, 1970, 1990})), ElementsAre("a", "c"));
  EXPECT_THAT(codes(f::year > 1950 && f::year < 1970), ElementsAre("b"));
  EXPECT_THAT(codes(f::year == 1950 || f::year == 1970), ElementsAre("a", "c"));
  EXPECT_THAT(codes(!(f::year == 1950)), ElementsAre("b", "c"));
  EXPECT_THAT(codes(!Condition<Film>()), IsEmpty());
}

TEST_P(QueryTest, ComparesNumbersOfDifferentTypesByValue) {
  film("a").year = -1;
  film("b").year = 2;
  save();
  EXPECT_THAT(codes(f::year < 1U), ElementsAre("a")) << "-1 is no large number";
  EXPECT_THAT(codes(f::year < std::numeric_limits<std::uint64_t>::max()), ElementsAre("a", "b"));
  EXPECT_THAT(codes(f::year > 1.5), ElementsAre("b"));
  EXPECT_THAT(codes(f::length == 0), ElementsAre("a", "b"));
}

TEST_P(QueryTest, ComparesOtherTypes) {
  Film& one = film("a");
  one.title = "Vertigo";
  one.genre = Genre::kThriller;
  one.subtitled = true;
  one.studio = "Paramount";
  one.tags = {"spiral", "tower"};
  one.cast = {{"Stewart", 1}, {"Novak", 2}};
  one.released = Day(std::chrono::year(1958) / 5 / 9);
  film("b").title = "Very short";
  save();
  EXPECT_THAT(codes(f::title == "Vertigo"), ElementsAre("a"));
  EXPECT_THAT(codes(f::title.starts_with("Ver")), ElementsAre("a", "b"));
  EXPECT_THAT(codes(f::title.starts_with("Vert")), ElementsAre("a"));
  EXPECT_THAT(codes(f::genre == Genre::kThriller), ElementsAre("a"));
  EXPECT_THAT(codes(f::subtitled == true), ElementsAre("a"));
  EXPECT_THAT(codes(f::studio == "Paramount"), ElementsAre("a"));
  EXPECT_THAT(codes(f::studio == std::nullopt), ElementsAre("b"));
  EXPECT_THAT(codes(f::tags.contains("tower")), ElementsAre("a"));
  EXPECT_THAT(codes(f::tags.contains("towers")), IsEmpty());
  EXPECT_THAT(codes(f::cast.contains("Novak")), ElementsAre("a"));
  EXPECT_THAT(codes(f::released < Day(std::chrono::year(1958) / 12 / 31)), ElementsAre("a"));
}

TEST_P(QueryTest, FoldsShardsAndDeltas) {
  film("a"), film("b"), film("c");
  save();
  Mapper random(*store_, {.choice = ShardChoice::kRandom, .combine = false, .compact_every = 0ms});
  for (int i = 0; i < 60; ++i) random.apply<&Film::view>("b", 1L);
  for (int i = 0; i < 40; ++i) random.apply<&Film::view>("c", 1L);
  for (const int points : {3, 5, 4}) random.apply<&Film::rate>("c", points);
  EXPECT_THAT(codes(f::viewers > 50), ElementsAre("b"));
  EXPECT_THAT(codes(f::viewers == 40 && f::best == 5), ElementsAre("c"));
  EXPECT_THAT(codes(mapper_.query<Film>().order_by(f::viewers.desc())), ElementsAre("b", "c", "a"));
  admin::set_shards<Film>(random, "b", "viewers", 0);
  random.apply<&Film::view>("b", 1L);
  EXPECT_THAT(codes(f::viewers == 61), ElementsAre("b"));
}

TEST_P(QueryTest, SeesWhatIsBuffered) {
  film("a");
  save();
  Mapper buffered(*store_, {.durability = durability::buffered{1h}, .compact_every = 0ms});
  buffered.apply<&Film::view>("a", 7L);
  EXPECT_EQ(buffered.query<Film>(f::viewers == 7).count(), 1u);
}

TEST_P(QueryTest, GivesWholeEntitiesThatCanBeSaved) {
  Film& one = film("a");
  one.title = "Vertigo";
  one.tags = {"tower"};
  one.view(3);
  one.rate(9);
  save();
  for (Film& found : mapper_.query<Film>(f::viewers == 3)) {
    EXPECT_EQ(found.title, "Vertigo");
    EXPECT_EQ(found.tags, std::set<std::string>{"tower"});
    EXPECT_EQ(found.best(), 9);
    found.year = 1958;
    found.view(2);
    mapper_.save(found);
  }
  const Film saved = mapper_.load<Film>("a").value();
  EXPECT_EQ(saved.year, 1958);
  EXPECT_EQ(saved.viewers(), 5);
}

TEST_P(QueryTest, SortsBySeveralFieldsAndAtLastByIds) {
  const auto add = [&](const std::string& code, int year, const std::string& title, double length) {
    Film& added = film(code);
    added.year = year;
    added.title = title;
    added.length = length;
  };
  add("a", 1960, "b", -1.5);
  add("b", 1960, "ba", 2);
  add("c", -5, "b", 0.25);
  add("d", 1960, "b", -0.25);
  save();
  const Query<Film> query = mapper_.query<Film>();
  EXPECT_THAT(codes(query.order_by(f::year)), ElementsAre("c", "a", "b", "d"));
  EXPECT_THAT(codes(query.order_by(f::year.desc())), ElementsAre("a", "b", "d", "c"));
  EXPECT_THAT(codes(query.order_by(f::title)), ElementsAre("a", "c", "d", "b"));
  EXPECT_THAT(codes(query.order_by(f::title.desc())), ElementsAre("b", "a", "c", "d"));
  EXPECT_THAT(codes(query.order_by(f::length)), ElementsAre("a", "d", "c", "b"));
  EXPECT_THAT(codes(query.order_by(f::title.desc(), f::length)), ElementsAre("b", "a", "d", "c"));
  EXPECT_THAT(codes(query.order_by(f::year.desc(), f::title.asc(), f::length.desc())),
              ElementsAre("d", "a", "b", "c"));
  EXPECT_THAT(codes(query.order_by(f::year).limit(2)), ElementsAre("c", "a"));
  EXPECT_THAT(codes(query.order_by(f::year).limit(0)), IsEmpty());
  EXPECT_THAT(codes(query.order_by(f::code.desc()).limit(3)), ElementsAre("d", "c", "b"));
}

TEST_P(QueryTest, PagesUntilTheEnd) {
  for (int i = 0; i < 10; ++i) film(std::string(1, static_cast<char>('a' + i))).year = i % 3;
  save();
  const Query<Film> unsorted = mapper_.query<Film>(f::code != "e").limit(4);
  for (const Query<Film>& query : {unsorted, unsorted.order_by(f::year.desc(), f::length)}) {
    std::vector<std::string> paged;
    std::string cursor;
    std::size_t pages = 0;
    do {
      const Page<Film> page = query.after(cursor).page();
      EXPECT_LE(page.rows.size(), 4u);
      for (const Film& row : page.rows) paged.push_back(row.code());
      cursor = page.cursor;
    } while (!cursor.empty() && ++pages < 10);
    EXPECT_EQ(paged, codes(query.limit(100)));
    EXPECT_EQ(paged.size(), 9u);
  }
  EXPECT_EQ(mapper_.query<Film>().page().cursor, "");
}

TEST_P(QueryTest, RefusesTheCursorOfAnotherQuery) {
  film("a"), film("b");
  save();
  const std::string cursor = mapper_.query<Film>(f::year == 0).limit(1).page().cursor;
  const auto refused = [&](const Query<Film>& query, const std::string& what) {
    try {
      query.page();
      ADD_FAILURE() << "accepted by " << query.explain();
    } catch (const InvalidCursor& error) {
      EXPECT_THAT(error.what(), HasSubstr(what));
    }
  };
  EXPECT_EQ(mapper_.query<Film>(f::year == 0).after(cursor).page().rows.size(), 1u);
  refused(mapper_.query<Film>(f::year == 1).after(cursor), "belongs to another query than this");
  refused(mapper_.query<Film>(f::year == 0).order_by(f::year).after(cursor),
          "belongs to another query than this");
  refused(mapper_.query<Film>(f::year == 0).after("hello"), "is not a cursor of this query");
  for (std::size_t size = 1; size < cursor.size(); ++size)
    refused(mapper_.query<Film>(f::year == 0).after(cursor.substr(0, size)), "query");
}

TEST_P(QueryTest, SelectsFields) {
  Film& one = film("a");
  one.title = "Vertigo";
  one.view(3);
  film("b");
  save();
  const auto query = mapper_.query<Film>(f::viewers > 0).select(f::title, f::viewers, f::code);
  EXPECT_THAT(query.page().rows, ElementsAre(std::tuple("Vertigo", 3L, "a")));
  EXPECT_EQ(query.count(), 1u);
}

TEST_P(QueryTest, DecodesNothingThatIsNotSelected) {
  film("a").year = 7;
  save();
  const detail::RecordKey key = detail::main_key(detail::entity_key("Film", std::string("a")));
  std::string record;
  ASSERT_TRUE(store_->snapshot()->get(key, record));
  const std::size_t title = record.find("title");
  ASSERT_NE(title, record.npos);
  record[title + 5] = '\xC3';  // `true`, where a text should be
  const auto transaction = store_->begin();
  transaction->put(key, record);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_THAT(mapper_.query<Film>(f::year == 7).select(f::year).page().rows, ElementsAre(std::tuple(7)));
  EXPECT_EQ(mapper_.query<Film>(f::year == 7).count(), 1u);
  EXPECT_THROW(mapper_.query<Film>(f::year == 7).page(), CorruptRecord);
}

TEST_P(QueryTest, CountsAndErasesWhatMatches) {
  for (int i = 0; i < 6; ++i) film(std::string(1, static_cast<char>('a' + i))).year = i;
  save();
  const Query<Film> old = mapper_.query<Film>(f::year < 4);
  EXPECT_EQ(old.count(), 4u);
  EXPECT_EQ(old.limit(3).count(), 3u);
  EXPECT_EQ(old.order_by(f::year.desc()).limit(1).erase(), 1u);
  EXPECT_THAT(codes(mapper_.query<Film>()), ElementsAre("a", "b", "c", "e", "f"));
  EXPECT_EQ(old.erase(), 3u);
  EXPECT_EQ(old.erase(), 0u);
  EXPECT_THAT(codes(mapper_.query<Film>()), ElementsAre("e", "f"));
}

TEST_P(QueryTest, DoesNotEraseWhatWasSavedMeanwhile) {
  film("a"), film("b");
  save();
  FaultyStore faulty(*store_);
  Mapper erasing(faulty, {.compact_every = 0ms});
  faulty.before_commit([&](int nth) {
    if (nth == 1) {
      films_[0].year = 1;
      mapper_.save(films_[0]);
    }
    return Fate::kCommits;
  });
  EXPECT_EQ(erasing.query<Film>(f::year == 0).erase(), 1u);
  EXPECT_THAT(codes(mapper_.query<Film>()), ElementsAre("a"));
}

TEST_P(QueryTest, PassesOverWhatErasesLeave) {
  film("a"), film("b");
  save();
  const detail::EntityKey key = detail::entity_key("Film", std::string("a"));
  const auto transaction = store_->begin();
  transaction->put(detail::main_key(key), "\xC0");  // an erase that was cut short
  transaction->put(detail::shard_key(key, "viewers", 1), "\x91\x05");
  transaction->put(detail::shard_key(detail::entity_key("Film", std::string("aa")), "viewers", 1),
                   "\x91\x05");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_THAT(codes(mapper_.query<Film>()), ElementsAre("b"));
  EXPECT_THAT(codes(mapper_.query<Film>().order_by(f::viewers)), ElementsAre("b"));
}

TEST_P(QueryTest, ReadsOnlyIdsThatCanMatch) {
  for (const std::string code : {"a", "ab", "b", "c"}) film(code);
  save();
  // A record that nobody may read: it is not what it should be.
  const auto transaction = store_->begin();
  transaction->put(detail::main_key(detail::entity_key("Film", std::string("b"))), "\x93");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_THROW(codes(f::year == 0), CorruptRecord);
  EXPECT_THAT(codes(f::code == "c"), ElementsAre("c"));
  EXPECT_THAT(codes(f::code < "b"), ElementsAre("a", "ab"));
  EXPECT_THAT(codes(f::code > "b"), ElementsAre("c"));
  EXPECT_THAT(codes(f::code.starts_with("a") && f::year == 0), ElementsAre("a", "ab"));
  EXPECT_THAT(codes(f::code.in({"a", "ab"})), ElementsAre("a", "ab"));
  EXPECT_THAT(codes(f::code == "a" || f::code == "ab"), ElementsAre("a", "ab"));
  EXPECT_THROW(codes(!(f::code == "c")), CorruptRecord);
  EXPECT_THAT(codes(f::code.in(std::vector<std::string>())), IsEmpty());
}

TEST_P(QueryTest, FindsNumericIdsByRange) {
  for (const long number : {-70'000L, -1L, 0L, 5L, 300L}) mapper_.save(shop::Note(number));
  const auto numbers = [&](const Condition<shop::Note>& condition) {
    std::vector<long> found;
    for (const auto& [number] : mapper_.query<shop::Note>(condition).select(Fields<shop::Note>::number))
      found.push_back(number);
    return found;
  };
  using n = Fields<shop::Note>;
  EXPECT_THAT(numbers(n::number < 0), ElementsAre(-70'000, -1));
  EXPECT_THAT(numbers(n::number >= 0 && n::number <= 5), ElementsAre(0, 5));
  EXPECT_THAT(numbers(n::number > 4.5), ElementsAre(5, 300));
  EXPECT_THAT(numbers(n::number < std::numeric_limits<std::uint64_t>::max()),
              ElementsAre(-70'000, -1, 0, 5, 300));
}

TEST_P(QueryTest, FieldsCompareWithEachOther) {
  film("a").year = 1931;
  film("b").length = 90.5;
  film("c").year = 5;
  films_[0].view(1931);
  films_[1].view(7);
  films_[2].view(4);
  films_[2].length = 5;
  save();
  EXPECT_THAT(codes(f::viewers == f::year), ElementsAre("a"));
  EXPECT_THAT(codes(f::viewers != f::year), ElementsAre("b", "c"));
  EXPECT_THAT(codes(f::viewers > f::year), ElementsAre("b"));
  EXPECT_THAT(codes(f::viewers >= f::year), ElementsAre("a", "b"));
  EXPECT_THAT(codes(f::viewers < f::year), ElementsAre("c"));
  EXPECT_THAT(codes(f::length <= f::viewers), ElementsAre("a"));
  EXPECT_THAT(codes(f::year == f::length && f::viewers < f::length), ElementsAre("c"));
  EXPECT_THAT(codes(f::title == f::code), IsEmpty());
  EXPECT_THAT(codes(f::code == f::code), ElementsAre("a", "b", "c"));
  EXPECT_THAT(mapper_.query<Film>(f::viewers > f::year).explain(),
              HasSubstr("Film where viewers > year\n  scan: the main record and the shards of every Film, in "
                        "the order of ids; decides by viewers, year, without an index"));
}

TEST_P(QueryTest, ExplainsItself) {
  EXPECT_EQ(
      mapper_.query<Film>(f::viewers > 50 && (f::title == "a \"b\"" || f::year == 7))
          .order_by(f::viewers.desc(), f::title)
          .limit(20)
          .explain(),
      "Film where viewers > 50 && (title == \"a \\\"b\\\"\" || year == 7)\n"
      "  scan: the main record and the shards of every Film, in the order of ids; decides by viewers, title, "
      "year, without an index\n"
      "  [[autoshard::index]] on viewers would avoid the scan\n"
      "  sort: by viewers descending, title; keeps the ids of the first 20\n"
      "  row: the whole entity\n");
  EXPECT_EQ(
      mapper_.query<Film>(f::code < "m").select(f::title).explain(),
      "Film where code < \"m\"\n"
      "  scan: the main record and the shards of every Film whose id can match, in the order of ids; decides "
      "by code, without an index\n"
      "  row: title\n");
}

INSTANTIATE_TEST_SUITE_P(Stores, QueryTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
