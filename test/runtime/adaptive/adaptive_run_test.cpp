#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <atomic>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "exchange.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using airline::Flight;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Processes that update flights at the same time, in one thread: each begins its transaction, and the one
/// that began last commits first.
class AdaptiveRunTest : public StoreTest {
 protected:
  static constexpr int kProcesses = 8;

  AdaptiveRunTest() {
    for (int i = 0; i < kProcesses; ++i) add_process(&cache_);
    for (const int flight : {1, 2}) processes_.front()->save(Flight(flight));
  }

  void add_process(SharedCache* cache) {
    processes_.push_back(std::make_unique<Mapper>(
        raced_store_, MapperOptions{.adaptive = {.window = 0ms, .quiet_for = 20s},
                                    .cache = cache,
                                    .log = [this](std::string_view line) { log_.emplace_back(line); }}));
    admin::adapt(*processes_.back(), now_);
  }

  /// A window in which so many processes view a flight.
  void window(int flight, int processes) {
    for (int i = 0; i < 20 && processes > 0; ++i) race(flight, processes);
    close();
  }

  void close() {
    now_ += 1s;
    for (const auto& process : processes_) admin::adapt(*process, now_);
  }

  void race(int flight, int processes) {
    int began = 0;
    const auto next = [&] {
      Mapper& process = *processes_[static_cast<std::size_t>(began++)];
      process.apply<&Flight::view>(flight);
      ++views_[flight];
    };
    raced_store_.before_commit([&](int) {
      if (began < processes) next();
      return Fate::kCommits;
    });
    next();
    raced_store_.before_commit(nullptr);
  }

  std::uint32_t shards(int flight) { return admin::shards<Flight>(*processes_.front(), flight, "views"); }
  int views(int flight) { return processes_.front()->load<Flight>(flight)->views(); }

  FaultyStore raced_store_{*store_};
  std::chrono::steady_clock::time_point now_ = std::chrono::steady_clock::now() + 1s;
  MemoryCache cache_{1'000'000, [this] { return now_; }};
  std::vector<std::string> log_;
  std::vector<std::unique_ptr<Mapper>> processes_;
  std::map<int, int> views_;
};

INSTANTIATE_TEST_SUITE_P(Stores, AdaptiveRunTest, testing::ValuesIn(all_stores()), store_name);

TEST_P(AdaptiveRunTest, TheNumberFollowsALoadThatRisesAndMovesAndFalls) {
  for (int i = 0; i < 10; ++i) window(1, 1);
  EXPECT_EQ(shards(1), 1u);

  for (int i = 0; i < 10; ++i) window(1, kProcesses);
  EXPECT_EQ(shards(1), 8u);
  EXPECT_EQ(shards(2), 1u);
  EXPECT_THAT(log_,
              ElementsAre("Flight 1, views: changed from 1 to 2 shards, because updates meet conflicts",
                          "Flight 1, views: changed from 2 to 4 shards, because updates meet conflicts",
                          "Flight 1, views: changed from 4 to 8 shards, because updates meet conflicts"));

  for (int i = 0; i < 10; ++i) window(2, kProcesses);
  EXPECT_EQ(shards(1), 8u) << "it may come back";
  EXPECT_EQ(shards(2), 8u);

  for (int i = 0; i < 90; ++i) window(2, 0);
  EXPECT_EQ(shards(1), 1u);
  EXPECT_EQ(shards(2), 1u);
  EXPECT_EQ(log_.back(), "Flight 2, views: changed from 2 to 1 shards, because the load has been low");
  log_.clear();
  for (int i = 0; i < 90; ++i) window(2, 1);
  EXPECT_THAT(log_, IsEmpty());
  for (const int flight : {1, 2}) EXPECT_EQ(views(flight), views_[flight]);
}

TEST_P(AdaptiveRunTest, OneShardIsBestForOneProcess) {
  for (int i = 0; i < 20; ++i) window(1, 1);
  EXPECT_EQ(shards(1), 1u);
}

TEST_P(AdaptiveRunTest, WithoutACacheNobodyKnowsOfOthers) {
  processes_.clear();
  for (int i = 0; i < kProcesses; ++i) add_process(nullptr);
  for (int i = 0; i < 10; ++i) window(1, kProcesses);
  EXPECT_EQ(shards(1), 2u) << "conflicts tell of one other";
  EXPECT_EQ(views(1), views_[1]);
}

TEST_P(AdaptiveRunTest, RulesThatMakeNoSenseAreRefused) {
  EXPECT_THROW(Mapper(*store_, {.adaptive = {.conflicts_per_second = 0}}), InvalidUse);
  EXPECT_THROW(Mapper(*store_, {.adaptive = {.hot_windows = 0}}), InvalidUse);
}

TEST_P(AdaptiveRunTest, AnErasedEntityIsNoMatter) {
  for (int i = 0; i < 10; ++i) window(1, kProcesses);
  EXPECT_EQ(shards(1), 8u);
  EXPECT_TRUE(processes_.front()->erase<Flight>(1));
  log_.clear();
  for (int i = 0; i < 90; ++i) window(1, 0);
  EXPECT_THAT(log_, IsEmpty());
  EXPECT_FALSE(processes_.front()->exists<Flight>(1));
}

TEST_P(AdaptiveRunTest, LoadsLimitTheNumber) {
  processes_.clear();
  for (int i = 0; i < kProcesses; ++i) {
    processes_.push_back(std::make_unique<Mapper>(
        raced_store_,
        MapperOptions{.adaptive = {.window = 0ms, .shards_read_per_second = 200}, .cache = &cache_}));
    admin::adapt(*processes_.back(), now_);
  }
  for (int i = 0; i < 20; ++i) {
    for (int load = 0; load < 50; ++load) views(1);
    window(1, kProcesses);
  }
  EXPECT_EQ(shards(1), 4u);
}

TEST_P(AdaptiveRunTest, HotSpotsOfSavesAreFound) {
  Mapper& one = *processes_[0];
  Mapper& other = *processes_[1];
  EXPECT_THAT(admin::hot_spots(one), IsEmpty());
  for (int i = 0; i < 800; ++i) {
    Flight mine = one.load<Flight>(1).value(), theirs = other.load<Flight>(1).value();
    mine.set_to("A" + std::to_string(i));
    theirs.set_to("B" + std::to_string(i));
    one.save(mine);
    EXPECT_THROW(other.save(theirs), StaleEntity);
    EXPECT_THROW(other.transact([&](EntityTransaction& transaction) { transaction.save(theirs); }),
                 StaleEntity);
    if (i % 20 == 0) close();
  }
  const std::vector<HotSpot> spots = admin::hot_spots(*processes_.back());
  ASSERT_EQ(spots.size(), 1u);
  EXPECT_EQ(spots.front().entity, "Flight 1");
  EXPECT_EQ(spots.front().property, "to");
  EXPECT_NEAR(spots.front().saves_per_second, 20, 1);
  EXPECT_NEAR(spots.front().conflicts_per_second, 40, 1);
  EXPECT_EQ(spots.front().writers, 2u);
  EXPECT_THAT(spots.front().annotation, HasSubstr("shards = 2"));
}

// As `++hits_` does: what the one that fails was going to write is what the other one has written.
TEST_P(AdaptiveRunTest, HotSpotsOfEqualChangesAreFound) {
  Mapper& one = *processes_[0];
  Mapper& other = *processes_[1];
  for (int i = 0; i < 800; ++i) {
    Flight mine = one.load<Flight>(1).value(), theirs = other.load<Flight>(1).value();
    for (Flight* flight : {&mine, &theirs}) flight->set_to("A" + std::to_string(i));
    one.save(mine);
    EXPECT_THROW(other.save(theirs), StaleEntity);
    bool is_first = true;
    other.transact([&](EntityTransaction& transaction) {
      Flight again = transaction.load<Flight>(1).value();
      Flight meanwhile = one.load<Flight>(1).value();
      for (Flight* flight : {&again, &meanwhile}) flight->set_to("B" + std::to_string(i));
      if (std::exchange(is_first, false)) one.save(meanwhile);
      transaction.save(again);
    });
    if (i % 20 == 0) close();
  }
  const std::vector<HotSpot> spots = admin::hot_spots(one);
  ASSERT_EQ(spots.size(), 1u);
  EXPECT_EQ(spots.front().entity, "Flight 1");
  EXPECT_EQ(spots.front().property, "to");
  EXPECT_NEAR(spots.front().conflicts_per_second, 40, 1);
}

TEST_P(AdaptiveRunTest, HotSpotsOfTransactionsAreFound) {
  Mapper& mapper = *processes_[0];
  for (int i = 0; i < 800; ++i) {
    bool is_first = true;
    mapper.transact([&](EntityTransaction& transaction) {
      EXPECT_TRUE(transaction.load<Flight>(2));
      Flight mine = transaction.load<Flight>(1).value();
      mine.set_to("mine");
      transaction.save(mine);
      if (!std::exchange(is_first, false)) return;
      Flight theirs = processes_[1]->load<Flight>(1).value();
      theirs.set_to("theirs");
      processes_[1]->save(theirs);
    });
    if (i % 20 == 0) close();
  }
  const std::vector<HotSpot> spots = admin::hot_spots(mapper);
  ASSERT_EQ(spots.size(), 1u);
  EXPECT_EQ(spots.front().entity, "Flight 1");
  EXPECT_EQ(spots.front().property, "to");
  EXPECT_NEAR(spots.front().saves_per_second, 40, 1);
  EXPECT_NEAR(spots.front().conflicts_per_second, 20, 1);
}

TEST_P(AdaptiveRunTest, NobodyElseSaysWhatTheAnnotationAllows) {
  detail::Exchange stranger(cache_, 1h, nullptr);
  stranger.share({{{detail::entity_key("Flight", 1), "views"},
                   {.shards = 1, .least = 50'000, .most = 60'000, .writers = 60'000}}});
  for (int i = 0; i < 10; ++i) window(1, kProcesses);
  EXPECT_EQ(shards(1), 16u) << "which is the most";
  EXPECT_EQ(views(1), views_[1]);
}

class AdaptiveThreadsTest : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, AdaptiveThreadsTest, testing::ValuesIn(stores_for_threads()), store_name);

/// Everything is hot or quiet, so that the number changes all the time.
TEST_P(AdaptiveThreadsTest, NothingIsLostWhileTheNumberGoesUpAndDown) {
  constexpr int kThreads = 4, kEach = 3'000;
  MemoryCache cache;
  std::atomic<int> resizes{0};
  const MapperOptions options{
      .combine = false,
      .adaptive = {.window = 1ms,
                   .conflicts_per_second = 0.001,
                   .conflict_share = 0.000'001,
                   .updates_per_commit = 1e9,
                   .hot_windows = 1,
                   .quiet_ratio = 0.001,
                   .quiet_for = 0s,
                   .quiet_for_at_most = 0s},
      .cache = &cache,
      .log = [&](std::string_view line) { resizes += line.find("because") != std::string_view::npos; }};
  Mapper one(*store_, options), other(*store_, options);
  one.save(Flight(1));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&mapper = thread % 2 == 0 ? one : other] {
      for (int i = 0; i < kEach; ++i) mapper.apply<&Flight::view>(1);
    });
  }
  // Sets it apart, so that it can come down again even where there are few conflicts.
  for (int i = 0; i < 20; ++i) {
    admin::set_shards<Flight>(one, 1, "views", 16);
    EXPECT_LE(other.load<Flight>(1)->views(), kThreads * kEach);
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(one.load<Flight>(1)->views(), kThreads * kEach);
  while (admin::shards<Flight>(one, 1, "views") > 1) std::this_thread::yield();
  EXPECT_GT(resizes.load(), 0);
  EXPECT_EQ(other.load<Flight>(1)->views(), kThreads * kEach);
}

}  // namespace
}  // namespace autoshard::test
