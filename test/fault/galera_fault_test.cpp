// Four processes of an application update flights through mappers, on a Galera cluster of three nodes and
// with a memcached, while nodes, connections and processes go down and come back. What was acknowledged must
// be there, nothing twice, and writing must go on.

#include <autoshard/autoshard.h>
#include <autoshard/mysql_store.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>
#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "application.h"
#include "entities/strategies/flight.autoshard.h"
#include "galera_cluster.h"
#include "networks.h"
#include "proxy.h"
#include "support/memcached_server.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using namespace std::chrono_literals;

constexpr std::size_t kProcesses = 4;

constexpr std::size_t kNodes = 3;

/// A flight that no process updates.
constexpr int kApart = 3;

/// That of each node, if there may be such.
const std::optional<Networks>& networks() {
  static const std::optional<Networks> networks = Networks::make(kNodes);
  return networks;
}

std::vector<GaleraPlace> places() {
  std::vector<GaleraPlace> places(kNodes);
  for (std::size_t i = 0; i < kNodes && networks(); ++i)
    places[i] = {networks()->address(i), networks()->descriptor(i)};
  return places;
}

struct Servers {
  TemporaryFolder folder;
  GaleraCluster cluster{folder.path(), places()};
  MemcachedServer memcached;
};

class GaleraFaults : public ::testing::Test {
 protected:
  static void TearDownTestSuite() { servers_.reset(); }

  void SetUp() override {
    if (!servers_) servers_ = std::make_unique<Servers>();
    options_ = options_of_a_new_table(cluster().sockets());
    shared_ = {options_.endpoints, options_.table, servers_->memcached.port()};
    MySqlStore store(options_);
    Mapper mapper(store);
    mapper.save(Flight(kPlain));
    mapper.save(Flight(kNamed));
    mapper.save(Flight(kApart));
  }

  void TearDown() override {
    for (std::size_t i = 0; i < kNodes && networks(); ++i) networks()->join(i);
    // With what else has gone wrong, the next test need not begin.
    if (HasFailure()) servers_.reset();
  }

  static GaleraCluster& cluster() { return servers_->cluster; }

  void start_processes() {
    for (std::size_t i = 0; i < kProcesses; ++i)
      processes_.push_back(std::make_unique<Application>(shared_, i));
    wait_for_updates();
  }

  /// Until each process has done some more of either kind.
  void wait_for_updates() {
    std::vector<std::array<int, 2>> before;
    for (const auto& process : processes_)
      before.push_back({process->told(Told::kLiked), process->told(Told::kViewed)});
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      ASSERT_TRUE(processes_[i]->wait_for(Told::kLiked, before[i][0] + 10))
          << "process " << i << " stands still";
      ASSERT_TRUE(processes_[i]->wait_for(Told::kViewed, before[i][1] + 10))
          << "process " << i << " stands still";
    }
  }

  /// Until each process is refused as often as it has threads.
  void wait_for_refusals() {
    std::vector<int> before;
    for (const auto& process : processes_) before.push_back(process->told(Told::kRefused));
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      ASSERT_TRUE(processes_[i]->wait_for(Told::kRefused, before[i] + 2 * kThreadsForEach))
          << "process " << i << " gets no answer";
    }
  }

  int acknowledged() const {
    int times = 0;
    for (const auto& process : processes_)
      times += process->told(Told::kLiked) + process->told(Told::kViewed);
    return times;
  }

  void kill_process(std::size_t index) {
    processes_[index]->kill();
    ++killed_;
    gone_.push_back(std::move(processes_[index]));
    processes_[index] = std::make_unique<Application>(shared_, index);
  }

  /// Nothing is lost, and nothing is there twice.
  void stop_processes_and_count() {
    for (const auto& process : processes_) ASSERT_TRUE(process->stop());
    for (auto& process : processes_) gone_.push_back(std::move(process));
    processes_.clear();
    const auto sum = [&](Told what) {
      int times = 0;
      for (const auto& process : gone_) times += process->told(what);
      return times;
    };
    // What a process was killed at may be counted.
    const int at_most = killed_ * kThreadsForEach;
    MySqlStore store(options_);
    Mapper mapper(store);
    const auto likes = static_cast<int>(mapper.load<Flight>(kPlain).value().likes());
    EXPECT_GE(likes, sum(Told::kLiked)) << "lost";
    EXPECT_LE(likes, sum(Told::kLiked) + sum(Told::kUnknown) + at_most) << "counted twice";
    const int views = mapper.load<Flight>(kNamed).value().views();
    EXPECT_GE(views, sum(Told::kViewed)) << "lost";
    EXPECT_LE(views, sum(Told::kViewed) + at_most) << "counted twice";
  }

  static std::unique_ptr<Servers> servers_;
  MySqlOptions options_;
  SharedThings shared_;
  std::vector<std::unique_ptr<Application>> processes_, gone_;
  int killed_ = 0;
};

std::unique_ptr<Servers> GaleraFaults::servers_;

TEST_F(GaleraFaults, ANodeIsKilled) {
  start_processes();
  cluster().node(0).kill();
  wait_for_updates();
  cluster().start(0);
  wait_for_updates();
  stop_processes_and_count();
}

TEST_F(GaleraFaults, ANodeStandsStillForAWhile) {
  start_processes();
  cluster().node(0).signal(SIGSTOP);
  wait_for_updates();
  cluster().wait_until_seen(1, 2);
  cluster().node(0).signal(SIGCONT);
  wait_for_updates();
  cluster().wait_until_seen(1, 3);
  wait_for_updates();
  stop_processes_and_count();
}

TEST_F(GaleraFaults, TheNetworkOfANodeIsCut) {
  if (!networks())
    GTEST_SKIP() << "NOT TESTED: a network that is cut, for this process may not make networks";
  start_processes();
  networks()->cut(0);
  wait_for_updates();
  cluster().wait_until_seen(1, 2);
  cluster().wait_until_seen(0, 1);
  wait_for_updates();
  networks()->join(0);
  cluster().wait_until_seen(1, 3);
  wait_for_updates();
  stop_processes_and_count();
}

/// A mapper of the test's own that updates a flight which is nobody else's.
class Caller {
 public:
  Caller(const MySqlOptions& options, std::string name)
      : store_(options), mapper_(store_, {.retry = {.resolve_within = 1s}}), name_(std::move(name)) {
    view("before");
  }

  void view(const std::string& when) { mapper_.apply<&Flight::view>(kApart, token(name_ + when)); }

  bool is_refused(const std::string& when) {
    try {
      view(when);
      return false;
    } catch (const StoreUnavailable&) {
      return true;
    } catch (const OutcomeUnknown&) {
      return true;
    }
  }

  int views() { return mapper_.load<Flight>(kApart).value().views(); }

 private:
  MySqlStore store_;
  Mapper mapper_;
  const std::string name_;
};

// Nobody has a majority, and so nobody may write, until they find each other again.
TEST_F(GaleraFaults, AllNodesAreCutFromEachOther) {
  if (!networks())
    GTEST_SKIP() << "NOT TESTED: networks that are all cut, for this process may not make networks";
  shared_.resolve_within = 2s;
  options_.read_timeout = 1s;
  std::deque<Caller> callers;
  callers.emplace_back(options_, "any node");
  for (const std::string& socket : cluster().sockets()) {
    options_.endpoints = {socket};
    callers.emplace_back(options_, "caller " + std::to_string(callers.size()));
  }
  start_processes();
  for (std::size_t i = 0; i < kNodes; ++i) networks()->cut(i);
  for (std::size_t i = 0; i < kNodes; ++i) cluster().wait_until_powerless(i);
  for (Caller& caller : callers) EXPECT_TRUE(caller.is_refused("meanwhile")) << "acknowledged";
  wait_for_refusals();
  const int before = acknowledged();
  wait_for_refusals();
  // Each thread may have been about to tell of one from before the networks were cut.
  EXPECT_LE(acknowledged(), before + static_cast<int>(kProcesses) * 2 * kThreadsForEach);

  for (std::size_t i = 0; i < kNodes; ++i) networks()->join(i);
  for (std::size_t i = 0; i < kNodes; ++i) {
    cluster().wait_until_seen(i, kNodes);
    cluster().wait_until_in_step(i);
  }
  wait_for_updates();
  for (Caller& caller : callers) {
    caller.view("before");
    caller.view("meanwhile");
  }
  EXPECT_EQ(callers.front().views(), 2 * static_cast<int>(callers.size()));
  stop_processes_and_count();
}

TEST_F(GaleraFaults, AllNodesAreKilledAndBegunAnew) {
  start_processes();
  for (std::size_t i = 0; i < cluster().size(); ++i) cluster().node(i).kill();
  cluster().begin_anew();
  wait_for_updates();
  stop_processes_and_count();
}

TEST_F(GaleraFaults, ConnectionsBreakBetweenCommitAndAnswer) {
  TemporaryFolder folder;
  std::vector<std::unique_ptr<Proxy>> proxies;
  shared_.endpoints.clear();
  for (const std::string& socket : cluster().sockets()) {
    shared_.endpoints.push_back(folder.path() / std::to_string(proxies.size()));
    proxies.push_back(std::make_unique<Proxy>(shared_.endpoints.back(), socket));
  }
  start_processes();
  for (const auto& proxy : proxies) proxy->break_every(5, "\3COMMIT");
  wait_for_updates();
  std::size_t broken = 0;
  for (const auto& proxy : proxies) {
    broken += proxy->done();
    proxy->hand_on_everything();
  }
  EXPECT_GT(broken, 0u);
  wait_for_updates();
  stop_processes_and_count();
}

TEST_F(GaleraFaults, AProcessIsKilledInTheMiddleOfItsCommits) {
  start_processes();
  for (std::size_t i = 0; i < 8; ++i) {
    kill_process(i % kProcesses);
    wait_for_updates();
  }
  stop_processes_and_count();
}

}  // namespace
}  // namespace autoshard::test

int main(int argc, char** argv) {
  autoshard::test::Application::run_if_asked(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
