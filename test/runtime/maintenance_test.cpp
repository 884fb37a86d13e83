// How the jobs of a mapper's background thread take turns, and pause.

#include "maintenance.h"

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "context.h"
#include "entities/expiry/permit.autoshard.h"
#include "entities/versions/topic.h"
#include "keys.h"
#include "lease.h"
#include "store_clock.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using detail::Maintenance;
using detail::StoreClock;
using Topic = forum::DynamicTopic;  // whose posts are deltas
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

class MaintenanceTest : public StoreTest {
 protected:
  MapperOptions options() {
    return {.compact_every = 1ms,
            .log = [this](std::string_view line) { logged_.emplace_back(line); },
            .clock = [this] {  // which the thread asks in each round, for each kind that expires
              ++asked_;
              return std::chrono::system_clock::now();
            }};
  }
  void wait_for_rounds(int rounds) {
    const int kinds = static_cast<int>(detail::expiring_types().size());
    ASSERT_GT(kinds, 0);
    for (const int before = asked_; asked_ < before + rounds * kinds;) std::this_thread::yield();
  }

  std::atomic<int> asked_{0};
  std::vector<std::string> logged_;  // by the thread
  detail::MapperContext context_{*store_, options()};
};
INSTANTIATE_TEST_SUITE_P(Stores, MaintenanceTest, ::testing::ValuesIn(stores_for_threads()), store_name);

/// The pauses grow, so that a job which fails for long costs little.
TEST_P(MaintenanceTest, AJobThatFailsIsPaused) {
  constexpr int kRounds = 100;
  std::atomic<int> attempts{0};
  StoreClock clock(*store_, [&]() -> detail::platform::Clock::time_point {
    ++attempts;
    throw std::runtime_error("there is no clock");
  });
  context_.leaves_tokens = true;  // so each round has the clock of the store advanced
  Maintenance maintenance(context_, clock);
  wait_for_rounds(kRounds);
  maintenance.stop();
  EXPECT_GT(attempts, 0);
  EXPECT_LT(attempts, kRounds / 2);
  EXPECT_THAT(logged_,
              ElementsAre(HasSubstr("the advance of the store's clock is postponed: there is no clock")));
}

/// Otherwise each other mapper would wait for a term.
TEST_P(MaintenanceTest, TheLeaseIsFreeAfterEachJob) {
  Mapper mapper(*store_, {.compact_every = 0ms, .adaptive = {.window = 0ms}});
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  mapper.save(Topic(1));
  for (const char* post : {"one", "two"}) mapper.apply<&Topic::add_post>(1, post);
  ASSERT_THAT(records(*store_, key), SizeIs(3));
  StoreClock clock(*store_);
  context_.compactable.note(detail::kEntityType<Topic>, key);
  const Maintenance maintenance(context_, clock);
  while (records(*store_, key).size() > 2) std::this_thread::yield();  // or the test times out
  wait_for_rounds(1);
  EXPECT_TRUE(detail::Lease(*store_, "compaction", detail::kLeaseTerm).take());
}

}  // namespace
}  // namespace autoshard::test
