// What background work cannot do: it is logged once, and costs no commits each time round.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compaction.h"
#include "controlled_store.h"
#include "entities/expiry/permit.autoshard.h"
#include "entities/types/course.autoshard.h"
#include "entities/versions/topic.h"
#include "expiring_record.h"
#include "failures.h"
#include "finish_erase.h"
#include "keys.h"
#include "maintenance.h"
#include "store_clock.h"
#include "support/faulty_store.h"
#include "support/ranked_fixture.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using detail::Failures;
using permits::Permit;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using namespace std::chrono_literals;

// Posts are deltas.
using Topic = forum::DynamicTopic;

// An attempt may fail in several parts.
TEST(Failures, OfOneAttemptAreOne) {
  Failures failures;
  Failures::Time now{};
  EXPECT_TRUE(failures.note("work", now, 1s));
  EXPECT_FALSE(failures.note("work", now, 1s));
  now += 1s;
  EXPECT_FALSE(failures.is_paused("work", now)) << "the pause is no longer";
}

TEST(Failures, PausesGrow) {
  Failures failures;
  Failures::Time now{};
  EXPECT_FALSE(failures.is_paused("a", now));
  EXPECT_TRUE(failures.note("a", now, 1s));
  EXPECT_FALSE(failures.is_paused("b", now));
  for (const auto pause : {1s, 2s, 4s, 8s}) {
    EXPECT_TRUE(failures.is_paused("a", now + pause - 1ms));
    now += pause;
    EXPECT_FALSE(failures.is_paused("a", now));
    EXPECT_FALSE(failures.note("a", now, 1s)) << "it is known";
  }
  now += 16s;
  EXPECT_FALSE(failures.note("a", now, 1s, true));
  EXPECT_FALSE(failures.is_paused("a", now + 1s)) << "it makes progress";
  for (int i = 0; i < 30; ++i) failures.note("a", now += Failures::kLongestPause, 1s);
  EXPECT_TRUE(failures.is_paused("a", now + Failures::kLongestPause - 1s));
  EXPECT_FALSE(failures.is_paused("a", now + Failures::kLongestPause));
}

TEST(Failures, AreNewsAfterASuccessAndAfterALongTime) {
  Failures failures;
  Failures::Time now{};
  EXPECT_TRUE(failures.note("a", now, 1s));
  failures.forget("a");
  failures.forget("b");
  EXPECT_FALSE(failures.is_paused("a", now));
  EXPECT_TRUE(failures.note("a", now, 1s));
  now += 4 * Failures::kLongestPause;
  EXPECT_TRUE(failures.note("a", now, 1s));
  EXPECT_FALSE(failures.is_paused("a", now + 1s));
}

TEST(Failures, AreSoManyAtMost) {
  Failures failures;
  for (std::size_t i = 0; i < Failures::kMost; ++i) failures.note(std::to_string(i), {}, 1h);
  EXPECT_TRUE(failures.is_paused("0", {}));
  EXPECT_FALSE(failures.note("0", {}, 1h));
  EXPECT_FALSE(failures.note("1", Failures::Time{} + 1h, 1h)) << "it is known, and keeps its place";
  EXPECT_TRUE(failures.is_paused("0", {}));
  EXPECT_TRUE(failures.note("one more", {}, 1h));
  EXPECT_FALSE(failures.is_paused("0", {}));
}

/// A mapper with a thread, the only one that commits.
class BackgroundTest : public StoreTest {
 protected:
  static constexpr int kRounds = 100;

  MapperOptions options() {
    return {.compact_every = 1ms,
            .adaptive = {.window = 0ms},
            .log =
                [this](std::string_view line) {
                  const std::lock_guard lock(mutex_);
                  logged_.emplace_back(line);
                },
            .clock = [this] {  // which the thread asks for each kind that expires, each time round
              ++asked_;
              return std::chrono::system_clock::now();
            }};
  }
  /// Topic 1, by one version of the class. `left`: why some records stay as they are.
  template <class E>
  std::uint64_t compact(std::string& left) {
    const MapperOptions options;
    detail::MapperContext context(faulty_, options);
    std::exception_ptr reason;
    const std::uint64_t removed =
        detail::compact(context, detail::kEntityType<E>, detail::entity_key("Topic", 1), {}, &reason);
    left.clear();
    try {
      if (reason) std::rethrow_exception(reason);
    } catch (const CommitTooLarge& error) {
      left = error.what();
    }
    return removed;
  }
  template <class Action>
  void do_in_each_round(Action action) {
    const int kinds = static_cast<int>(detail::expiring_types().size());
    ASSERT_GT(kinds, 0);
    for (int round = 0; round < kRounds; ++round) {
      action();
      for (const int before = asked_; asked_ < before + kinds;) std::this_thread::yield();
    }
  }
  void put_raw(std::string_view key, std::string_view value) {
    const auto transaction = store_->begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  Mapper other_{*store_, {.compact_every = 0ms, .adaptive = {.window = 0ms}}};
  FaultyStore faulty_{*store_};
  std::atomic<int> asked_{0};
  std::mutex mutex_;
  std::vector<std::string> logged_;
};
INSTANTIATE_TEST_SUITE_P(Stores, BackgroundTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(BackgroundTest, AnEntityThatIsDamagedStaysThoughItHasExpired) {
  other_.save(Permit("damaged", std::chrono::system_clock::now() - 1h));
  other_.save(Permit("whole", std::chrono::system_clock::now() - 1h));
  put_raw(detail::main_key(detail::entity_key("Permit", std::string("damaged"))), "nonsense");
  faulty_.before_commit([](int) { return Fate::kCommits; });
  {
    Mapper mapper(faulty_, options());
    do_in_each_round([] {});
  }
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("\"damaged\" may have expired, and is not removed")));
  EXPECT_LT(faulty_.commits(), kRounds);
  EXPECT_THAT(records(*store_, detail::main_key(detail::entity_key("Permit", std::string("whole"))),
                      detail::end_key(detail::entity_key("Permit", std::string("whole")))),
              IsEmpty());
}

TEST_P(BackgroundTest, WhatIsNoRecordOfAnEndCostsNothing) {
  put_raw(detail::begin_of_expiries("Permit", 1'000), "\xC0");
  faulty_.before_commit([](int) { return Fate::kCommits; });
  {
    Mapper mapper(faulty_, options());
    do_in_each_round([] {});
  }
  EXPECT_EQ(faulty_.commits(), 0);
  EXPECT_THAT(logged_, IsEmpty());
}

/// Where acknowledgements may be lost, a mapper leaves marks.
TEST_P(BackgroundTest, AMapperThatLeavesMarksButNoTokensRemovesExpiredRecords) {
  const detail::RecordKey expired = detail::token_key(detail::entity_key("Topic", 1), "of another mapper");
  std::string record, stored;
  detail::encode_expiring(record, 0);
  put_raw(expired, record);
  FaultyStore lossy(*store_, FaultyStore::Acknowledgements::kMayBeLost);
  const Mapper mapper(lossy, options());
  while (store_->snapshot()->get(expired, stored)) std::this_thread::yield();  // or the test times out
  put_raw(expired, record);
  do_in_each_round([] {});
  EXPECT_TRUE(store_->snapshot()->get(expired, stored)) << "the next look for such records is hours later";
}

TEST_P(BackgroundTest, AfterAStopNoOtherJobOfTheRoundBegins) {
  ASSERT_GT(detail::expiring_types().size(), 1U);  // each has a job, which asks the clock
  std::atomic<bool> may_go_on{false};
  MapperOptions options = this->options();
  options.clock = [&] {
    ++asked_;
    while (!may_go_on) std::this_thread::yield();
    return std::chrono::system_clock::now();
  };
  detail::MapperContext context(*store_, options);
  detail::StoreClock clock(*store_);
  detail::Maintenance maintenance(context, clock);
  while (asked_ == 0) std::this_thread::yield();
  std::thread stopping([&] { maintenance.stop(); });
  while (!maintenance.is_stopping()) std::this_thread::yield();
  may_go_on = true;
  stopping.join();
  EXPECT_EQ(asked_, 1);
}

/// A walk by the class with a window would remove what the other class has written.
TEST_P(BackgroundTest, NoKindIsSweptOfWhichTheProgramHasTwoClasses) {
  ASSERT_TRUE(detail::kEntityType<forum::WindowedTopic>.has_windows);
  other_.save(Topic(1));
  other_.apply<&Topic::add_post>(1, "x");
  other_.save(school::Course(1));
  Mapper mapper(*store_, options());
  const auto is_swept = [&](std::string_view kind) {
    std::string lease;
    return store_->snapshot()->get(detail::lease_key("sweep of " + std::string(kind)), lease);
  };
  while (!is_swept("Course")) std::this_thread::yield();  // or the test times out
  do_in_each_round([] {});
  EXPECT_FALSE(is_swept("Topic"));
  EXPECT_THAT(other_.load<Topic>(1).value().posts(), ElementsAre("x"));
}

TEST_P(BackgroundTest, AnEntityThatCannotBeCompactedIsLeftAlone) {
  other_.save(Topic(1));
  put_raw(detail::shard_key(detail::entity_key("Topic", 1), "posts", 0), "nonsense");
  ControlledStore counted(*store_);
  {
    Mapper mapper(counted, options());
    do_in_each_round([&] { mapper.apply<&Topic::add_post>(1, "x"); });  // which notes it
  }
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("Topic 1 is not compacted")));
  EXPECT_LT(counted.commits_so_far(), 2 * kRounds);
}

TEST_P(BackgroundTest, DeltasThatAreTooLargeAreLeftAlone) {
  other_.save(Topic(1));
  for (int i = 0; i < 20; ++i) {
    other_.apply<&Topic::add_post>(1, "x");
    other_.apply<&Topic::add_post>(1, std::string(2'000, 'y'));
  }
  faulty_.limit_commits(1'500, FaultyStore::Limit::kSecret);
  {
    Mapper mapper(faulty_, options());
    do_in_each_round([&] {
      EXPECT_EQ(mapper.load<Topic>(1).value().posts().size(), 40U);  // which notices it again
    });
  }
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("Topic 1 is not compacted")));
  EXPECT_LT(faulty_.too_large(), 5 * kRounds);
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  EXPECT_THAT(records(*store_, key), SizeIs(22)) << "the small ones are one";
  EXPECT_EQ(other_.load<Topic>(1).value().posts().size(), 40U);
}

// Each of them makes it larger still.
TEST_P(BackgroundTest, NotEachDeltaIsTriedWithAShardThatIsFull) {
  other_.save(Topic(1));
  other_.apply<&Topic::add_post>(1, std::string(1'400, 'y'));
  admin::compact<Topic>(other_, 1);
  for (int i = 0; i < 200; ++i) other_.apply<&Topic::add_post>(1, std::string(100, 'x'));
  faulty_.limit_commits(1'500, FaultyStore::Limit::kSecret);
  std::string left;
  EXPECT_EQ(compact<Topic>(left), 0U);
  EXPECT_THAT(left, HasSubstr("compacting Topic 1"));
  EXPECT_LT(faulty_.too_large(), 20);
  for (int i = 0; i < 3; ++i) other_.apply<&Topic::add_post>(1, "z");
  EXPECT_GT(compact<Topic>(left), 0U) << "smaller ones fit";
  EXPECT_EQ(other_.load<Topic>(1).value().posts().size(), 204U);
}

// Their elements do not fit into one commit. Of a map nothing may be adopted before them.
TEST_P(BackgroundTest, CollectionsThatAreTooLargeKeepNothingElseFromBeingCompacted) {
  forum::UnshardedTopic topic(1);
  for (int i = 0; i < 50; ++i) topic.add_post(std::to_string(i) + std::string(100, 'y'));
  topic.rate("Ann", 1);
  other_.save(topic);
  for (int i = 0; i < 5; ++i) other_.apply<&Topic::add_post>(1, "x");
  for (int i = 2; i < 5; ++i) other_.apply<&Topic::rate>(1, "Ann", i);
  using Grouped = forum::GroupedTopic;
  const Grouped before = other_.load<Grouped>(1).value();
  faulty_.limit_commits(1'500, FaultyStore::Limit::kSecret);
  std::string left;
  EXPECT_EQ(compact<Grouped>(left), 5U);
  EXPECT_THAT(left, HasSubstr("compacting Topic 1"));
  const Grouped after = other_.load<Grouped>(1).value();
  EXPECT_EQ(after.posts(), before.posts());
  EXPECT_EQ(after.stars(), before.stars());
  EXPECT_EQ(admin::compact<Grouped>(other_, 1), 3U) << "with room for all";
  const Grouped compacted = other_.load<Grouped>(1).value();
  EXPECT_EQ(compacted.posts(), before.posts());
  EXPECT_EQ(compacted.stars(), before.stars());
}

TEST_P(BackgroundTest, AnEntityThatIsTooLargeToBeRemovedStaysThoughItHasExpired) {
  other_.save(Permit(std::string(100, 'x'), std::chrono::system_clock::now() - 1h));
  faulty_.limit_commits(150, FaultyStore::Limit::kSecret);
  {
    Mapper mapper(faulty_, options());
    do_in_each_round([] {});
  }
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("may have expired, and is not removed: a commit of")));
  EXPECT_LT(faulty_.too_large(), kRounds);
}

TEST_P(BackgroundTest, AnEntityThatCannotBeRefreshedIsPaused) {
  const MapperOptions options{.compact_every = 1h,
                              .log = [this](std::string_view line) { logged_.emplace_back(line); }};
  for (const int number : {1, 2}) {
    other_.save(Talk(number));
    other_.apply<&Talk::praise>(number, "good");
  }
  put_raw(detail::shard_key(detail::entity_key("Talk", 1), "best", 0), "nonsense");
  const detail::EntityType& type = detail::kEntityType<Talk>;
  detail::MapperContext context(faulty_, options);
  Failures failures;
  faulty_.before_commit([](int) { return Fate::kCommits; });
  const auto refresh = [&] {
    return detail::find_index(type, *detail::ranked_index_of<Talk>("best")).refresh(context, &failures, {});
  };
  EXPECT_EQ(refresh(), 1U);
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("Talk 1 is not refreshed in index best")));
  const int commits = faulty_.commits();
  for (int i = 0; i < 10; ++i) EXPECT_EQ(refresh(), 0U);
  EXPECT_EQ(faulty_.commits(), commits);
  EXPECT_THAT(logged_, SizeIs(1));
  Failures without_pauses;
  const auto refresh_again = [&] {
    MapperOptions at_once = options;
    at_once.compact_every = 0ms;
    detail::MapperContext its_context(faulty_, at_once);
    return detail::find_index(type, *detail::ranked_index_of<Talk>("best"))
        .refresh(its_context, &without_pauses, {});
  };
  for (int i = 0; i < 10; ++i) EXPECT_EQ(refresh_again(), 0U);
  EXPECT_THAT(logged_, SizeIs(2)) << "whose failures are others: once more";
  EXPECT_GT(faulty_.commits(), commits) << "it was tried again";
}

/// The mapper ends while the thread completes an erase.
TEST_P(BackgroundTest, WhatIsCutShortIsLeftForLater) {
  constexpr std::size_t kPosts = 300;  // more than one commit removes
  other_.save(Topic(1));
  for (std::size_t i = 0; i < kPosts; ++i) other_.apply<&Topic::add_post>(1, "x");
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  EXPECT_TRUE(Mapper(faulty_, {.compact_every = 0ms}).erase<Topic>(1));
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  ControlledStore controlled(*store_);
  detail::MapperContext context(controlled, options());
  detail::StoreClock clock(controlled);
  context.compactable.note(detail::kEntityType<Topic>, key);
  controlled.close();
  detail::Maintenance maintenance(context, clock);
  controlled.wait_for_commit(1);  // of its lease
  controlled.let_through();
  EXPECT_THAT(controlled.wait_for_commit(2), SizeIs(detail::kErasedAtOnce));
  std::thread stopping([&] { maintenance.stop(); });
  while (!maintenance.is_stopping()) std::this_thread::yield();
  controlled.open();
  stopping.join();
  EXPECT_THAT(records(*store_, key), SizeIs(1 + kPosts - detail::kErasedAtOnce));
  EXPECT_TRUE(context.compactable.take().contains(key));
  EXPECT_THAT(logged_, IsEmpty());
}

/// Of a sequence what comes behind such a part is adopted.
TEST_P(BackgroundTest, OfASequencePartsThatAreTooLargeStayWhereTheyAre) {
  using Sharded = forum::ShardedTopic;
  using Grouped = forum::GroupedTopic;
  for (const bool is_in_main_too : {false, true}) {
    SCOPED_TRACE(is_in_main_too);
    forum::UnshardedTopic unsharded(1);
    for (int i = 0; is_in_main_too && i < 30; ++i) unsharded.add_post(std::string(100, 'm'));
    other_.save(unsharded);
    for (int i = 0; i < 30; ++i) other_.apply<&Sharded::add_post>(1, std::string(100, 's'));
    other_.apply<&Topic::add_post>(1, "a delta");
    const std::vector<std::string> before = other_.load<Grouped>(1).value().posts();
    faulty_.limit_commits(1'500, FaultyStore::Limit::kSecret);
    std::string left;
    EXPECT_EQ(compact<Grouped>(left), 1U);
    EXPECT_THAT(left, HasSubstr("compacting Topic 1: a commit of"));
    EXPECT_EQ(left.find("compacting"), left.rfind("compacting")) << "the first reason is enough";
    EXPECT_EQ(other_.load<Grouped>(1).value().posts(), before);
    EXPECT_EQ(admin::compact<Grouped>(other_, 1), 1U) << "with room for all";
    EXPECT_EQ(other_.load<Grouped>(1).value().posts(), before);
    other_.erase<Grouped>(1);
  }
}

/// Of a map the last value of a key counts, so that nothing may overtake such a part.
TEST_P(BackgroundTest, OfAMapNothingBehindAPartThatIsTooLargeIsAdopted) {
  using Grouped = forum::GroupedTopic;
  other_.save(Topic(1));
  other_.apply<&Topic::rate>(1, "Ann", 1);
  other_.update<Topic>(1, [](auto& topic) {
    for (int i = 0; i < 100; ++i) topic.rate("reader " + std::to_string(i), i);
  });
  for (const int stars : {2, 3}) other_.apply<&Topic::rate>(1, "Ann", stars);
  const Grouped before = other_.load<Grouped>(1).value();
  EXPECT_EQ(before.stars().at("Ann"), 3);
  faulty_.limit_commits(1'500, FaultyStore::Limit::kSecret);
  std::string left;
  EXPECT_EQ(compact<Grouped>(left), 1U) << "the first";
  EXPECT_THAT(left, HasSubstr("compacting Topic 1: a commit of"));
  EXPECT_EQ(other_.load<Grouped>(1).value().stars(), before.stars());
  EXPECT_EQ(admin::compact<Grouped>(other_, 1), 3U) << "with room for all";
  EXPECT_EQ(other_.load<Grouped>(1).value().stars(), before.stars());
}

}  // namespace
}  // namespace autoshard::test
