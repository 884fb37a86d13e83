#include "compaction.h"

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "context.h"
#include "faulty_store.h"
#include "flight.h"
#include "keys.h"
#include "removals.h"
#include "test_store.h"
#include "writer.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using detail::entity_key;
using namespace std::chrono_literals;

/// Passes on everything, and notes where it is told to tidy up.
class TidyingStore final : public Store {
 public:
  struct Tidied {
    std::string begin, end;
    int snapshots;  // that are held meanwhile: what they show stays
  };

  explicit TidyingStore(Store& store) : store_(store) {}

  StoreTraits traits() const override { return store_.traits(); }
  std::unique_ptr<Transaction> begin() override { return store_.begin(); }
  std::unique_ptr<Snapshot> snapshot() override {
    return std::make_unique<CountedSnapshot>(store_.snapshot(), snapshots_);
  }
  void reclaim(std::string_view begin, std::string_view end) override {
    tidied.push_back({std::string(begin), std::string(end), snapshots_});
    store_.reclaim(begin, end);
  }

  std::vector<Tidied> tidied;

 private:
  class CountedSnapshot final : public Snapshot {
   public:
    CountedSnapshot(std::unique_ptr<Snapshot> snapshot, int& number)
        : snapshot_(std::move(snapshot)), number_(number) {
      ++number_;
    }
    ~CountedSnapshot() override { --number_; }
    bool get(std::string_view key, std::string& value) const override { return snapshot_->get(key, value); }
    std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                                 Direction direction) const override {
      return snapshot_->scan(begin, end, direction);
    }

   private:
    const std::unique_ptr<Snapshot> snapshot_;
    int& number_;
  };

  Store& store_;
  int snapshots_ = 0;
};

class CompactionTest : public StoreTest {
 protected:
  static MapperOptions options() {
    return {.combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}};
  }

  std::int64_t likes(int flight) { return mapper_.load<Flight>(flight).value().likes(); }

  Mapper mapper_{*store_, options()};
};
INSTANTIATE_TEST_SUITE_P(Stores, CompactionTest, ::testing::ValuesIn(all_stores()), store_name);

/// However few it removes at a time.
TEST_P(CompactionTest, WhereMuchWasRemovedTheStoreTidiesUp) {
  TidyingStore store(*store_);
  Mapper mapper(store, options());
  for (const int flight : {1, 2}) mapper.save(Flight(flight));
  std::uint64_t removed = 0;
  for (std::uint64_t round = 0; round < 20; ++round) {
    for (int i = 0; i < 1000; ++i) mapper.apply<&Flight::like>(1);
    mapper.apply<&Flight::like>(2);
    const bool is_one = round % 2 == 0;
    removed += is_one ? admin::compact<Flight>(mapper, 1) : admin::compact<Flight>(mapper) - 2;
    ASSERT_EQ(removed, 1000 * (round + 1));
    ASSERT_EQ(store.tidied.size(), removed < detail::Removals::kWorthReclaiming ? 0u : 1u) << removed;
  }
  EXPECT_EQ(store.tidied[0].begin, entity_key("Flight", 1));
  EXPECT_EQ(store.tidied[0].end, detail::end_key(entity_key("Flight", 1)));
  EXPECT_EQ(store.tidied[0].snapshots, 0);
  EXPECT_EQ(likes(1), 20'000);
  EXPECT_EQ(likes(2), 20);
}

/// Of what one entity has, as long as it may.
TEST_P(CompactionTest, AsksBeforeEachBatchWhetherItGoesOn) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 1000; ++i) mapper_.apply<&Flight::like>(1);
  detail::MapperContext context(*store_, options());
  int asked = 0, allowed = 2;
  const auto compact = [&] {
    asked = 0;
    return detail::compact(context, detail::kEntityType<Flight>, entity_key("Flight", 1),
                           [&] { return ++asked <= allowed; });
  };
  const std::uint64_t removed = compact();
  EXPECT_EQ(asked, 3);
  EXPECT_GT(removed, 0u);
  EXPECT_LT(removed, 1000u);
  EXPECT_EQ(likes(1), 1000);
  allowed = 0;
  EXPECT_EQ(compact(), 0u);
  allowed = 1000;
  EXPECT_EQ(compact(), 1000 - removed);
  EXPECT_EQ(likes(1), 1000);
}

TEST_P(CompactionTest, ARecordOfSomethingElseStays) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::like>(1);
  std::string foreign = detail::shard_key(entity_key("Flight", 1), "likes", 0);
  foreign.pop_back();  // too short for a shard, among those that are looked at
  const auto transaction = store_->begin();
  transaction->put(foreign, "\xC0");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(admin::compact<Flight>(mapper_, 1), 3u);
  EXPECT_EQ(likes(1), 3);
  std::string value;
  EXPECT_TRUE(store_->snapshot()->get(foreign, value));
}

/// It is looked through a few thousand records at a time.
TEST_P(CompactionTest, OfAKindFindsWhatLiesBehindMuchThatIsCompact) {
  std::vector<Flight> flights;
  for (int number = 1; number <= 600; ++number) flights.emplace_back(number, 8);
  mapper_.save(flights);
  ASSERT_GT(records(*store_).size(), 5'000u);
  for (const int number : {1, 300, 600}) mapper_.apply<&Flight::like>(number);
  EXPECT_EQ(admin::compact<Flight>(mapper_), 3u);
  for (const int number : {1, 300, 600}) EXPECT_EQ(likes(number), 1);
  EXPECT_EQ(admin::compact<Flight>(mapper_), 0u);
}

/// What was cut short of that erase is for the next one to complete.
TEST_P(CompactionTest, AnEntityThatIsErasedMeanwhileIsLeftAlone) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::like>(1);
  const auto erase_and_crash = [&] {
    FaultyStore crashing(*store_);
    crashing.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
    EXPECT_TRUE(Mapper(crashing, options()).erase<Flight>(1));
  };
  FaultyStore faulty(*store_);
  detail::MapperContext context(faulty, options());
  int looks = 0;
  faulty.before_begin([&] {
    if (++looks == 2) erase_and_crash();  // it was no tombstone at the first look
  });
  const std::string key = entity_key("Flight", 1);
  const auto compact = [&] { return detail::compact(context, detail::kEntityType<Flight>, key); };
  EXPECT_EQ(compact(), 0u);
  EXPECT_FALSE(mapper_.exists<Flight>(1));
  EXPECT_GT(records(*store_, key, detail::end_key(key)).size(), 3u);
  EXPECT_GT(compact(), 3u);
  EXPECT_TRUE(records(*store_, key, detail::end_key(key)).empty());
}

}  // namespace
}  // namespace autoshard::test
