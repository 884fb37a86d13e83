// Processes, real ones, that share one MariaDB and one memcached, update one entity in every way to shard a
// property, and resize and compact it meanwhile. Each checks whatever it loads, also what others have loaded
// for it, and one of them is killed.

#include <autoshard/autoshard.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "mariadb_server.h"
#include "support/memcached_server.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using airline::Flight;
using Clock = std::chrono::steady_clock;  // one for all processes of a machine

constexpr std::size_t kProcesses = 4;  // the last of which is killed
constexpr std::size_t kVictim = kProcesses - 1;
constexpr int kThreads = 2, kUpdates = 500;
constexpr int kSeats = 150, kFlight = 1;
constexpr std::chrono::seconds kStale = 2s;
constexpr int kReplacement = 100'000;  // in units that no number of ratings reaches

enum Kind : std::size_t { kLikes, kViews, kRatings, kBooked, kReturned, kReplaced, kKinds };

/// What a process has begun and what was acknowledged, or of all.
struct Tally {
  std::array<std::atomic<int>, kKinds> begun, acknowledged;
};

/// In memory that all of them share.
struct Shared {
  std::array<Tally, kProcesses> tallies;
  // Ratings that the last replacement has done away with for certain, and those that it may have.
  std::atomic<int> surely_replaced, perhaps_replaced;
  std::atomic<bool> sells_out;  // from now on: nobody returns a seat any more once it has found none
};

/// That of the others, and of its own.
struct Acknowledged {
  Clock::time_point at;
  std::array<int, kKinds> others{}, own{};
};

[[noreturn]] void fail(std::string_view what, int value, int least, int most) {
  std::cerr << getpid() << ": " << what << " is " << value << ", not from " << least << " to " << most
            << '\n';
  _exit(EXIT_FAILURE);
}

/// One thread of a process.
class Client {
 public:
  Client(Mapper& mapper, Shared& shared, std::size_t process, std::uint64_t seed)
      : mapper_(mapper), shared_(shared), process_(process), generator_(seed) {}

  void run() {
    for (int i = 0; i < kUpdates || !shared_.sells_out; ++i) {
      samples_.push_back(sample());
      step();
    }
    while (book()) {
    }
  }

 private:
  std::uint32_t number(std::size_t bound) { return static_cast<std::uint32_t>(below(generator_, bound)); }

  void step() {
    switch (number(14)) {
      case 0:
      case 1:
        return count(kLikes, [&] { mapper_.apply<&Flight::like>(kFlight); });
      case 2:
      case 3:
        return count(kViews, [&] { mapper_.apply<&Flight::view>(kFlight); });
      case 4:
        return count(kRatings, [&] { mapper_.apply<&Flight::rate>(kFlight, 1); });
      case 5:
        if (process_ != 0 || !replaces_.try_lock()) return;
        count(kReplaced, [&] { replace(); });
        return replaces_.unlock();
      case 6:
        mine_ += book();
        return;
      case 7:
        if (mine_ == 0) return;
        --mine_;
        return count(kReturned, [&] { mapper_.apply<&Flight::book>(kFlight, -1); });
      case 8:
        admin::set_shards<Flight>(mapper_, kFlight, "views", number(12));
        return;
      case 9:
        admin::set_shards<Flight>(mapper_, kFlight, "seats", 1 + number(12));
        return;
      case 10:
        admin::compact<Flight>(mapper_, kFlight);
        return;
      case 11:
        return check(mapper_.load<Flight>(kFlight).value(), samples_.back());
      default:
        return check_cached();
    }
  }

  template <class Update>
  void count(Kind kind, Update update) {
    Tally& own = shared_.tallies.at(process_);
    own.begun.at(kind).fetch_add(1);
    update();
    own.acknowledged.at(kind).fetch_add(1);
  }

  void replace() {
    const auto ratings = [&](auto which) {
      int sum = 0;
      for (const Tally& tally : shared_.tallies) sum += (tally.*which).at(kRatings);
      return sum;
    };
    const int before = ratings(&Tally::acknowledged);
    mapper_.apply<&Flight::reset_score>(kFlight, (1 + replaced_++) * kReplacement);
    shared_.surely_replaced = before;
    shared_.perhaps_replaced = ratings(&Tally::begun);
  }

  bool book() try {
    count(kBooked, [&] { mapper_.apply<&Flight::book>(kFlight, 1); });
    return true;
  } catch (const BoundExceeded&) {
    shared_.tallies.at(process_).begun.at(kBooked).fetch_sub(1);
    return false;
  }

  Acknowledged sample() const {
    Acknowledged now{.at = Clock::now()};
    for (std::size_t process = 0; process < kProcesses; ++process) {
      for (std::size_t kind = 0; kind < kKinds; ++kind)
        (process == process_ ? now.own : now.others).at(kind) +=
            shared_.tallies.at(process).acknowledged.at(kind);
    }
    return now;
  }

  /// Its own updates show at once, those of others after a while.
  void check_cached() {
    Acknowledged shows = sample();
    const Clock::time_point then = shows.at - kStale;
    while (samples_.size() > 1 && samples_[1].at <= then) samples_.pop_front();
    shows.others = samples_.front().at <= then ? samples_.front().others : Acknowledged().others;
    check(mapper_.load<Flight>(kFlight, cached{kStale, cached::where::shared}).value(), shows);
  }

  void check(const Flight& flight, const Acknowledged& shows) const {
    const auto least = [&](Kind kind) { return shows.others.at(kind) + shows.own.at(kind); };
    const auto most = [&](Kind kind) {
      int begun = 0;
      for (const Tally& tally : shared_.tallies) begun += tally.begun.at(kind);
      return begun;
    };
    const auto expect = [](std::string_view what, std::int64_t value, int at_least, int at_most) {
      if (value < at_least || value > at_most) fail(what, static_cast<int>(value), at_least, at_most);
    };
    expect("likes", flight.likes(), least(kLikes), most(kLikes));
    expect("views", flight.views(), least(kViews), most(kViews));
    expect("replacements", flight.score() / kReplacement, least(kReplaced), most(kReplaced));
    expect("ratings", flight.score() % kReplacement, 0, most(kRatings));
    expect("seats", flight.seats(), std::max(kSeats - most(kBooked) + least(kReturned), 0),
           std::min(kSeats - least(kBooked) + most(kReturned), Flight::kSeats));
  }

  static inline std::mutex replaces_;
  static inline int replaced_ = 0;

  Mapper& mapper_;
  Shared& shared_;
  const std::size_t process_;
  std::mt19937_64 generator_;
  int mine_ = 0;
  std::deque<Acknowledged> samples_;
};

MySqlOptions store_options(const std::string& socket, const std::string& user) {
  MySqlOptions options;
  options.endpoints = {socket};
  options.user = user;
  return options;
}

std::string user_of(std::size_t process) { return "process" + std::to_string(process); }

Shared& map_shared(int file) {
  void* at = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (at == MAP_FAILED) throw std::runtime_error("no memory to share");
  return *static_cast<Shared*>(at);
}

[[noreturn]] void run_process(const std::string& socket, std::uint16_t port, int file, std::size_t process,
                              std::uint64_t seed) {
  MySqlStore store(store_options(socket, user_of(process)));
  MemcachedCache cache({.port = port, .timeout = 5s});
  Mapper mapper(store, {.retry = {.max_attempts = 1'000'000, .deadline = 1h},
                        .compact_every = 1ms,
                        .adaptive = {.window = 50ms,
                                     .conflicts_per_second = 0.001,
                                     .conflict_share = 0.000'001,
                                     .hot_windows = 1,
                                     .quiet_ratio = 0.001,
                                     .quiet_for = 0s,
                                     .quiet_for_at_most = 0s},
                        .cache = &cache});
  Shared& shared = map_shared(file);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back(
        [&, seed = seed + static_cast<std::uint64_t>(i)] { Client(mapper, shared, process, seed).run(); });
  }
  for (std::thread& thread : threads) thread.join();
  std::exit(EXIT_SUCCESS);
}

TEST(ProcessesOnOneStoreTest, EveryReadIsPossibleNothingIsLostAndAllIsSold) {
  std::mt19937_64 generator = seeded_generator();
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms::others_exec,
                               std::filesystem::perm_options::add);
  MariaDbServer server(folder.path() / "server", {"--skip-networking", "--skip-grant-tables"});
  server.start();
  server.wait_until_ready();
  const MemcachedServer memcached;
  MySqlStore store(store_options(server.socket(), "root"));
  Mapper mapper(store, {.compact_every = 0ms, .adaptive = {.window = 0ms}});
  mapper.save(Flight(kFlight, kSeats));

  const int file = memfd_create("shared", 0);
  ASSERT_EQ(ftruncate(file, sizeof(Shared)), 0);
  Shared& shared = map_shared(file);
  const auto& tallies = shared.tallies;
  std::array<pid_t, kProcesses> processes{};
  for (std::size_t process = 0; process < kProcesses; ++process) {
    const std::vector<std::string> words = {
        "--process",          server.socket(),         std::to_string(memcached.port()),
        std::to_string(file), std::to_string(process), std::to_string(generator() >> 1)};
    processes.at(process) = fork();
    if (processes.at(process) != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    execl("/proc/self/exe", "process", words[0].c_str(), words[1].c_str(), words[2].c_str(), words[3].c_str(),
          words[4].c_str(), words[5].c_str(), nullptr);
    _exit(127);
  }
  const int last_likes = 1 + static_cast<int>(below(generator, 20));
  int status = 0;
  while (tallies[kVictim].acknowledged[kLikes] < last_likes) {
    ASSERT_EQ(waitpid(processes[kVictim], &status, WNOHANG), 0) << "it ended by itself";
    std::this_thread::yield();
  }
  const auto connections_of_victim = [&] {
    return server.ask("SELECT COUNT(*) FROM information_schema.processlist WHERE user = '" +
                      user_of(kVictim) + "'");
  };
  ASSERT_NE(connections_of_victim(), "0");
  kill(processes[kVictim], SIGKILL);
  ASSERT_EQ(waitpid(processes[kVictim], &status, 0), processes[kVictim]);
  while (connections_of_victim() != "0") std::this_thread::yield();  // what it was at may still take effect
  shared.sells_out = true;
  for (std::size_t process = 0; process < kVictim; ++process) {
    ASSERT_EQ(waitpid(processes.at(process), &status, 0), processes.at(process));
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS);
  }

  // Of the one that was killed, what was under way may have been done or not.
  std::array<int, kKinds> least{}, most{};
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (const Tally& tally : tallies) {
      least.at(kind) += tally.acknowledged.at(kind);
      most.at(kind) += tally.begun.at(kind);
    }
    for (std::size_t process = 0; process < kVictim; ++process)
      EXPECT_EQ(tallies.at(process).begun.at(kind), tallies.at(process).acknowledged.at(kind));
  }
  const auto expect_all = [&] {
    const Flight flight = mapper.load<Flight>(kFlight).value();
    EXPECT_GE(flight.likes(), least[kLikes]);
    EXPECT_LE(flight.likes(), most[kLikes]);
    EXPECT_GE(flight.views(), least[kViews]);
    EXPECT_LE(flight.views(), most[kViews]);
    EXPECT_EQ(flight.score() / kReplacement, least[kReplaced]);
    EXPECT_GE(flight.score() % kReplacement, least[kRatings] - shared.perhaps_replaced);
    EXPECT_LE(flight.score() % kReplacement, most[kRatings] - shared.surely_replaced);
    EXPECT_EQ(flight.seats(), 0) << "not all sold";
    return flight;
  };
  EXPECT_LE(least[kBooked] - most[kReturned], kSeats) << "oversold";
  EXPECT_GE(most[kBooked] - least[kReturned], kSeats) << "sold to nobody";
  const Flight before = expect_all();
  admin::compact(mapper);
  const Flight after = expect_all();
  EXPECT_EQ(after.likes(), before.likes());
  EXPECT_EQ(after.views(), before.views());
  EXPECT_EQ(after.score(), before.score());
  std::cout << after.likes() << " likes, " << after.views() << " views, " << least[kBooked] << " booked, "
            << least[kReturned] << " returned, " << least[kReplaced] << " replacements\n";
  EXPECT_TRUE(mapper.erase<Flight>(kFlight));
  EXPECT_TRUE(records(store, "\2").empty());
}

}  // namespace
}  // namespace autoshard::test

int main(int argc, char** argv) {
  if (argc == 7 && std::string_view(argv[1]) == "--process") {
    autoshard::test::run_process(argv[2], static_cast<std::uint16_t>(std::stoi(argv[3])), std::stoi(argv[4]),
                                 std::strtoul(argv[5], nullptr, 10), std::strtoull(argv[6], nullptr, 10));
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
