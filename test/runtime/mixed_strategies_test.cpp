// Everything at the same time on one entity: updates of every strategy, replacements, resizes, compactions,
// saves, by several threads and four mappers, which also compact and resize by themselves; and readers, each
// of whose values must have been possible, at that time or, from a cache, at one that is not too long ago.
// AUTOSHARD_MIXED_UPDATES makes it longer.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "shared_reads.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

enum Kind : std::size_t { kLike, kView, kRate, kReplace, kBook, kReturn, kSave, kKinds };
using Counts = std::array<int, kKinds>;

/// A replacement of the score says which one it is, in units that no number of ratings reaches.
constexpr int kReplacement = 1'000'000;

/// What was begun and what was acknowledged of each kind of update: what a reader sees lies between what was
/// acknowledged before it began and what was begun before it ended.
struct User {
  User(Store& store, const MapperOptions& options) : mapper(store, options) {}

  template <class Update>
  void run(Kind kind, Update update) {
    begun[kind].fetch_add(1);
    update();
    acknowledged[kind].fetch_add(1);
  }

  Mapper mapper;
  std::array<std::atomic<int>, kKinds> begun{}, acknowledged{};
};

Counts read(const std::array<std::atomic<int>, kKinds>& counts) {
  Counts read;
  std::copy(counts.begin(), counts.end(), read.begin());
  return read;
}

/// What one reader may see: it notes what the users have acknowledged each time that it asks.
class Possible {
 public:
  explicit Possible(const std::vector<User*>& users) : users_(users) {}

  /// What has happened for certain in what `user` loads now, which may be so old.
  Counts least(const User& user, std::chrono::nanoseconds age) {
    Moment now;
    for (const User* each : users_) now.acknowledged.push_back(test::read(each->acknowledged));
    now.time = Clock::now();
    moments_.push_back(now);
    while (moments_.size() > kMoments) moments_.pop_front();
    Counts least{};
    const auto later = std::partition_point(moments_.begin(), moments_.end(), [&](const Moment& moment) {
      return now.time - moment.time >= age;
    });
    for (std::size_t i = 0; i < users_.size(); ++i) {
      if (users_[i] == &user) {
        add(least, now.acknowledged[i]);
      } else if (later != moments_.begin()) {
        add(least, std::prev(later)->acknowledged[i]);
      }
    }
    return least;
  }

  /// What can have happened in what is loaded by now.
  Counts most() const {
    Counts most{};
    for (const User* user : users_) add(most, test::read(user->begun));
    return most;
  }

  Counts acknowledged() const {
    Counts all{};
    for (const User* user : users_) add(all, test::read(user->acknowledged));
    return all;
  }

 private:
  static constexpr std::size_t kMoments =
      100'000;  // others are forgotten: what they had is not asked for then

  struct Moment {
    Clock::time_point time;
    std::vector<Counts> acknowledged;
  };

  static void add(Counts& counts, const Counts& more) {
    for (std::size_t kind = 0; kind < kKinds; ++kind) counts[kind] += more[kind];
  }

  const std::vector<User*>& users_;
  std::deque<Moment> moments_;
};

class MixedStrategiesTest : public StoreTest {
 protected:
  static constexpr int kFlight = 1;
  static constexpr int kSeats = 40;

  void update(User& user, std::mt19937_64& generator, int& mine) {
    Mapper& mapper = user.mapper;
    switch (below(generator, 6)) {
      case 0:
        return user.run(kLike, [&] { mapper.apply<&Flight::like>(kFlight); });
      case 1:
        return user.run(kView, [&] { mapper.apply<&Flight::view>(kFlight); });
      case 2:
        return user.run(kRate, [&] { mapper.apply<&Flight::rate>(kFlight, 1); });
      case 3:
      case 4:
        try {
          user.run(kBook, [&] { mapper.apply<&Flight::book>(kFlight, 1); });
          ++mine;
        } catch (const BoundExceeded&) {
          user.begun[kBook].fetch_sub(1);
        }
        return;
      default:
        if (mine == 0) return;
        user.run(kReturn, [&] { mapper.apply<&Flight::book>(kFlight, -1); });
        --mine;
    }
  }

  void write(User& user, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    int mine = 0;
    // Of which some are after the last replacement.
    for (int i = 0, after = 0; i < updates_ || after < updates_ / 4; ++i) {
      if (is_replaced_) ++after;
      update(user, generator, mine);
    }
  }

  void replace(User& user, const Possible& possible) {
    for (int i = 1; i <= replacements_; ++i) {
      user.run(kReplace, [&] {
        surely_replaced_ = possible.acknowledged()[kRate];
        user.mapper.apply<&Flight::reset_score>(kFlight, i * kReplacement);
        perhaps_replaced_ = possible.most()[kRate];
      });
    }
    is_replaced_ = true;
  }

  void rearrange(User& user, std::uint64_t seed) {
    std::mt19937_64 generator(seed);
    Mapper& mapper = user.mapper;
    for (int saved = 0; goes_on_;) {
      const auto number = [&](std::size_t bound) {
        return static_cast<std::uint32_t>(below(generator, bound));
      };
      switch (below(generator, 6)) {
        case 0:
          admin::set_shards<Flight>(mapper, kFlight, "views", number(20));
          break;
        case 1:
          admin::set_shards<Flight>(mapper, kFlight, "seats", 1 + number(20));
          break;
        case 2:
          admin::set_shards<Flight>(mapper, kFlight, "score", number(20));
          break;
        case 3: {
          Flight flight = mapper.load<Flight>(kFlight).value();
          flight.set_to(std::to_string(++saved));
          user.run(kSave, [&] { mapper.save(flight); });
          break;
        }
        default:
          admin::compact<Flight>(mapper, kFlight);
      }
    }
  }

  /// Now and then the user makes an update, as often as `update_one_of` says, and sees it. Nobody else asks
  /// for its own age, and so renews what the shared cache has of that.
  void read(User& user, Possible possible, std::uint64_t seed, std::chrono::milliseconds own_age,
            std::size_t update_one_of = 0) {
    std::mt19937_64 generator(seed);
    int mine = 0;
    while (goes_on_ && !HasFatalFailure()) {
      if (update_one_of > 0 && below(generator, update_one_of) == 0) update(user, generator, mine);
      const std::array<std::chrono::milliseconds, 5> ages = {0ms, 1ms, own_age, 10ms, 1h};
      const std::chrono::milliseconds age = ages[below(generator, ages.size())];
      const auto where = below(generator, 2) == 0 ? cached::where::this_process : cached::where::shared;
      // What came late to the shared cache is taken if it is not a second older (see cached.h).
      const auto late = where == cached::where::shared && age > 0s ? detail::SharedReads::kTolerance : 0s;
      const Counts now = possible.least(user, 0s), least = possible.least(user, age + late);
      const Flight flight = (age == 0s ? user.mapper.load<Flight>(kFlight)
                                       : user.mapper.load<Flight>(kFlight, cached{age, where}))
                                .value();
      expect_possible(flight, least, possible.most());
      if (flight.views() < now[kView]) old_ones_.fetch_add(1);
    }
  }

  void expect_possible(const Flight& flight, const Counts& least, const Counts& most) {
    const auto expect_between = [](int value, int lowest, int highest, const char* what) {
      ASSERT_GE(value, lowest) << what;
      ASSERT_LE(value, highest) << what;
    };
    expect_between(static_cast<int>(flight.likes()), least[kLike], most[kLike], "likes");
    expect_between(flight.views(), least[kView], most[kView], "views");
    expect_between(flight.score() / kReplacement, least[kReplace], most[kReplace], "replacements");
    expect_between(flight.score() % kReplacement, 0, most[kRate], "ratings");
    expect_between(flight.seats(), 0, Flight::kSeats, "bounds");
    expect_between(flight.seats(), kSeats - most[kBook] + least[kReturn],
                   kSeats - least[kBook] + most[kReturn], "seats");
    const int saved = flight.to().empty() ? 0 : std::stoi(flight.to());
    expect_between(saved, least[kSave], most[kSave], "saves");
  }

  const char* const given_ = std::getenv("AUTOSHARD_MIXED_UPDATES");
  const int updates_ = given_ ? std::stoi(given_) : 1500;  // of each writer
  const int replacements_ = std::min(updates_ / 10, 2000);
  std::atomic<bool> goes_on_{true}, is_replaced_{false};
  // Ratings that the last replacement has done away with for certain, and those that it may have.
  std::atomic<int> surely_replaced_{0}, perhaps_replaced_{0};
  std::atomic<int> old_ones_{0};  // loads that a cache must have answered
};

TEST_P(MixedStrategiesTest, EveryReadIsPossibleAndNothingIsLost) {
  std::mt19937_64 generator = seeded_generator();
  const RetryPolicy patient{.max_attempts = 1'000'000, .deadline = 1h};
  MemoryCache cache;
  MapperOptions options{.retry = patient,
                        .compact_every = 1ms,
                        .adaptive = {.window = 1ms,
                                     .conflicts_per_second = 0.001,
                                     .conflict_share = 0.000'001,
                                     .hot_windows = 1,
                                     .quiet_ratio = 0.001,
                                     .quiet_for = 0s,
                                     .quiet_for_at_most = 0s},
                        .cache = &cache};
  User combining(*store_, options), seldom(*store_, options);
  options.choice = ShardChoice::kRandom;
  options.combine = false;
  User alone(*store_, options);
  options.compact_every = options.adaptive.window = 0ms;
  User watching(*store_, options);  // changes nothing, so that the shared cache is good enough for it
  const std::vector<User*> users = {&combining, &alone, &seldom, &watching};
  const Possible possible(users);
  combining.mapper.save(Flight(kFlight, kSeats));

  std::vector<std::thread> others, writers;
  others.emplace_back([&, seed = generator()] { rearrange(alone, seed); });
  others.emplace_back([&, seed = generator()] { read(combining, possible, seed, 4ms); });
  others.emplace_back([&, seed = generator()] { read(alone, possible, seed, 5ms); });
  others.emplace_back([&, seed = generator()] { read(seldom, possible, seed, 6ms, 64); });
  others.emplace_back([&, seed = generator()] { read(watching, possible, seed, 7ms); });
  for (int i = 0; i < 4; ++i) {
    writers.emplace_back([&, i, seed = generator()] { write(i % 2 == 0 ? combining : alone, seed); });
  }
  writers.emplace_back([&] { replace(combining, possible); });
  for (std::thread& writer : writers) writer.join();
  goes_on_ = false;
  for (std::thread& other : others) other.join();

  const Flight flight = combining.mapper.load<Flight>(kFlight).value();
  const Counts all = possible.acknowledged();
  EXPECT_EQ(flight.likes(), all[kLike]);
  EXPECT_EQ(flight.views(), all[kView]);
  EXPECT_EQ(flight.seats(), kSeats - all[kBook] + all[kReturn]);
  EXPECT_EQ(flight.score() / kReplacement, replacements_);
  EXPECT_GT(all[kRate], perhaps_replaced_) << "none that has to be there still";
  EXPECT_GE(flight.score() % kReplacement, all[kRate] - perhaps_replaced_);
  EXPECT_LE(flight.score() % kReplacement, all[kRate] - surely_replaced_);
  EXPECT_GT(old_ones_, 0) << "nothing was seen of caches";
  EXPECT_TRUE(combining.mapper.erase<Flight>(kFlight));
  EXPECT_TRUE(records(*store_, "\2").empty()) << "of entities: compaction may hold its lease";
}

INSTANTIATE_TEST_SUITE_P(Stores, MixedStrategiesTest, ::testing::ValuesIn(stores_for_threads()), store_name);

}  // namespace
}  // namespace autoshard::test
