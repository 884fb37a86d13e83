// Processes, real ones, that share a memcached for their statistics, and each of which has a store of its
// own.

#include <autoshard/autoshard.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "support/faulty_store.h"
#include "support/memcached_server.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using airline::Flight;

constexpr int kUpdates = 20;  // in each window, every one of which meets a conflict first
constexpr int kFlights = 4;

/// What a process tells after a window.
struct Told {
  int views = 0;
  std::uint32_t shards = 0;
  int alone = 0, together = 0, nonsense = 0;  // so often it has said so
};

/// Each byte that it is asked asks for a window of updates to the flight of that number.
[[noreturn]] void run_member(std::uint16_t port, int asked, int told) {
  MemcachedCache cache({.port = port, .timeout = 5s, .pause = 0ms});
  MemoryStore memory;
  FaultyStore store(memory);
  Told now_told;
  const auto log = [&](std::string_view line) {
    const auto count = [&](int& number, const char* words) {
      number += line.find(words) != std::string_view::npos;
    };
    count(now_told.alone, "follow the load of this process alone");
    count(now_told.together, "keeps the statistics of this process again");
    count(now_told.nonsense, "a foreign value under a key for statistics");
  };
  Mapper mapper(store, {.compact_every = 0ms, .adaptive = {.window = 0ms}, .cache = &cache, .log = log});
  std::chrono::steady_clock::time_point now = std::chrono::steady_clock::now() + 1s;
  for (int flight = 0; flight < kFlights; ++flight) mapper.save(Flight(flight));
  admin::adapt(mapper, now);
  for (char flight = 0; read(asked, &flight, 1) == 1;) {
    for (int i = 0; i < kUpdates; ++i) {
      store.before_commit([](int nth) { return nth == 1 ? Fate::kConflicts : Fate::kCommits; });
      mapper.apply<&Flight::view>(flight);
    }
    store.before_commit(nullptr);
    admin::adapt(mapper, now += 1s);
    now_told.views = mapper.load<Flight>(flight)->views();
    now_told.shards = admin::shards<Flight>(mapper, flight, "views");
    if (write(told, &now_told, sizeof(now_told)) != sizeof(now_told)) std::abort();
  }
  std::exit(EXIT_SUCCESS);
}

class Member {
 public:
  explicit Member(std::uint16_t port) {
    std::array<int, 2> asking{}, telling{};
    EXPECT_EQ(pipe2(asking.data(), O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(telling.data(), O_CLOEXEC), 0);
    process_ = fork();
    if (process_ == 0) {
      const int asked = dup(asking[0]), told = dup(telling[1]);  // which outlive exec
      execl("/proc/self/exe", "member", "--member", std::to_string(port).c_str(),
            std::to_string(asked).c_str(), std::to_string(told).c_str(), nullptr);
      _exit(127);
    }
    close(asking[0]);
    close(telling[1]);
    ask_ = asking[1];
    told_ = telling[0];
  }
  ~Member() {
    kill(process_, SIGKILL);
    close(ask_);
    close(told_);
    waitpid(process_, nullptr, 0);
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  void begin_window(char flight) {
    ASSERT_EQ(write(ask_, &flight, 1), 1);
    ++windows_.at(static_cast<std::size_t>(flight_ = flight));
  }
  void end_window() {
    ASSERT_EQ(read(told_, &now, sizeof(now)), static_cast<ssize_t>(sizeof(now))) << "it is gone";
    ASSERT_EQ(now.views, windows_.at(static_cast<std::size_t>(flight_)) * kUpdates);
  }

  Told now;

 private:
  pid_t process_ = 0;
  int ask_ = -1, told_ = -1;
  char flight_ = 0;
  std::array<int, kFlights> windows_{};
};

class ProcessesOverMemcachedTest : public testing::Test {
 protected:
  /// So many more, and has all find each other.
  void start(int processes) {
    for (; processes > 0; --processes) members_.push_back(std::make_unique<Member>(port_));
    windows(2);
  }

  void windows(int number) {
    for (; number > 0; --number) window_until([](const Told&) { return true; });
  }

  /// All at the same time, again and again, for as long as it takes. Numbers of shards follow from what all
  /// say, which is as if they had one store, as long as they begin with a flight at the same time.
  template <class Condition>
  void window_until(Condition holds) {
    const auto all_hold = [&] {
      for (const auto& member : members_) {
        if (!holds(member->now)) return false;
      }
      return true;
    };
    do {
      for (const auto& member : members_) member->begin_window(flight_);
      for (const auto& member : members_) ASSERT_NO_FATAL_FAILURE(member->end_window());
    } while (!all_hold());
  }

  std::unique_ptr<MemcachedServer> server_ = std::make_unique<MemcachedServer>();
  const std::uint16_t port_ = server_->port();
  std::vector<std::unique_ptr<Member>> members_;
  char flight_ = 0;
};

TEST_F(ProcessesOverMemcachedTest, TheNumberFollowsWhoIsThere) {
  start(1);
  windows(5);
  EXPECT_EQ(members_.front()->now.shards, 2u) << "nobody else is seen";
  start(2);
  ++flight_;
  window_until([](const Told& told) { return told.shards == 3; });

  members_.back()->begin_window(flight_);
  members_.pop_back();  // killed meanwhile
  windows(5);
  for (const auto& member : members_) EXPECT_EQ(member->now.shards, 3u) << "it is not quiet";

  server_.reset();
  window_until([](const Told& told) { return told.alone > 0; });
  server_ = std::make_unique<MemcachedServer>(port_);
  window_until([](const Told& told) { return told.together > 0; });
  start(1);
  ++flight_;
  window_until([](const Told& told) { return told.shards == 3; });

  MemcachedCache vandal({.port = port_, .timeout = 5s});
  ASSERT_TRUE(vandal.put("usage", std::string(1'000, '\x91'), 1h));
  windows(1);
  int nonsense = 0;
  for (const auto& member : members_) nonsense += member->now.nonsense;
  EXPECT_GE(nonsense, 1);
  start(1);
  ++flight_;
  window_until([](const Told& told) { return told.shards == 4; });
}

}  // namespace
}  // namespace autoshard::test

int main(int argc, char** argv) {
  if (argc == 5 && std::string_view(argv[1]) == "--member") {
    autoshard::test::run_member(static_cast<std::uint16_t>(std::stoi(argv[2])), std::stoi(argv[3]),
                                std::stoi(argv[4]));
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
