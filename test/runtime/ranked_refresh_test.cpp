// Refreshes of ranked indexes, whatever others do between any two of their steps.

#include "ranked_refresh.h"

#include <autoshard/admin.h>
#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "ranked_index.h"
#include "shared_store.h"
#include "support/ranked_fixture.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using namespace std::chrono_literals;

class RankedRefreshTest : public RankedIndexTest {};
INSTANTIATE_TEST_SUITE_P(Stores, RankedRefreshTest, ::testing::ValuesIn(stores_for_threads()), store_name);

// Whatever others do between any two steps of a refresh.
TEST_P(RankedRefreshTest, ARefreshDoesNotOverlookAnUpdate) {
  const std::vector<std::function<void()>> between = {
      [&] { other_.apply<&Talk::rate>(1, 5); },
      [&] { other_.apply<&Talk::reset_score>(1, 1); },
      [&] {
        other_.apply<&Talk::rate>(1, 5);
        admin::refresh_indexes<Talk>(other_);
      },
      [&] {  // who was about to refresh it, too
        other_.apply<&Talk::rate>(1, 5);
        FaultyStore cut(*store_);
        cut.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
        Mapper crashing(cut, options());
        EXPECT_THROW(admin::refresh_indexes<Talk>(crashing), StoreUnavailable);
      },
      [&] { other_.erase<Talk>(1); },
      [&] {
        other_.erase<Talk>(1);
        other_.save(Talk(1, 3));
      },
      [&] { admin::compact<Talk>(other_); },
      [&] { admin::set_shards<Talk>(other_, 1, "score", 1); },
  };
  for (std::size_t i = 0; i < between.size(); ++i) {
    bool was_in_time = true;
    for (int step = 1; was_in_time; ++step) {
      SCOPED_TRACE(std::to_string(i) + ", before step " + std::to_string(step));
      other_.erase<Talk>(1);
      mapper_.save(Talk(1, 10));
      mapper_.apply<&Talk::rate>(1, 3);
      int steps = 0;
      const auto count = [&] {
        if (++steps == step) between[i]();
      };
      faulty_.before_begin(count);  // of a transaction, or a look at the store
      faulty_.before_commit([&](int) {
        count();
        return Fate::kCommits;
      });
      admin::refresh_indexes<Talk>(mapper_);
      faulty_.before_begin({});
      faulty_.before_commit({});
      was_in_time = steps >= step;
      expect_right();
      admin::refresh_indexes<Talk>(mapper_);
      EXPECT_EQ(expect_right(), 0U);
      ASSERT_LT(step, 100) << "it never ends";
    }
  }
}

TEST_P(RankedRefreshTest, AnUpdateDoesNotOverlookARefresh) {
  mapper_.save(Talk(1));
  mapper_.apply<&Talk::rate>(1, 3);
  faulty_.before_commit([&](int nth) {
    EXPECT_EQ(nth == 1 ? admin::refresh_indexes<Talk>(other_) : 1U, 1U);
    return Fate::kCommits;
  });
  mapper_.apply<&Talk::rate>(1, 3);
  EXPECT_EQ(admin::counters(mapper_).conflicts, 1U);
  EXPECT_EQ(expect_right(), 1U);
  EXPECT_EQ(mapper_.load<Talk>(1).value().score(), 6);
}

TEST_P(RankedRefreshTest, ACrashBeforeAnyCommitLeavesThemRight) {
  bool was_cut_short = true;
  for (int last = 0; was_cut_short; ++last) {
    std::vector<int> all;
    for (int number = 1; number <= 200; ++number) {
      all.push_back(number);
      mapper_.save(Talk(number, number));
      mapper_.apply<&Talk::rate>(number, number % 7);
      if (number % 3 == 0) mapper_.apply<&Talk::like>(number);
    }
    was_cut_short = false;
    FaultyStore faulty(*store_);
    faulty.before_commit([&](int nth) {
      if (nth <= last) return Fate::kCommits;
      was_cut_short = true;
      return Fate::kCrashes;
    });
    try {
      Mapper cut_short(faulty, options());
      admin::refresh_indexes<Talk>(cut_short);
    } catch (const std::exception&) {
    }
    EXPECT_EQ(expect_right() > 0, was_cut_short);
    EXPECT_THAT(numbers(mapper_.query<Talk>().order_by(t::score.desc()).limit(2)), ElementsAre(6, 13));
    for (int i = 0; i < 4; ++i) mapper_.apply<&Talk::rate>(100, 2);
    EXPECT_THAT(numbers(mapper_.query<Talk>().order_by(t::score.desc()).limit(2)), ElementsAre(100, 6));
    admin::refresh_indexes<Talk>(mapper_);
    EXPECT_EQ(expect_right(), 0U);
    EXPECT_EQ(mapper_.erase<Talk>(all), 200U);
    expect_right();
    ASSERT_LT(last, 20) << "it never ends";
  }
}

TEST_P(RankedRefreshTest, ARefreshBearsLostAcknowledgements) {
  mapper_.save(Talk(1, 10));
  for (const Fate fate : {Fate::kUnknownDone, Fate::kUnknownLost, Fate::kUnknownLate}) {
    for (const int commit : {1, 2}) {
      mapper_.apply<&Talk::rate>(1, 3);
      faulty_.before_commit([&](int nth) { return nth == commit ? fate : Fate::kCommits; });
      admin::refresh_indexes<Talk>(mapper_);
      expect_right();
      mapper_.apply<&Talk::rate>(1, 3);
      while (faulty_.late() > 0) faulty_.deliver();
      expect_right();
      admin::refresh_indexes<Talk>(mapper_);
      EXPECT_EQ(expect_right(), 0U);
    }
  }
}

/// Nobody has to be refreshed by hand, the first time or later.
TEST_P(RankedRefreshTest, AThreadOfTheMapperRefreshes) {
  add_talks(mapper_);
  Mapper refreshing(*store_, {.compact_every = 1ms});
  for (int time = 0; time < 2; ++time) {
    mapper_.apply<&Talk::praise>(1, std::to_string(time));  // of the least staleness
    while (expect_right() > 0) std::this_thread::yield();
  }
}

TEST_P(RankedRefreshTest, ARefreshCountsWhatWasAcknowledged) {
  MapperOptions buffered = options();
  buffered.combine = true;
  buffered.durability = durability::buffered{1h};
  Mapper mapper(*store_, buffered);
  mapper.save(Talk(1));
  mapper.apply<&Talk::rate>(1, 5);
  EXPECT_EQ(admin::refresh_indexes<Talk>(mapper), 1U);
  EXPECT_EQ(expect_right(), 0U);
  EXPECT_EQ(mapper_.load<Talk>(1).value().score(), 5);
}

/// A transaction with many entities meets more conflicts.
TEST_P(RankedRefreshTest, ARefreshOfManyIsDivided) {
  constexpr int kTalks = 300;
  for (int number = 1; number <= kTalks; ++number) {
    other_.save(Talk(number));
    other_.apply<&Talk::rate>(number, 1);
  }
  FaultyStore watched(*store_);
  Mapper mapper(watched, options());
  EXPECT_EQ(admin::refresh_indexes<Talk>(mapper), 300U);
  EXPECT_LE(watched.most_writes(), 4 * 128U)
      << "two entries, a place and a dirty record of each of 128 talks";
  EXPECT_EQ(expect_right(), 0U);
}

/// Damage is as far as it goes.
TEST_P(RankedRefreshTest, ADamagedRecordKeepsNobodyElseFromARefresh) {
  for (int number = 1; number <= 3; ++number) mapper_.save(Talk(number, 1));
  const detail::EntityType& type = detail::kEntityType<Talk>;
  const detail::EntityKey key = detail::entity_key("Talk", 1);
  std::string which_entry = detail::find_index(type, *detail::ranked_index_of<Talk>("score")).key() + '\x02';
  which_entry += detail::id_in(key);
  const auto transaction = store_->begin();
  transaction->put(which_entry, "\x05");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  for (int number = 1; number <= 3; ++number) mapper_.apply<&Talk::rate>(number, 1);
  EXPECT_EQ(admin::refresh_indexes<Talk>(mapper_), 2U);
  mapper_.erase<Talk>(1);
  EXPECT_EQ(expect_right(), 0U);
  mapper_.save(Talk(1));
  EXPECT_EQ(expect_right(), 0U);
}

/// A store that fails as a fold may: it throws an integer where a scan begins at this key.
class ThrowingStore final : public Store {
 public:
  ThrowingStore(Store& store, detail::EntityKey key) : store_(store), key_(std::move(key)) {}

  StoreTraits traits() const override { return store_.traits(); }
  std::unique_ptr<Transaction> begin() override { return store_.begin(); }
  std::unique_ptr<Snapshot> snapshot() override { return std::make_unique<ThrowingSnapshot>(*this); }

 private:
  class ThrowingSnapshot final : public Snapshot {
   public:
    explicit ThrowingSnapshot(const ThrowingStore& store)
        : key_(store.key_), snapshot_(store.store_.snapshot()) {}
    bool get(std::string_view key, std::string& value) const override { return snapshot_->get(key, value); }
    std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                                 Direction direction) const override {
      if (begin == key_.bytes()) throw 5;  // NOLINT(hicpp-exception-baseclass)
      return snapshot_->scan(begin, end, direction);
    }

   private:
    const detail::EntityKey& key_;
    const std::unique_ptr<Snapshot> snapshot_;
  };

  Store& store_;
  const detail::EntityKey key_;
};

TEST_P(RankedRefreshTest, AnExceptionOfAnyTypeKeepsNobodyElseFromARefresh) {
  for (int number = 1; number <= 3; ++number) {
    other_.save(Talk(number));
    other_.apply<&Talk::rate>(number, 1);
  }
  ThrowingStore throwing(*store_, detail::entity_key("Talk", 2));
  std::vector<std::string> logged;
  MapperOptions logging = options();
  logging.log = [&](std::string_view line) { logged.emplace_back(line); };
  Mapper mapper(throwing, logging);
  EXPECT_EQ(admin::refresh_indexes<Talk>(mapper), 2U);
  EXPECT_THAT(logged,
              ElementsAre(::testing::StartsWith("Talk 2 is not refreshed in index score: an exception")));
  EXPECT_EQ(admin::refresh_indexes<Talk>(other_), 1U);
  EXPECT_EQ(expect_right(), 0U);
}

/// The second commit of a refresh has read the entity before it was damaged, and moves the entry while an
/// erase looks for it.
TEST_P(RankedRefreshTest, AnEraseOfADamagedEntityMeetsARefreshOfIt) {
  mapper_.save(Talk(1, 5));
  mapper_.save(Talk(2, 5));
  const detail::EntityKey key = detail::entity_key("Talk", 1);
  const detail::EntityType& type = detail::kEntityType<Talk>;
  const auto& score = dynamic_cast<const detail::RankedIndex&>(
      detail::find_index(type, *detail::ranked_index_of<Talk>("score")));
  const auto damage = store_->begin();
  damage->put(detail::main_key(key), "\x93");
  ASSERT_EQ(damage->commit(), CommitOutcome::kCommitted);
  faulty_.before_commit([&](int nth) {
    if (nth == 1) {
      Talk moved(1);
      moved.rate(7);
      const auto refresh = store_->begin();
      detail::StagedWrites writes;
      score.put_entry(*refresh, key, &moved, {.now = detail::kBeforeAllTimes, .longest_key = 0}, writes);
      writes.write(0, *refresh);
      EXPECT_EQ(refresh->commit(), CommitOutcome::kCommitted);
    }
    return Fate::kCommits;
  });
  EXPECT_TRUE(mapper_.erase<Talk>(1));
  EXPECT_EQ(expect_right(), 0U);
}

}  // namespace
}  // namespace autoshard::test
