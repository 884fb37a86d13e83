// A process that updates entities in every way to shard a property, and meanwhile compacts and resizes them,
// is killed at random points, again and again.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <random>
#include <string_view>
#include <thread>
#include <vector>

#include "entities/groups/topic.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/traffic.autoshard.h"
#include "keys.h"
#include "killed_process.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using forum::Topic;
using traffic::Page;
using namespace std::chrono_literals;

enum Kind : std::size_t { kLike, kView, kBook, kReturn, kReplace, kClick, kPost, kRearrange, kKinds };
constexpr int kThreads = 2;  // for each kind of update but the replacements
constexpr int kSeats = 500;

RocksDbOptions options() { return {.sync = true, .minimum_free_bytes = 0}; }

[[noreturn]] void repeat(int acknowledgements, Kind kind, const std::function<void()>& update) {
  for (;;) {
    update();
    acknowledge(acknowledgements, static_cast<int>(kind));
  }
}

/// On a busy machine the updates may leave no room for it: then it does nothing.
void rearrange(Mapper& mapper, std::mt19937_64& generator) try {
  const auto number = static_cast<std::uint32_t>(below(generator, 16));
  switch (below(generator, 4)) {
    case 0:
      return admin::set_shards<Flight>(mapper, 1, "views", number);
    case 1:
      return admin::set_shards<Flight>(mapper, 1, "seats", number + 1);
    case 2:
      return admin::set_shards<Page>(mapper, "/", "clicks", number + 1);
    default:
      admin::compact<Flight>(mapper, 1);
      admin::compact<Page>(mapper, "/");
      admin::compact<Topic>(mapper, 1);
  }
} catch (const Contention&) {
}

[[noreturn]] void run_writer(const char* folder, int acknowledgements) {
  RocksDbStore store(folder, options());
  Mapper mapper(store, {.compact_every = 1ms});
  Mapper alone(store, {.choice = ShardChoice::kRandom, .combine = false, .compact_every = 1ms});
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    Mapper& own = i == 0 ? mapper : alone;
    threads.emplace_back([&] { repeat(acknowledgements, kLike, [&] { own.apply<&Flight::like>(1); }); });
    threads.emplace_back([&] { repeat(acknowledgements, kView, [&] { own.apply<&Flight::view>(1); }); });
    threads.emplace_back(
        [&] { repeat(acknowledgements, kClick, [&] { own.apply<&Page::click>("/", "a"); }); });
    threads.emplace_back(
        [&] { repeat(acknowledgements, kPost, [&] { own.apply<&Topic::add_post>(1, "a"); }); });
    threads.emplace_back([&] {
      for (;;) {
        own.apply<&Flight::book>(1, 1);
        acknowledge(acknowledgements, kBook);
        own.apply<&Flight::book>(1, -1);
        acknowledge(acknowledgements, kReturn);
      }
    });
  }
  int score = mapper.load<Flight>(1).value().score();
  threads.emplace_back(
      [&] { repeat(acknowledgements, kReplace, [&] { mapper.apply<&Flight::reset_score>(1, ++score); }); });
  std::mt19937_64 generator(std::random_device{}());
  repeat(acknowledgements, kRearrange, [&] { rearrange(alone, generator); });
}

TEST(StrategiesKillTest, NothingIsLostOrCountedTwice) {
  if (kUnderThreadSanitizer) GTEST_SKIP() << "RocksDB is not compiled with the tests";
  const char* given = std::getenv("AUTOSHARD_KILL_CYCLES");
  const int cycles = given ? std::stoi(given) : 60;
  std::mt19937_64 generator = seeded_generator();
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "store";
  {
    RocksDbStore store(path, options());
    Mapper mapper(store);
    mapper.save(Flight(1, kSeats));
    mapper.save(Page("/"));
    mapper.save(Topic(1));
  }
  int likes = 0, views = 0, seats = kSeats, score = 0, clicks = 0;
  const auto expect_moved = [](int& value, int now, int acknowledged, int under_way) {
    ASSERT_GE(now - value, acknowledged);
    ASSERT_LE(now - value, acknowledged + under_way);
    value = now;
  };
  for (int cycle = 0; cycle < cycles; ++cycle) {
    const std::array<int, kKinds> acknowledged =
        run_and_kill<kKinds>(path, below(generator, std::size_t{1} << below(generator, 10)));
    RocksDbStore store(path, options());
    expect_healthy(store);
    Mapper mapper(store, {.compact_every = 0ms});
    Flight flight = mapper.load<Flight>(1).value();
    expect_moved(likes, static_cast<int>(flight.likes()), acknowledged[kLike], kThreads);
    expect_moved(views, flight.views(), acknowledged[kView], kThreads);
    expect_moved(score, flight.score(), acknowledged[kReplace], 1);
    const auto load_clicks = [&] { return static_cast<int>(mapper.load<Page>("/").value().clicks()); };
    expect_moved(clicks, load_clicks(), acknowledged[kClick], kThreads);
    const auto count_posts = [&] { return static_cast<int>(mapper.load<Topic>(1).value().posts().size()); };
    int posts = 0;
    expect_moved(posts, count_posts(), acknowledged[kPost], kThreads);
    const int net = acknowledged[kReturn] - acknowledged[kBook];
    ASSERT_LE(std::abs(flight.seats() - seats - net), kThreads);
    ASSERT_TRUE(flight.seats() >= 0 && flight.seats() <= Flight::kSeats);
    seats = flight.seats();

    admin::compact<Flight>(mapper, 1);
    flight = mapper.load<Flight>(1).value();
    ASSERT_EQ(flight.likes(), likes);
    ASSERT_EQ(flight.views(), views);
    ASSERT_EQ(flight.seats(), seats);
    ASSERT_EQ(flight.score(), score);
    ASSERT_EQ(admin::compact<Flight>(mapper, 1), 0u);
    admin::compact<Page>(mapper, "/");
    ASSERT_EQ(load_clicks(), clicks);
    admin::compact<Topic>(mapper, 1);
    ASSERT_EQ(count_posts(), posts);
    ASSERT_TRUE(mapper.erase<Topic>(1));
    mapper.save(Topic(1));
    mapper.apply<&Flight::book>(1, seats - kSeats);  // those whose thread was killed before it gave them back
    seats = kSeats;
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace autoshard::test

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--writer") {
    autoshard::test::run_writer(argv[2], std::stoi(argv[3]));
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
