// RankedIndexes are built over entities that were there before.

#include <autoshard/admin.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "entities/versions/song/former.autoshard.h"
#include "entities/versions/song/song.autoshard.h"
#include "lease.h"
#include "main_record.h"
#include "support/ranked_fixture.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using radio::FormerSong;
using radio::Song;

class RankedIndexBuildTest : public RankedIndexTest {
 protected:
  /// As it was before the class had ranked indexes.
  void add_former_talks(int from, int to) {
    for (int number = from; number < to; ++number) {
      other_.save(FormerTalk(number, number));
      other_.apply<&FormerTalk::rate>(number, number % 5);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, RankedIndexBuildTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(RankedIndexBuildTest, HoldsWhatWasThereBeforeTheClassHadIt) {
  add_former_talks(0, 300);
  const auto best = mapper_.query<Talk>().order_by(t::score.desc()).limit(2);
  EXPECT_THAT(best.explain(), HasSubstr("index score is not used"));
  EXPECT_THAT(numbers(best), ElementsAre(4, 9));
  mapper_.apply<&Talk::rate>(9, 1);
  mapper_.save(Talk(300, 300));
  EXPECT_THAT(numbers(best), ElementsAre(9, 4));
  EXPECT_EQ(admin::build_indexes<Talk>(mapper_), 301U);
  EXPECT_EQ(expect_right(), 0U);
  EXPECT_THAT(best.explain(), Not(HasSubstr("not used")));
  EXPECT_THAT(numbers(best), ElementsAre(9, 4));
  EXPECT_EQ(admin::build_indexes<Talk>(mapper_), 0U);
}

// Writers maintain, and others refresh, what is not built yet. There are enough for several commits.
TEST_P(RankedIndexBuildTest, BearsARefreshBeforeAnyCommit) {
  constexpr int kTalks = 140;
  std::vector<int> all;
  for (int number = 0; number < kTalks; ++number) all.push_back(number);
  for (int commit = 1;; ++commit) {
    add_former_talks(0, kTalks);
    for (const int number : all) mapper_.apply<&Talk::rate>(number, 1);
    admin::refresh_indexes<Talk>(mapper_);
    bool was_in_time = false;
    faulty_.before_commit([&](int nth) {
      if (nth == commit) {
        was_in_time = true;
        other_.apply<&Talk::rate>(1, 5);
        other_.erase<Talk>(2);
        other_.save(Talk(2));
        other_.apply<&Talk::rate>(3, 5);
        admin::refresh_indexes<Talk>(other_);
        other_.apply<&Talk::rate>(3, -5);  // what it was
        admin::refresh_indexes<Talk>(other_);
      } else if (nth == commit + 1) {
        other_.apply<&Talk::rate>(1, 5);
        other_.apply<&Talk::rate>(2, 5);
      }
      return Fate::kCommits;
    });
    admin::build_indexes<Talk>(mapper_);
    faulty_.before_commit({});
    expect_right();
    admin::refresh_indexes<Talk>(mapper_);
    EXPECT_EQ(expect_right(), 0U) << commit;
    if (!was_in_time) break;
    mapper_.erase<Talk>(all);
    expect_right();
    const auto transaction = store_->begin();
    for (const detail::IndexType& index : detail::kEntityType<Talk>.indexes)
      transaction->erase(detail::find_index(detail::kEntityType<Talk>, index).key());
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    ASSERT_LT(commit, 100) << "it never ends";
  }
}

// A program without the ranked indexes does not make dirty what it updates.
TEST_P(RankedIndexBuildTest, IsIncompleteOnceAnOlderProgramHasUpdated) {
  for (int number = 0; number < 3; ++number) {
    other_.save(Talk(number, number));
    other_.apply<&Talk::rate>(number, number);
  }
  admin::refresh_indexes<Talk>(mapper_);
  const auto best = other_.query<Talk>().order_by(t::score.desc()).limit(2);
  EXPECT_THAT(best.explain(), HasSubstr("index score: "));
  EXPECT_THAT(numbers(best), ElementsAre(2, 1));
  Mapper older(*store_, options());
  older.apply<&FormerTalk::rate>(0, 5);
  EXPECT_THAT(numbers(best), ElementsAre(0, 2));
  EXPECT_THAT(best.explain(), HasSubstr("index score is not used"));
  older.erase<FormerTalk>(2);
  older.save(FormerTalk(3));
  EXPECT_EQ(admin::build_indexes<Talk>(mapper_), 3U);
  EXPECT_EQ(expect_right(), 0U);
  EXPECT_THAT(best.explain(), HasSubstr("index score: "));
  EXPECT_THAT(numbers(best), ElementsAre(0, 1));
}

TEST_P(RankedIndexBuildTest, IsIncompleteHoweverAnOlderProgramUpdates) {
  const std::vector<std::function<void()>> updates = {
      [&] { Mapper(*store_, options()).update<FormerTalk>(0, [](auto& talk) { talk.rate(5); }); },
      [&] { Mapper(*store_, options()).apply_async<&FormerTalk::rate>(0, 5).get(); },
      [&] {
        Mapper older(*store_, {.durability = durability::buffered{std::chrono::milliseconds(1)}});
        older.apply<&FormerTalk::rate>(0, 5);
        older.flush();
      },
      [&] {
        Mapper older(*store_, options());
        auto talks = older.load<FormerTalk>(std::vector{0, 1});
        for (auto& talk : talks) talk->rate(5);
        older.save(talks);
      },
      [&] {
        Mapper(*store_, options()).transact([](EntityTransaction& transaction) {
          transaction.update<FormerTalk>(0, [](auto& talk) { talk.rate(5); });
        });
      }};
  other_.save(Talk(0));
  other_.save(Talk(1));
  const auto best = other_.query<Talk>().order_by(t::score.desc()).limit(1);
  for (const auto& update : updates) {
    admin::build_indexes<Talk>(mapper_);
    EXPECT_THAT(best.explain(), HasSubstr("index score: "));
    update();
    EXPECT_THAT(best.explain(), HasSubstr("index score is not used"));
  }
}

// Somebody has left it who had such a ranked index before.
TEST_P(RankedIndexBuildTest, RemovesAFormerRecordThatIsDamaged) {
  add_former_talks(0, 3);
  admin::build_indexes<Talk>(mapper_);
  const detail::EntityType& type = detail::kEntityType<Talk>;
  const auto transaction = store_->begin();
  int damaged = 0;
  for (const detail::IndexType& index : type.indexes) {
    const std::string& key = detail::find_index(type, index).key();
    transaction->erase(key);
    for (const auto& [value_key, value] : records(*store_, key + '\2', key + '\3')) {
      transaction->put(value_key, "\x01");
      ++damaged;
    }
  }
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_GE(damaged, 3);
  EXPECT_EQ(admin::build_indexes<Talk>(mapper_), 3U);
  EXPECT_EQ(expect_right(), 0U);
}

TEST_P(RankedIndexBuildTest, RemovesAnEntryWhoseKeyIsDamaged) {
  add_former_talks(0, 3);
  admin::build_indexes<Talk>(mapper_);
  const detail::EntityIndex& score =
      detail::find_index(detail::kEntityType<Talk>, *detail::ranked_index_of<Talk>("score"));
  const std::string damaged =
      score.entry_prefixes().front() + '\x1C';  // the eight bytes of the number are missing
  const auto transaction = store_->begin();
  transaction->erase(score.key());
  transaction->put(damaged, "\xC0");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  admin::build_indexes<Talk>(mapper_);
  std::string record;
  EXPECT_FALSE(store_->snapshot()->get(damaged, record));
  EXPECT_EQ(expect_right(), 0U);
}

TEST_P(RankedIndexBuildTest, MayBeCutShortAnywhere) {
  add_former_talks(0, 200);
  mapper_.apply<&Talk::rate>(9, 1);
  const auto best = mapper_.query<Talk>().order_by(t::score.desc()).limit(2);
  bool crashed = true;
  for (int crash = 1; crashed; ++crash) {
    crashed = false;
    faulty_.before_commit([&](int nth) {
      if (nth != crash) return Fate::kCommits;
      crashed = true;
      return Fate::kCrashes;
    });
    try {
      admin::build_indexes<Talk>(mapper_);
    } catch (const StoreUnavailable&) {
      EXPECT_TRUE(crashed);
    }
    faulty_.before_commit({});
    EXPECT_THAT(numbers(best), ElementsAre(9, 4)) << crash;
    if (!crashed) break;
    admin::refresh_indexes<Talk>(other_);
    EXPECT_THAT(numbers(best), ElementsAre(9, 4)) << crash;
    const auto transaction = store_->begin();  // from the beginning, with whatever else it has left
    for (const detail::IndexType& index : detail::kEntityType<Talk>.indexes)
      transaction->erase(detail::find_index(detail::kEntityType<Talk>, index).key());
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    ASSERT_LT(crash, 100) << "it never ends";
  }
  EXPECT_EQ(expect_right(), 0U);
}

TEST_P(RankedIndexBuildTest, IsBuiltWhereAClassHasNoOtherIndex) {
  for (int number = 0; number < 3; ++number) {
    other_.save(FormerSong(number));
    other_.update<FormerSong>(number, [&](auto& song) { song.play(10 * number); });
  }
  EXPECT_EQ(admin::build_indexes<Song>(mapper_), 3U);
  const auto most = mapper_.query<Song>().order_by(Fields<Song>::plays.desc()).limit(2);
  EXPECT_NE(most.explain().find("index plays: "), std::string::npos);
  std::vector<int> numbers;
  for (const auto& song : most) numbers.push_back(song.number());
  EXPECT_EQ(numbers, (std::vector{2, 1}));
}

class RankedIndexBackgroundTest : public RankedIndexTest {};
INSTANTIATE_TEST_SUITE_P(Stores, RankedIndexBackgroundTest, ::testing::ValuesIn(stores_for_threads()),
                         store_name);

TEST_P(RankedIndexBackgroundTest, AThreadOfTheMapperLeavesToOthersWhatTheyAreAt) {
  other_.save(Talk(1, 100));
  other_.apply<&Talk::rate>(1, 5);
  detail::Lease lease(*store_, "compaction", std::chrono::seconds(10));
  ASSERT_TRUE(lease.take());
  FaultyStore counting(*store_);
  std::atomic<int> looks{0};
  counting.before_begin([&] { ++looks; });
  MapperOptions often = options();
  often.compact_every = std::chrono::milliseconds(1);
  Mapper working(counting, often);
  working.exists<Talk>(1);                       // so that it knows the class
  while (looks < 50) ASSERT_TRUE(lease.take());  // which prolongs it
  EXPECT_EQ(expect_right(), 1U);
  lease.give_up();
  while (expect_right() > 0) std::this_thread::yield();
}

/// Of a program without the indexes, which has erased the entity, and was cut short.
TEST_P(RankedIndexBuildTest, RemovesWhatLeadsToATombstone) {
  for (int number = 1; number <= 2; ++number) {
    other_.save(Talk(number, number));
    other_.apply<&Talk::rate>(number, 1);
  }
  admin::refresh_indexes<Talk>(mapper_);
  mapper_.apply<&Talk::rate>(2, 1);  // dirty
  const auto has_tombstone = [&] {
    std::string main;
    return store_->snapshot()->get(detail::main_key(detail::entity_key("Talk", 2)), main) &&
           detail::is_tombstone(main);
  };
  faulty_.before_commit([&](int) { return has_tombstone() ? Fate::kCrashes : Fate::kCommits; });
  EXPECT_TRUE(mapper_.erase<FormerTalk>(2));
  faulty_.before_commit({});
  ASSERT_TRUE(has_tombstone());
  EXPECT_EQ(admin::build_indexes<Talk>(mapper_), 1U);
  EXPECT_EQ(expect_right(), 0U);
}

}  // namespace
}  // namespace autoshard::test
