// Everything at the same time on one entity: updates of every strategy, replacements, resizes, compactions,
// saves, by several threads and two mappers, which also compact and resize by themselves; and readers, each
// of whose values must have been possible.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "flight.h"
#include "test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;

/// What was begun and what was acknowledged of one kind of update: what a reader sees lies between what was
/// acknowledged before it began and what was begun before it ended.
struct Count {
  std::atomic<int> begun{0};
  std::atomic<int> acknowledged{0};

  template <class Update>
  void run(Update update) {
    begun.fetch_add(1);
    update();
    acknowledged.fetch_add(1);
  }
};

/// A replacement of the score says which one it is, in units that no number of ratings reaches.
constexpr int kReplacement = 100'000;

struct History {
  Count likes, views, ratings;
  Count booked, returned;  // seats
  Count replaced;          // by one thread
  // Ratings that the last replacement has done away with for certain, and those that it may have.
  std::atomic<int> surely_replaced{0}, perhaps_replaced{0};
};

class MixedStrategiesTest : public StoreTest {
 protected:
  static constexpr int kFlight = 1;
  static constexpr int kSeats = 40;
  static constexpr int kUpdates = 1500, kReplacements = kUpdates / 10;

  void write(Mapper& mapper, std::uint64_t seed, int updates) {
    std::mt19937_64 generator(seed);
    int mine = 0;
    // Of which some are after the last replacement.
    for (int i = 0, after = 0; i < updates || after < updates / 4; ++i) {
      if (history_.replaced.acknowledged == kReplacements) ++after;
      switch (below(generator, 6)) {
        case 0:
          history_.likes.run([&] { mapper.apply<&Flight::like>(kFlight); });
          break;
        case 1:
          history_.views.run([&] { mapper.apply<&Flight::view>(kFlight); });
          break;
        case 2:
          history_.ratings.run([&] { mapper.apply<&Flight::rate>(kFlight, 1); });
          break;
        case 3:
        case 4:
          try {
            history_.booked.begun.fetch_add(1);
            mapper.apply<&Flight::book>(kFlight, 1);
            history_.booked.acknowledged.fetch_add(1);
            ++mine;
          } catch (const BoundExceeded&) {
            history_.booked.begun.fetch_sub(1);
          }
          break;
        default:
          if (mine == 0) break;
          history_.returned.run([&] { mapper.apply<&Flight::book>(kFlight, -1); });
          --mine;
      }
    }
  }

  void replace(Mapper& mapper) {
    for (int i = 1; i <= kReplacements; ++i) {
      history_.replaced.run([&] {
        const int before = history_.ratings.acknowledged;
        mapper.apply<&Flight::reset_score>(kFlight, i * kReplacement);
        history_.surely_replaced = before;
        history_.perhaps_replaced.store(history_.ratings.begun);
      });
    }
  }

  void rearrange(Mapper& mapper, std::uint64_t seed, const std::atomic<bool>& goes_on) {
    std::mt19937_64 generator(seed);
    while (goes_on.load()) {
      const auto number = [&](std::size_t bound) {
        return static_cast<std::uint32_t>(below(generator, bound));
      };
      switch (below(generator, 6)) {
        case 0:
          mapper.set_shards<Flight>(kFlight, "views", number(20));
          break;
        case 1:
          mapper.set_shards<Flight>(kFlight, "seats", 1 + number(20));
          break;
        case 2:
          mapper.set_shards<Flight>(kFlight, "score", number(20));
          break;
        case 3: {
          Flight flight = mapper.load<Flight>(kFlight).value();
          flight.set_to(std::to_string(number(1000)));
          mapper.save(flight);
          break;
        }
        default:
          mapper.compact<Flight>(kFlight);
      }
    }
  }

  void read(Mapper& mapper, const std::atomic<bool>& goes_on) {
    const auto expect_between = [](int value, int least, int most, const char* what) {
      ASSERT_GE(value, least) << what;
      ASSERT_LE(value, most) << what;
    };
    while (goes_on.load()) {
      const int likes = history_.likes.acknowledged, views = history_.views.acknowledged;
      const int replaced = history_.replaced.acknowledged;
      const int booked = history_.booked.acknowledged, returned = history_.returned.acknowledged;
      const Flight flight = mapper.load<Flight>(kFlight).value();
      expect_between(static_cast<int>(flight.likes()), likes, history_.likes.begun, "likes");
      expect_between(flight.views(), views, history_.views.begun, "views");
      expect_between(flight.score() / kReplacement, replaced, history_.replaced.begun, "replacements");
      expect_between(flight.score() % kReplacement, 0, history_.ratings.begun, "ratings");
      expect_between(flight.seats(), 0, Flight::kSeats, "bounds");
      expect_between(flight.seats(), kSeats - history_.booked.begun + returned,
                     kSeats - booked + history_.returned.begun, "seats");
      if (HasFatalFailure()) return;
    }
  }

  History history_;
};

TEST_P(MixedStrategiesTest, EveryReadIsPossibleAndNothingIsLost) {
  std::mt19937_64 generator = seeded_generator();
  const RetryPolicy patient{.max_attempts = 1'000'000, .deadline = std::chrono::hours(1)};
  MemoryCache cache;
  MapperOptions options{.retry = patient,
                        .compact_every = std::chrono::milliseconds(1),
                        .adaptive = {.window = std::chrono::milliseconds(1),
                                     .conflicts_per_second = 0.001,
                                     .conflict_share = 0.000'001,
                                     .hot_windows = 1,
                                     .quiet_ratio = 0.001,
                                     .quiet_for = std::chrono::seconds(0),
                                     .quiet_for_at_most = std::chrono::seconds(0)},
                        .cache = &cache};
  Mapper combining(*store_, options);
  options.choice = ShardChoice::kRandom;
  options.combine = false;
  Mapper alone(*store_, options);
  combining.save(Flight(kFlight, kSeats));

  std::atomic<bool> goes_on{true};
  std::vector<std::thread> others, writers;
  others.emplace_back([&, seed = generator()] { rearrange(alone, seed, goes_on); });
  others.emplace_back([&] { read(combining, goes_on); });
  others.emplace_back([&] { read(alone, goes_on); });
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back(
        [&, i, seed = generator()] { write(i % 2 == 0 ? combining : alone, seed, kUpdates); });
  }
  writers.emplace_back([&] { replace(combining); });
  for (std::thread& writer : writers) writer.join();
  goes_on = false;
  for (std::thread& other : others) other.join();

  const Flight flight = combining.load<Flight>(kFlight).value();
  EXPECT_EQ(flight.likes(), history_.likes.acknowledged);
  EXPECT_EQ(flight.views(), history_.views.acknowledged);
  EXPECT_EQ(flight.seats(), kSeats - history_.booked.acknowledged + history_.returned.acknowledged);
  EXPECT_EQ(flight.score() / kReplacement, kReplacements);
  const int ratings = history_.ratings.acknowledged;
  EXPECT_GT(ratings, history_.perhaps_replaced) << "none that has to be there still";
  EXPECT_GE(flight.score() % kReplacement, ratings - history_.perhaps_replaced);
  EXPECT_LE(flight.score() % kReplacement, ratings - history_.surely_replaced);
  EXPECT_TRUE(combining.erase<Flight>(kFlight));
  EXPECT_TRUE(records(*store_, "\2").empty()) << "of entities: compaction may hold its lease";
}

INSTANTIATE_TEST_SUITE_P(Stores, MixedStrategiesTest, ::testing::ValuesIn(stores_for_threads()), store_name);

}  // namespace
}  // namespace autoshard::test
