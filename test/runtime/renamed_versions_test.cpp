// Sharded numbers that get other names, while programs of earlier versions of the class go on.

#include <autoshard/autoshard.h>
#include <autoshard/codec.h>
#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "entities/versions/tally.h"
#include "keys.h"
#include "main_record.h"
#include "shared_store.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using First = poll::FirstTally;
using Second = poll::SecondTally;
using Third = poll::ThirdTally;
using poll::PlainTally;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using namespace std::chrono_literals;

class RenamedVersionsTest : public StoreTest {
 protected:
  template <class E>
  E load() {
    return mapper_.load<E>(1).value();
  }
  template <class E>
  void vote(int votes) {
    mapper_.update<E>(1, [&](auto& tally) { tally.vote(votes); });
  }
  template <class E>
  void set_votes(int votes) {
    mapper_.update<E>(1, [&](auto& tally) { tally.set_votes(votes); });
  }
  template <class E>
  void view(int times) {
    for (int i = 0; i < times; ++i) mapper_.update<E>(1, [](auto& tally) { tally.view(1); });
  }
  template <class E>
  void sell(std::int64_t seats) {
    mapper_.update<E>(1, [&](auto& tally) { tally.sell(seats); });
  }
  template <class E>
  bool may_sell(std::int64_t seats) {
    try {
      sell<E>(seats);
      return true;
    } catch (const BoundExceeded&) {
      return false;
    }
  }

  std::size_t records_of(std::string_view property) {
    const detail::EntityKey key = detail::entity_key("Tally", 1);
    return records(*store_, detail::shard_key(key, property, 0), detail::end_of_property(key, property))
        .size();
  }

  Mapper mapper_{
      *store_,
      {.choice = ShardChoice::kRandom, .combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}}};
};
INSTANTIATE_TEST_SUITE_P(Stores, RenamedVersionsTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(RenamedVersionsTest, UpdatesByAnEarlierVersionCountAfterAReplacement) {
  mapper_.save(First(1, 5));
  set_votes<Second>(100);
  EXPECT_EQ(load<First>().votes(), 0) << "records under a name that it does not know";
  vote<First>(7);
  EXPECT_EQ(load<First>().votes(), 7);
  EXPECT_EQ(load<Second>().votes(), 107);
  set_votes<Third>(200);
  vote<First>(1);
  vote<Second>(2);
  vote<Third>(3);
  EXPECT_EQ(load<First>().votes(), 1);
  EXPECT_EQ(load<Second>().votes(), 3);
  EXPECT_EQ(load<Third>().votes(), 206);
}

TEST_P(RenamedVersionsTest, AReplacementByAnEarlierVersionVoidsWhatLiesUnderOtherNames) {
  mapper_.save(Second(1, 5));
  vote<First>(1);
  set_votes<Second>(50);
  set_votes<First>(100);
  EXPECT_EQ(load<First>().votes(), 100);
  EXPECT_EQ(load<Second>().votes(), 100);
  EXPECT_EQ(load<Third>().votes(), 100);
  vote<Second>(7);
  vote<Third>(1);
  EXPECT_EQ(load<First>().votes(), 100);
  EXPECT_EQ(load<Second>().votes(), 107);
  EXPECT_EQ(load<Third>().votes(), 108);
}

/// Earlier releases of AutoShard wrote one name only, at the beginning of the map.
TEST_P(RenamedVersionsTest, TheHighestEpochCountsInWhicheverOrderTheNamesAre) {
  const detail::EntityKey key = detail::entity_key("Tally", 1);
  for (const std::uint64_t of_votes : {1U, 3U}) {
    std::string record;
    Encoder out(record);
    out.map(2);
    out.text("@version");
    out.natural(std::uint64_t{1} << 32);
    out.text("@sharding");
    out.map(2);
    for (const auto& [name, epoch] : {std::pair{"votes", of_votes}, std::pair{"likes", std::uint64_t{2}}}) {
      out.text(name);
      out.array(2);
      out.natural(epoch + 4);
      out.natural(epoch);
    }
    detail::MainHead head;
    detail::read_head(detail::kEntityType<Third>, key, record, head);
    EXPECT_EQ(head.layouts[0].epoch, std::max<std::uint64_t>(of_votes, 2));
    EXPECT_EQ(head.layouts[0].shards, head.layouts[0].epoch + 4);
  }
}

TEST_P(RenamedVersionsTest, TheLastVersionThatSetsTheNumberOfShardsSetsItForAll) {
  mapper_.save(First(1, 5));
  admin::set_shards<Second>(mapper_, 1, "likes", 2);
  EXPECT_EQ(admin::shards<First>(mapper_, 1, "votes"), 2u);
  EXPECT_EQ(admin::shards<Third>(mapper_, 1, "zeal"), 2u);
  admin::set_shards<First>(mapper_, 1, "votes", 7);
  EXPECT_EQ(admin::shards<Second>(mapper_, 1, "likes"), 7u);
  EXPECT_EQ(admin::shards<Third>(mapper_, 1, "zeal"), 7u);
  admin::set_shards<Third>(mapper_, 1, "zeal", 3);
  EXPECT_EQ(admin::shards<First>(mapper_, 1, "votes"), 3u);
  EXPECT_EQ(admin::shards<Second>(mapper_, 1, "likes"), 3u);
  admin::set_shards<First>(mapper_, 1, "seats", 9);
  EXPECT_EQ(admin::shards<Third>(mapper_, 1, "tickets"), 9u);
  EXPECT_EQ(load<Third>().votes(), 5);
}

TEST_P(RenamedVersionsTest, CompactionFoldsWhatLiesUnderFormerNames) {
  mapper_.save(First(1, 5, 6));
  for (int i = 0; i < 20; ++i) vote<First>(1);
  view<First>(10);
  vote<Second>(100);
  view<Second>(1);
  EXPECT_GT(admin::compact<Second>(mapper_, 1), 0u);
  EXPECT_EQ(records_of("votes"), 0u);
  EXPECT_EQ(records_of("views"), 0u);
  EXPECT_EQ(records_of("hits"), 1u);
  EXPECT_EQ(load<First>().votes(), 0);
  EXPECT_EQ(load<Second>().votes(), 125);
  EXPECT_EQ(load<Second>().views(), 17);
  vote<First>(3);
  EXPECT_EQ(load<Second>().votes(), 128);
  EXPECT_EQ(admin::compact<Second>(mapper_, 1), 1u);
  EXPECT_EQ(admin::compact<Second>(mapper_, 1), 0u);
  EXPECT_GT(admin::compact<Third>(mapper_), 0u);
  EXPECT_EQ(records_of("likes") + records_of("hits"), 0u);
  EXPECT_EQ(load<Third>().votes(), 128);
  EXPECT_EQ(load<Third>().views(), 17);
}

TEST_P(RenamedVersionsTest, CompactionRemovesWhatAReplacementHasVoidedUnderFormerNames) {
  mapper_.save(First(1, 5, 6));
  view<First>(3);
  set_votes<Second>(100);
  mapper_.update<Second>(1, [](auto& tally) { tally.set_views(50); });
  vote<First>(1);
  admin::compact<Second>(mapper_, 1);
  EXPECT_EQ(records_of("votes") + records_of("views"), 0u);
  EXPECT_EQ(load<Second>().votes(), 101);
  EXPECT_EQ(load<Second>().views(), 50);
}

/// The earlier version does not see any more what is folded into a record under a name that it does not know.
TEST_P(RenamedVersionsTest, CompactionGivesUpARankedIndexOfAnEarlierVersion) {
  using Indexed = poll::IndexedTally;
  mapper_.save(Indexed(1, 5));
  mapper_.save(Indexed(2, 3));
  const auto best = [&] {
    for (const Indexed& tally : mapper_.query<Indexed>().order_by(Fields<Indexed>::votes.desc()).limit(1))
      return tally.id();
    return 0;
  };
  EXPECT_EQ(best(), 1);
  Mapper later(*store_, {.compact_every = 0ms});
  EXPECT_EQ(admin::compact<Second>(later, 1), 1u);
  EXPECT_EQ(load<Indexed>().votes(), 0);
  EXPECT_EQ(best(), 2);
}

// Where several processes write, one that runs on has looked at the indexes before there was this one.
TEST_P(RenamedVersionsTest, CompactionGivesUpARankedIndexThatIsBuiltLater) {
  using Indexed = poll::IndexedTally;
  SharedStore shared(*store_);
  Mapper later(shared, {.compact_every = 0ms}), earlier(shared, {.compact_every = 0ms});
  EXPECT_EQ(admin::compact<Second>(later, 1), 0u);
  earlier.save(Indexed(1, 5));
  earlier.save(Indexed(2, 3));
  const auto best = [&] {
    for (const Indexed& tally : earlier.query<Indexed>().order_by(Fields<Indexed>::votes.desc()).limit(1))
      return tally.id();
    return 0;
  };
  EXPECT_EQ(best(), 1);
  EXPECT_EQ(admin::compact<Second>(later, 1), 1u);
  EXPECT_EQ(best(), 2);
}

// Between two steps of the compaction.
TEST_P(RenamedVersionsTest, CompactionGivesUpARankedIndexThatIsBuiltMeanwhile) {
  using Indexed = poll::IndexedTally;
  SharedStore shared(*store_);
  Mapper earlier(shared, {.compact_every = 0ms});
  earlier.save(Indexed(1, 5));
  FaultyStore faulty(shared);
  Mapper later(faulty, {.compact_every = 0ms});
  int built = 0;
  faulty.before_commit([&](int nth) {
    if (nth != 2) return Fate::kCommits;  // the first one gives the ranked index up
    admin::build_indexes<Indexed>(earlier);
    admin::refresh_indexes<Indexed>(earlier);
    ++built;
    return Fate::kCommits;
  });
  EXPECT_EQ(admin::compact<Second>(later), 1U);
  EXPECT_EQ(built, 1);
  std::vector<int> ids;
  for (const Indexed& tally : earlier.query<Indexed>(Fields<Indexed>::votes == 0)) ids.push_back(tally.id());
  EXPECT_THAT(ids, ::testing::ElementsAre(1));
}

TEST_P(RenamedVersionsTest, WhatLiesUnderFormerNamesIsNoticedByALoad) {
  for (const bool are_deltas : {false, true}) {
    mapper_.save(Second(1));
    if (are_deltas) {
      view<First>(17);  // as many as are worth it
    } else {
      vote<First>(1);
    }
    Mapper reader(*store_, {.compact_every = 1ms});
    const Second tally = reader.load<Second>(1).value();
    EXPECT_EQ(tally.views() + tally.votes(), are_deltas ? 17 : 1);
    while (records_of("votes") + records_of("views") > 0) std::this_thread::yield();
    EXPECT_EQ(load<Second>().views() + load<Second>().votes(), are_deltas ? 17 : 1);
    mapper_.erase<Second>(1);
  }
}

TEST_P(RenamedVersionsTest, AllVersionsKeepToTheBounds) {
  mapper_.save(First(1, 0, 0, 10));
  std::int64_t left = 10;
  for (int i = 0; left > 0; ++i) {
    SCOPED_TRACE(left);
    const std::int64_t seats = i % 2 == 0 ? 1 : 2;
    const bool are_there = seats <= left;
    ASSERT_EQ(i % 3 == 0   ? may_sell<First>(seats)
              : i % 3 == 1 ? may_sell<Second>(seats)
                           : may_sell<Third>(seats),
              are_there);
    if (are_there) left -= seats;
    ASSERT_EQ(load<First>().seats(), left);
    ASSERT_EQ(load<Second>().seats(), left);
    ASSERT_EQ(load<Third>().seats(), left);
  }
  EXPECT_FALSE(may_sell<First>(1) || may_sell<Second>(1) || may_sell<Third>(1));
  EXPECT_TRUE(may_sell<Second>(-60));
  EXPECT_FALSE(may_sell<First>(-41));
  EXPECT_TRUE(may_sell<First>(-40));
  EXPECT_FALSE(may_sell<Third>(-1));
  EXPECT_EQ(records_of("places") + records_of("tickets"), 0u);
}

TEST_P(RenamedVersionsTest, AnEntityOfALaterVersionHasItsBoundedValueInAll) {
  mapper_.save(Third(1, 0, 0, 10));
  EXPECT_EQ(load<First>().seats(), 10);
  EXPECT_TRUE(may_sell<First>(7));
  mapper_.update<Second>(1, [](auto& tally) { tally.set_seats(20); });
  EXPECT_EQ(load<First>().seats(), 20);
  admin::set_shards<Third>(mapper_, 1, "tickets", 7);
  admin::set_shards<First>(mapper_, 1, "seats", 3);
  EXPECT_TRUE(may_sell<Second>(20));
  EXPECT_FALSE(may_sell<First>(1));
}

/// Where earlier releases of AutoShard have moved it to.
TEST_P(RenamedVersionsTest, ABoundedValueUnderALaterNameGoesBackToTheOldest) {
  for (const bool is_compacted : {false, true}) {
    mapper_.save(poll::NeverRenamedTally(1, 0, 0, 30));
    EXPECT_EQ(records_of("places"), 4u);
    EXPECT_EQ(load<Third>().seats(), 30);
    if (is_compacted) admin::compact<Third>(mapper_);
    sell<Third>(10);
    EXPECT_EQ(records_of("places"), 0u);
    EXPECT_EQ(load<First>().seats(), 20);
    mapper_.erase<Third>(1);
  }
}

/// A program from before the properties were sharded.
TEST_P(RenamedVersionsTest, APlainMemberThatAnotherVersionHasNotReplacedIsOneMorePart) {
  PlainTally plain(1);
  plain.votes = 5;
  mapper_.save(plain);
  vote<Third>(10);
  plain.votes = 7;
  mapper_.save(plain);
  EXPECT_EQ(load<First>().votes(), 7);
  EXPECT_EQ(load<Third>().votes(), 17);
}

TEST_P(RenamedVersionsTest, APlainMemberThatAnotherVersionHasReplacedIsNotSaved) {
  PlainTally plain(1);
  plain.votes = 5;
  plain.views = 6;
  mapper_.save(plain);
  set_votes<Third>(100);
  plain.votes = 7;
  EXPECT_THAT([&] { mapper_.save(plain); },
              ThrowsMessage<SchemaMismatch>(
                  HasSubstr("shards votes, and a program with that version has replaced the value")));
  EXPECT_THROW(mapper_.transact([&](EntityTransaction& transaction) { transaction.save(plain); }),
               SchemaMismatch);
  PlainTally other(2);
  const std::vector<PlainTally*> pair = {&plain, &other};
  try {
    mapper_.save(pair);
    FAIL();
  } catch (const BatchFailed& error) {
    ASSERT_EQ(error.failures().size(), 1u);
    EXPECT_EQ(error.failures()[0].place, 0u);
    EXPECT_THROW(std::rethrow_exception(error.failures()[0].error), SchemaMismatch);
  }
  EXPECT_EQ(load<PlainTally>().votes, 5);
  EXPECT_EQ(load<Third>().votes(), 100);
  EXPECT_EQ(load<Third>().views(), 6);
}

TEST_P(RenamedVersionsTest, WhatIsNotReplacedIsSavedAsBefore) {
  PlainTally plain(1);
  plain.votes = 5;
  plain.views = 6;
  mapper_.save(plain);
  set_votes<Third>(100);
  plain.title = "a title";
  plain.views = 8;
  mapper_.save(plain);
  mapper_.transact([&](EntityTransaction& transaction) {
    PlainTally loaded = transaction.load<PlainTally>(1).value();
    ++loaded.views;
    transaction.save(loaded);
  });
  EXPECT_EQ(load<Third>().title, "a title");
  EXPECT_EQ(load<Third>().votes(), 100);
  EXPECT_EQ(load<Third>().views(), 9);
}

/// Another number of shards voids nothing.
TEST_P(RenamedVersionsTest, APlainMemberWhoseShardsAreOthersIsSaved) {
  PlainTally plain(1);
  plain.votes = 5;
  mapper_.save(plain);
  admin::set_shards<Third>(mapper_, 1, "zeal", 9);
  plain.votes = 7;
  mapper_.save(plain);
  EXPECT_EQ(load<Third>().votes(), 7);
  EXPECT_EQ(admin::shards<Third>(mapper_, 1, "zeal"), 9u);
}

/// An update that looks at all parts of a bounded value takes what lies in the main record into the shards.
TEST_P(RenamedVersionsTest, ABoundedMemberIsNotSavedOnceShardsHaveItsValue) {
  PlainTally plain(1);
  plain.seats = 50;
  mapper_.save(plain);
  plain.seats = 40;
  mapper_.save(plain);
  EXPECT_TRUE(may_sell<Third>(10));
  plain.seats = 100;
  EXPECT_THROW(mapper_.save(plain), SchemaMismatch);
  EXPECT_EQ(load<Third>().seats(), 30);
  EXPECT_EQ(load<First>().seats(), 30);
}

TEST_P(RenamedVersionsTest, ASaveUnderAnotherNameChangesNoValueThatIsTheSame) {
  PlainTally plain(1);
  plain.votes = 5;
  mapper_.save(plain);
  set_votes<Third>(100);
  auto renamed = load<poll::PlainRenamedTally>();
  EXPECT_EQ(renamed.likes, 5);
  renamed.title = "a title";
  mapper_.save(renamed);
  EXPECT_EQ(load<Third>().title, "a title");
  EXPECT_EQ(load<Third>().votes(), 100);
  renamed.likes = 6;
  EXPECT_THROW(mapper_.save(renamed), SchemaMismatch);
}

/// Its entries of the other version's properties are the defaults: it cannot tell that these are not the
/// values.
TEST_P(RenamedVersionsTest, AnEntityThatHasNoneOfThePlainMembersIsNotSavedOnceTheyAreReplaced) {
  mapper_.save(First(1, 5));
  PlainTally plain = load<PlainTally>();
  plain.title = "a title";
  mapper_.save(plain);
  EXPECT_EQ(load<First>().votes(), 5);
  mapper_.erase<First>(1);
  mapper_.save(First(1, 5));
  set_votes<First>(6);
  plain = load<PlainTally>();
  plain.title = "another";
  EXPECT_THROW(mapper_.save(plain), SchemaMismatch);
  EXPECT_EQ(load<First>().votes(), 6);
}

}  // namespace
}  // namespace autoshard::test
