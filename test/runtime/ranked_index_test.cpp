// Indexes of sharded properties: what queries answer over them, and what is there at any time.

#include "ranked_index.h"

#include <autoshard/admin.h>
#include <gmock/gmock.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "shared_store.h"
#include "support/ranked_fixture.h"

namespace autoshard::test {
namespace {

using ::testing::_;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;
using namespace std::chrono_literals;

INSTANTIATE_TEST_SUITE_P(Stores, RankedIndexTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(RankedIndexTest, ANewEntityHasItsEntry) {
  add_talks(mapper_);
  EXPECT_EQ(expect_right(), 0U);
  EXPECT_THAT(numbers(mapper_.query<Talk>().order_by(t::seats.desc()).limit(2)), ElementsAre(5, 4));
  EXPECT_THAT(numbers(mapper_.query<Talk>().order_by(t::score.desc()).limit(2)), ElementsAre(1, 2));
}

/// As FORMAT.md says. A reader of the format takes anything else for damage.
TEST_P(RankedIndexTest, TheValueOfAnEntryIsNil) {
  add_talks(mapper_);
  mapper_.apply<&Talk::like>(3);
  admin::refresh_indexes<Talk>(mapper_);
  const detail::EntityIndex& index =
      detail::find_index(detail::kEntityType<Talk>, *detail::ranked_index_of<Talk>("likes"));
  const std::string before_entries = index.entry_prefixes().front();
  EXPECT_THAT(records(*store_, before_entries, detail::end_key(before_entries)),
              AllOf(SizeIs(5), Each(Pair(_, "\xC0"))));
}

TEST_P(RankedIndexTest, AnUpdateMakesItsEntityDirtyInWhatItChanges) {
  struct Update {
    const char* what;
    std::function<void(Mapper&)> run;
    std::size_t dirty = 1;
  };
  const std::vector<Update> all = {
      {"within bounds", [](Mapper& mapper) { mapper.apply<&Talk::book>(3, 50); }},
      {"a delta", [](Mapper& mapper) { mapper.apply<&Talk::like>(3); }},
      {"a shard", [](Mapper& mapper) { mapper.apply<&Talk::rate>(3, 2); }},
      {"a replacement", [](Mapper& mapper) { mapper.apply<&Talk::reset_score>(3, 7); }},
      {"a text", [](Mapper& mapper) { mapper.apply<&Talk::praise>(3, "great"); }},
      {"several",
       [](Mapper& mapper) { mapper.update<Talk>(3, [](auto& talk) { talk.like(), talk.rate(1); }); }, 2},
      {"a save",
       [](Mapper& mapper) {
         Talk talk = mapper.load<Talk>(3).value();
         talk.room = "blue";
         talk.rate(1);
         mapper.save(talk);
       }},
      {"a batch",
       [](Mapper& mapper) {
         std::vector<Talk> talks = {mapper.load<Talk>(3).value(), mapper.load<Talk>(4).value()};
         for (Talk& talk : talks) talk.like();
         mapper.save(talks);
       },
       2},
      {"a transaction",
       [](Mapper& mapper) {
         mapper.transact([](EntityTransaction& transaction) {
           Talk talk = transaction.load<Talk>(3).value();
           talk.praise("zzz");
           transaction.save(talk);
         });
       }},
      {"without waiting", [](Mapper& mapper) { mapper.apply_async<&Talk::rate>(3, -50).get(); }},
      {"a compaction", [](Mapper& mapper) { admin::compact<Talk>(mapper); }, 0},
      {"a resize", [](Mapper& mapper) { admin::set_shards<Talk>(mapper, 3, "seats", 3); }, 0},
      {"a save of something else",
       [](Mapper& mapper) {
         Talk talk = mapper.load<Talk>(3).value();
         talk.room = "red";
         mapper.save(talk);
       },
       0},
  };
  add_talks(mapper_);
  for (const Update& update : all) {
    SCOPED_TRACE(update.what);
    update.run(mapper_);
    EXPECT_EQ(expect_right(), update.dirty);
    EXPECT_EQ(admin::refresh_indexes<Talk>(mapper_), update.dirty);
    EXPECT_EQ(expect_right(), 0U);
    EXPECT_EQ(admin::refresh_indexes<Talk>(mapper_), 0U);
  }
}

TEST_P(RankedIndexTest, AnswersTheSameWhoeverIsDirty) {
  add_talks(mapper_);
  for (const int number : {2, 4, 4, 5}) mapper_.apply<&Talk::like>(number);
  for (const bool refreshes : {false, true}) {
    EXPECT_EQ(refreshes ? admin::refresh_indexes(mapper_) : 3U, 3U);
    const auto all = mapper_.query<Talk>();
    EXPECT_THAT(numbers(all.order_by(t::likes.desc()).limit(4)), ElementsAre(4, 2, 5, 1));
    EXPECT_THAT(numbers(all.order_by(t::likes).limit(4)), ElementsAre(1, 3, 2, 5));
    EXPECT_THAT(numbers(mapper_.query<Talk>(t::likes > 0)), ElementsAre(2, 5, 4));
    EXPECT_THAT(numbers(mapper_.query<Talk>(t::likes == 1)), ElementsAre(2, 5));
    EXPECT_THAT(numbers(mapper_.query<Talk>(t::likes.between(1, 2)).order_by(t::seats.desc())),
                ElementsAre(5, 4, 2));
    EXPECT_THAT(numbers(mapper_.query<Talk>(t::likes > 0).order_by(t::likes.desc())), ElementsAre(4, 2, 5));
    EXPECT_THAT(numbers(mapper_.query<Talk>(t::likes == 1 && t::number > 2)), ElementsAre(5));
    EXPECT_THAT(numbers(mapper_.query<Talk>(t::likes > 2)), IsEmpty());
    EXPECT_EQ(mapper_.query<Talk>(t::likes > 0).count(), 3U);
    EXPECT_EQ(mapper_.query<Talk>(t::likes > 0).limit(2).count(), 2U);
    mapper_.apply<&Talk::like>(1);  // overtakes, or joins
    EXPECT_THAT(numbers(all.order_by(t::likes.desc()).limit(2)), ElementsAre(4, 1));
    mapper_.erase<Talk>(1);
    mapper_.save(Talk(1, 100));
    std::vector<int> paged;
    std::string cursor;
    do {
      const auto page = all.order_by(t::likes.desc()).limit(2).after(cursor).page();
      for (const Talk& talk : page.rows) paged.push_back(talk.number());
      cursor = page.cursor;
      ASSERT_LE(paged.size(), 5U);
    } while (!cursor.empty());
    EXPECT_THAT(paged, ElementsAre(4, 2, 5, 1, 3));
  }
}

TEST_P(RankedIndexTest, SaysHowAQueryUsesIt) {
  add_talks(mapper_);
  EXPECT_THAT(
      mapper_.query<Talk>().order_by(t::likes.desc()).limit(3).explain(),
      AllOf(HasSubstr("index likes: all its entries, in order"), HasSubstr("updated in about the last 10 s"),
            HasSubstr("the answer is exact"), HasSubstr("ends after 3 rows")));
  EXPECT_THAT(mapper_.query<Talk>(t::best > "m").explain(),
              HasSubstr("index best: its entries that can match"));
  EXPECT_THAT(mapper_.query<Talk>().order_by(t::likes).explain(),
              HasSubstr("scan"));  // nothing ends the walk
  EXPECT_THAT(mapper_.query<Talk>(t::room == "red").explain(), Not(HasSubstr("dirty")));
  EXPECT_THAT(mapper_.query<FormerTalk>(Fields<FormerTalk>::likes > 1).explain(),
              HasSubstr("[[autoshard::index]] on likes would avoid the scan"));
}

TEST_P(RankedIndexTest, NothingIsLeftOfAnErasedEntity) {
  const auto left = [&] {
    return records(*store_, detail::indexes_key("Talk"), detail::end_key(detail::indexes_key("Talk"))).size();
  };
  mapper_.save(Talk(9, 1));
  ASSERT_TRUE(mapper_.erase<Talk>(9));
  const std::size_t states = left();
  for (const bool refreshes : {false, true}) {
    add_talks(mapper_);
    for (int number = 1; number <= 5; ++number) mapper_.apply<&Talk::rate>(number, number);
    if (refreshes) admin::refresh_indexes(mapper_);
    EXPECT_TRUE(mapper_.erase<Talk>(1));
    EXPECT_EQ(mapper_.erase<Talk>(std::vector<int>{2, 3}), 2U);
    mapper_.transact([](EntityTransaction& transaction) { transaction.erase<Talk>(4); });
    EXPECT_EQ(mapper_.query<Talk>(t::score > 0).erase(), 1U);
    expect_right();
    EXPECT_EQ(left(), states);
  }
}

TEST_P(RankedIndexTest, UpdatesOfADirtyEntityDoNotMeet) {
  mapper_.save(Talk(1));
  mapper_.apply<&Talk::like>(1);
  faulty_.before_commit([&](int) {
    other_.apply<&Talk::like>(1);
    return Fate::kCommits;
  });
  mapper_.apply<&Talk::like>(1);
  EXPECT_EQ(admin::counters(mapper_).conflicts, 0U);
  EXPECT_EQ(mapper_.load<Talk>(1).value().likes(), 3);
  FaultyStore watched(*store_);
  Mapper(watched, options()).apply<&Talk::like>(1);
  EXPECT_EQ(watched.most_writes(), 1U) << "a shard, and not the dirty record";
}

/// They meet where both make it dirty, and not in a shard.
TEST_P(RankedIndexTest, TheFirstUpdatesOfAnEntityKeepToTheirShards) {
  MapperOptions sticky = options();
  sticky.choice = ShardChoice::kSticky;
  Mapper mapper(faulty_, sticky), other(*store_, sticky);
  mapper.save(Talk(1));
  const auto shards = [&] {
    const detail::EntityKey key = detail::entity_key("Talk", 1);
    return records(*store_, detail::shard_key(key, "score", 0), detail::end_of_property(key, "score")).size();
  };
  for (Mapper* one : {&mapper, &other}) one->apply<&Talk::rate>(1, 1);
  const std::size_t before = shards();
  admin::refresh_indexes<Talk>(other_);
  faulty_.before_commit([&](int nth) {
    if (nth == 1) other.apply<&Talk::rate>(1, 1);
    return Fate::kCommits;
  });
  mapper.apply<&Talk::rate>(1, 1);
  EXPECT_EQ(admin::counters(mapper).conflicts, 1U);
  EXPECT_EQ(shards(), before);
}

const std::vector<std::function<void(Mapper&, int)>> kOlderUpdates = {
    [](Mapper& older, int points) { older.apply<&FormerTalk::rate>(1, points); },
    [token_number = 0](Mapper& older, int points) mutable {
      older.apply<&FormerTalk::rate>(1, token(std::to_string(++token_number)), points);
    },
    [](Mapper& older, int points) { older.apply_async<&FormerTalk::rate>(1, points).get(); },
    [](Mapper& older, int points) {
      older.update<FormerTalk>(1, [&](auto& talk) { talk.rate(points), talk.like(); });
    },
    [](Mapper& older, int points) {
      FormerTalk talk = older.load<FormerTalk>(1).value();
      talk.rate(points);
      older.save(talk);
    },
    [](Mapper& older, int points) {
      std::vector<FormerTalk> talks = {older.load<FormerTalk>(1).value(), older.load<FormerTalk>(2).value()};
      for (FormerTalk& talk : talks) talk.rate(points);
      older.save(talks);
    },
    [](Mapper& older, int points) {
      older.transact([&](EntityTransaction& transaction) {
        FormerTalk talk = transaction.load<FormerTalk>(1).value();
        talk.rate(points);
        transaction.save(talk);
      });
    },
};

// It has looked at the indexes before there was this one.
TEST_P(RankedIndexTest, AnOlderProgramThatRunsOnGivesUpARankedIndex) {
  SharedStore shared(*store_);
  Mapper newer(shared, options());
  for (const bool combines : {false, true}) {
    for (std::size_t i = 0; i < kOlderUpdates.size(); ++i) {
      SCOPED_TRACE(std::to_string(i) + (combines ? ", combined" : ""));
      MapperOptions of_older = options();
      of_older.combine = combines;
      Mapper older(shared, of_older);
      older.save(FormerTalk(1, 10));
      older.save(FormerTalk(2, 10));
      older.apply<&FormerTalk::rate>(1, 3);
      admin::build_indexes<Talk>(newer);
      EXPECT_EQ(expect_right(), 0U);
      kOlderUpdates[i](older, 4);
      EXPECT_THAT(numbers(newer.query<Talk>(t::score == 7)), ElementsAre(1));
      EXPECT_THAT(numbers(newer.query<Talk>(t::score == 3)), IsEmpty());
      admin::build_indexes<Talk>(newer);
      EXPECT_EQ(expect_right(), 0U);
      EXPECT_THAT(numbers(newer.query<Talk>(t::score == 7)), ElementsAre(1));
      for (const int number : {1, 2}) newer.erase<Talk>(number);
    }
  }
}

TEST_P(RankedIndexTest, ARankedIndexThatIsBuiltDuringAnUpdateIsNotMissed) {
  SharedStore shared(*store_);
  Mapper newer(shared, options());
  FaultyStore faulty(shared);
  Mapper older(faulty, options());
  older.save(FormerTalk(1, 10));
  older.apply<&FormerTalk::rate>(1, 3);
  faulty.before_commit([&](int nth) {
    if (nth == 1) admin::build_indexes<Talk>(newer);
    return Fate::kCommits;
  });
  older.apply<&FormerTalk::rate>(1, 4);
  EXPECT_THAT(numbers(newer.query<Talk>(t::score == 7)), ElementsAre(1));
  EXPECT_THAT(numbers(newer.query<Talk>(t::score == 3)), IsEmpty());
}

// A conflict about indexes says nothing about shards.
TEST_P(RankedIndexTest, AnOlderProgramKeepsToItsShardWhenItGivesUpARankedIndex) {
  SharedStore shared(*store_);
  Mapper newer(shared, options());
  MapperOptions sticky = options();
  sticky.choice = ShardChoice::kSticky;
  Mapper older(shared, sticky);
  const auto shards = [&] {
    const detail::EntityKey key = detail::entity_key("Talk", 1);
    return records(*store_, detail::shard_key(key, "score", 0), detail::end_of_property(key, "score")).size();
  };
  older.save(FormerTalk(1, 10));
  older.apply<&FormerTalk::rate>(1, 3);
  for (int time = 0; time < 10; ++time) {
    admin::build_indexes<Talk>(newer);
    older.apply<&FormerTalk::rate>(1, 4);
  }
  EXPECT_EQ(admin::counters(older).conflicts, 10U);
  EXPECT_EQ(shards(), 1U);
}

/// A transaction that goes on without it commits nothing of it.
TEST_P(RankedIndexTest, ACreationThatIsRefusedLeavesNothing) {
  mapper_.transact([&](EntityTransaction& transaction) {
    EXPECT_THROW(transaction.save(Talk(1, 5000)), BoundExceeded);
    transaction.save(Talk(2, 5));
  });
  EXPECT_FALSE(mapper_.exists<Talk>(1));
  EXPECT_EQ(expect_right(), 0U);
  EXPECT_THAT(numbers(mapper_.query<Talk>(t::seats >= 0)), ElementsAre(2));
}

TEST_P(RankedIndexTest, PagesByIdsHaveEachDirtyOneOnce) {
  for (int number = 1; number <= 6; ++number) {
    mapper_.save(Talk(number));
    mapper_.apply<&Talk::like>(number);
  }
  admin::refresh_indexes<Talk>(mapper_);
  for (const int number : {2, 5, 4}) mapper_.apply<&Talk::like>(number);
  mapper_.apply<&Talk::rate>(1, 1);
  mapper_.erase<Talk>(3);
  mapper_.save(Talk(3));
  mapper_.apply<&Talk::like>(3);
  const auto query = mapper_.query<Talk>(t::likes == 1).limit(1);
  std::vector<int> paged;
  std::string cursor;
  do {
    const auto page = query.after(cursor).page();
    for (const Talk& talk : page.rows) paged.push_back(talk.number());
    cursor = page.cursor;
    ASSERT_LE(paged.size(), 3U);
  } while (!cursor.empty());
  EXPECT_THAT(paged, ElementsAre(1, 3, 6));
}

TEST_P(RankedIndexTest, ExplainTellsWhatARankingLacks) {
  EXPECT_THAT(mapper_.query<FormerTalk>().order_by(Fields<FormerTalk>::likes.desc()).limit(3).explain(),
              HasSubstr("[[autoshard::index]] on likes would avoid the scan"));
}

TEST_P(RankedIndexTest, APropertyHasTheOneThatIsOverIt) {
  EXPECT_EQ(detail::ranked_index_of<Talk>("score"), &detail::kIndexTypes<Talk>[3]);
  for (const std::string property : {"room", "likes or so", ""})  // `room` has an index of another kind
    EXPECT_EQ(detail::ranked_index_of<Talk>(property), nullptr) << property;
}

}  // namespace
}  // namespace autoshard::test
