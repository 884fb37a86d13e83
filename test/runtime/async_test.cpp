// Updates whose callers do not wait.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <atomic>
#include <coroutine>
#include <functional>
#include <future>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "controlled_store.h"
#include "entities/forms/question.autoshard.h"
#include "entities/strategies/quota.autoshard.h"
#include "entities/versions/bus.h"
#include "of_thread.h"
#include "shard_affinity.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using moderator::Question;
using shop::Quota;
using Bus = bus::SeatsBus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class AsyncTest : public StoreTest {
 protected:
  void SetUp() override {
    for (int id = 1; id <= 3; ++id) other_.save(Question{id, "How?", "Phil R"});
    other_.save(Quota(1));
  }
  void TearDown() override { store_control_.open(); }

  MapperOptions options() {
    return {.retry = {.initial_backoff = std::chrono::microseconds(1)},
            .max_in_flight = 1000,
            .log = [this](std::string_view line) {
              const std::lock_guard lock(log_mutex_);
              logged_.emplace_back(line);
            }};
  }
  int votes(int id) { return other_.load<Question>(id).value().votes(); }

  std::mutex log_mutex_;
  std::vector<std::string> logged_;
  Mapper other_{*store_};
  ControlledStore store_control_{*store_};
};
INSTANTIATE_TEST_SUITE_P(Stores, AsyncTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(AsyncTest, IsDoneOnceItIsCommitted) {
  Mapper mapper(store_control_, options());
  store_control_.close();
  Completion completion = mapper.apply_async<&Question::voteUp>(1);
  store_control_.wait_for_commit(1);
  EXPECT_TRUE(completion.valid());
  EXPECT_FALSE(completion.ready());
  store_control_.let_through();
  completion.get();
  EXPECT_FALSE(completion.valid());
  EXPECT_EQ(votes(1), 1);
}

TEST_P(AsyncTest, WhatGathersMeanwhileSharesACommit) {
  Mapper mapper(store_control_, options());
  store_control_.close();
  std::vector<Completion> completions;
  completions.push_back(mapper.apply_async<&Question::voteUp>(1));
  store_control_.wait_for_commit(1);
  for (int i = 0; i < 300; ++i) completions.push_back(mapper.apply_async<&Question::voteUp>(1 + i % 3));
  store_control_.let_through();
  EXPECT_THAT(store_control_.wait_for_commit(2), SizeIs(3));
  store_control_.open();
  for (Completion& completion : completions) completion.get();
  EXPECT_EQ(store_control_.commits_so_far(), 2);
  EXPECT_EQ(votes(1), 101);
  EXPECT_EQ(votes(2), 100);
}

TEST_P(AsyncTest, CallsBackInTheCommitterWithTheError) {
  Mapper mapper(*store_, options());
  std::promise<std::string> called;
  const auto tell = [&](const std::exception_ptr& error) {
    try {
      if (error) std::rethrow_exception(error);
      called.set_value("committed");
    } catch (const NotFound& not_found) {
      called.set_value(not_found.what());
    }
  };
  mapper.apply_async<&Question::voteUp>(1).then(tell);
  EXPECT_EQ(called.get_future().get(), "committed");
  called = {};
  mapper.apply_async<&Question::voteUp>(99).then(tell);
  EXPECT_THAT(called.get_future().get(), HasSubstr("Question 99"));
}

TEST_P(AsyncTest, CallsBackAtOnceIfItIsDone) {
  Mapper mapper(*store_, options());
  Completion completion = mapper.apply_async<&Question::voteUp>(1);
  while (!completion.ready()) std::this_thread::yield();
  std::thread::id called;
  std::move(completion).then([&](const std::exception_ptr& error) {
    EXPECT_FALSE(error);
    called = std::this_thread::get_id();
  });
  EXPECT_EQ(called, std::this_thread::get_id());
  EXPECT_FALSE(completion.valid());  // NOLINT(bugprone-use-after-move): it is specified
}

TEST_P(AsyncTest, BecomesAFuture) {
  Mapper mapper(*store_, options());
  std::future<void> done = mapper.apply_async<&Question::voteUp>(1);
  std::future<void> absent = mapper.apply_async<&Question::voteUp>(99);
  done.get();
  EXPECT_THROW(absent.get(), NotFound);
  EXPECT_EQ(votes(1), 1);
}

/// A coroutine that nobody waits for.
struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

Detached vote_in_turn(Mapper& mapper, std::vector<int> ids,
                      std::promise<std::vector<std::string>>& finished) {
  std::vector<std::string> results;
  for (const int id : ids) {
    try {
      co_await mapper.apply_async<&Question::voteUp>(id);
      results.emplace_back("done");
    } catch (const NotFound&) {
      results.emplace_back("absent");
    }
  }
  finished.set_value(results);
}

TEST_P(AsyncTest, CanBeAwaitedInACoroutine) {
  Mapper mapper(*store_, options());
  std::promise<std::vector<std::string>> finished;
  vote_in_turn(mapper, {1, 99, 2, 1}, finished);
  EXPECT_THAT(finished.get_future().get(), ElementsAre("done", "absent", "done", "done"));
  EXPECT_EQ(votes(1), 2);
}

TEST_P(AsyncTest, AMethodThatThrowsThrowsAtOnce) {
  Mapper mapper(*store_, options());
  EXPECT_THROW((void)mapper.apply_async<&Quota::use>(1, -1), std::invalid_argument);
}

TEST_P(AsyncTest, ADroppedOneTakesPlaceAndItsErrorIsLogged) {
  {
    Mapper mapper(store_control_, options());
    store_control_.close();
    (void)mapper.apply_async<&Question::voteUp>(1);
    (void)mapper.apply_async<&Question::voteUp>(99);
    store_control_.open();
  }
  EXPECT_EQ(votes(1), 1);
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("there is no Question 99")));
}

TEST_P(AsyncTest, ADroppedOneThatIsDoneHasItsErrorLogged) {
  MapperOptions alone = options();
  alone.combine = false;
  for (const MapperOptions& options : {options(), alone}) {
    logged_.clear();
    Mapper mapper(*store_, options);
    Completion dropped = mapper.apply_async<&Question::voteUp>(99),
               told = mapper.apply_async<&Question::voteUp>(98);
    while (!dropped.ready()) std::this_thread::yield();
    EXPECT_THROW(told.get(), NotFound);
    dropped = {};
    const std::lock_guard lock(log_mutex_);
    EXPECT_THAT(logged_, ElementsAre(HasSubstr("there is no Question 99")));
  }
}

TEST_P(AsyncTest, ItsErrorGoesToTheLogOfItsMapper) {
  std::atomic<int> logged[2] = {0, 0};
  const auto logs_to = [&](int mapper) {
    MapperOptions options = this->options();
    options.combine = false;
    options.log = [&logged, mapper](std::string_view) { ++logged[mapper]; };
    return options;
  };
  Mapper one(*store_, logs_to(0)), other(*store_, logs_to(1));
  for (int i = 1; i <= 3; ++i) {
    (void)one.apply_async<&Question::voteUp>(99);
    (void)other.apply_async<&Question::voteUp>(99);
    EXPECT_EQ(logged[0], i);
    EXPECT_EQ(logged[1], i);
  }
}

TEST_P(AsyncTest, ItsErrorOutlivesTheMapper) {
  std::vector<Completion> completions;
  {
    Mapper mapper(*store_, options());
    for (int i = 0; i < 2; ++i) completions.push_back(mapper.apply_async<&Question::voteUp>(99));
  }
  EXPECT_THROW(completions[0].get(), NotFound);
  completions.clear();
  EXPECT_THAT(logged_, SizeIs(0));
}

TEST_P(AsyncTest, WhatACallbackThrowsIsLoggedAlsoIfItIsCalledAtOnce) {
  Mapper mapper(*store_, options());
  Completion completion = mapper.apply_async<&Question::voteUp>(1);
  while (!completion.ready()) std::this_thread::yield();
  std::move(completion).then([](const std::exception_ptr&) { throw std::runtime_error("ignored"); });
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("ignored")));
}

TEST_P(AsyncTest, OneOfNothingCannotBeUsed) {
  Completion completion;
  EXPECT_FALSE(completion.valid());
  EXPECT_THROW((void)completion.ready(), InvalidUse);
  EXPECT_THROW(completion.get(), InvalidUse);
  EXPECT_THROW(Completion().then([](const std::exception_ptr&) {}), InvalidUse);
  EXPECT_THROW((void)std::future<void>(Completion()), InvalidUse);
  Mapper mapper(*store_, options());
  Completion used = mapper.apply_async<&Question::voteUp>(1);
  used.get();
  EXPECT_THROW(used.get(), InvalidUse);
}

/// Does something when its thread ends.
struct AtThreadEnd {
  ~AtThreadEnd() {
    if (action) action();
  }
  std::function<void()> action;
};

// What a thread keeps for its calls is destroyed before what was there earlier. With AddressSanitizer this
// fails if that is used.
TEST_P(AsyncTest, ObjectsThatAreDestroyedLaterMayUseTheMapper) {
  for (const bool combine : {true, false}) {  // without, the thread commits itself
    const int before = votes(1);
    MapperOptions its_options = options();
    its_options.combine = combine;
    Mapper mapper(*store_, its_options);
    std::thread([&] {
      thread_local AtThreadEnd at_end;
      at_end.action = [&] {
        mapper.apply_async<&Question::voteUp>(1).get();
        EXPECT_EQ(mapper.load<Question>(1).value().votes(), before + 2);
        EXPECT_EQ(detail::OfThread<int>::get(), nullptr);
        EXPECT_EQ(detail::number_of_thread(), detail::kThreadNumbers - 1) << "that which several may share";
      };
      EXPECT_NE(detail::OfThread<int>::get(), nullptr);
      EXPECT_NE(detail::number_of_thread(), detail::kThreadNumbers - 1);
      mapper.apply_async<&Question::voteUp>(1).get();
      EXPECT_EQ(mapper.load<Question>(1).value().votes(), before + 1);
    }).join();
    EXPECT_EQ(votes(1), before + 2);
  }
}

TEST_P(AsyncTest, CallbacksMayUseTheMapper) {
  std::atomic<int> called{0};
  {
    MapperOptions options = this->options();
    options.max_in_flight = 1;
    Mapper mapper(store_control_, options);
    store_control_.close();
    mapper.apply_async<&Question::voteUp>(1).then([&](const std::exception_ptr&) {
      mapper.apply<&Question::voteUp>(2);
      EXPECT_THROW(mapper.apply<&Question::voteUp>(99), NotFound);
      EXPECT_EQ(mapper.load<Question>(2).value().votes(), 1);
      for (int i = 0; i < 10; ++i) {
        mapper.apply_async<&Question::voteUp>(3).then([&](const std::exception_ptr& error) {
          EXPECT_FALSE(error);
          ++called;
        });
      }
      Completion completion = mapper.apply_async<&Question::voteUp>(3);
      EXPECT_THROW(completion.get(), InvalidUse);
      throw std::runtime_error("ignored");
    });
    store_control_.open();
  }
  EXPECT_EQ(called, 10);
  EXPECT_EQ(votes(3), 11);
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("ignored")));
}

TEST_P(AsyncTest, TheMapperWaitsForWhatIsInFlight) {
  std::atomic<int> called{0};
  store_control_.close();
  auto mapper = std::make_unique<Mapper>(store_control_, options());
  for (int i = 0; i < 500; ++i) {
    mapper->apply_async<&Question::voteUp>(1 + i % 2).then([&](const std::exception_ptr& error) {
      EXPECT_FALSE(error);
      ++called;
    });
  }
  std::thread destroyer([&] { mapper.reset(); });
  store_control_.wait_for_commit(1);
  store_control_.open();
  destroyer.join();
  EXPECT_EQ(called, 500);
  EXPECT_EQ(votes(1) + votes(2), 500);
}

TEST_P(AsyncTest, TriesAgainAfterAConflict) {
  Mapper mapper(store_control_, options());
  store_control_.close();
  for (int i = 0; i < 5; ++i) store_control_.let_through(ControlledStore::conflicts);
  Completion completion = mapper.apply_async<&Question::voteUp>(1);
  store_control_.wait_for_commit(6);
  store_control_.open();
  completion.get();
  EXPECT_EQ(votes(1), 1);
  EXPECT_EQ(admin::counters(mapper).conflicts, 5u);
  EXPECT_EQ(admin::counters(mapper).retries, 5u);
}

// An update that waits for another attempt is committed before those of its entity that came after it, also
// where its time has not come yet.
TEST_P(AsyncTest, AnUpdateThatIsTriedAgainReplacesNothingThatCameLater) {
  MapperOptions options = this->options();
  options.retry = {.initial_backoff = std::chrono::seconds(10), .max_backoff = std::chrono::seconds(10)};
  other_.save(Bus(1, 5));
  Mapper mapper(store_control_, options);
  store_control_.close();
  store_control_.let_through(ControlledStore::conflicts);
  Completion earlier = mapper.apply_async<&Bus::set_free>(1, 100);
  while (admin::counters(mapper).conflicts == 0) std::this_thread::yield();
  Completion later = mapper.apply_async<&Bus::set_free>(1, 200);
  store_control_.open();
  later.get();
  earlier.get();
  EXPECT_EQ(other_.load<Bus>(1).value().free(), 200);
}

TEST_P(AsyncTest, GivesUpWhenThePolicySaysSo) {
  MapperOptions options = this->options();
  options.retry = RetryPolicy::none();
  Mapper mapper(store_control_, options);
  store_control_.close();
  store_control_.let_through(ControlledStore::conflicts);
  Completion completion = mapper.apply_async<&Question::voteUp>(1);
  EXPECT_THROW(completion.get(), Contention);
  EXPECT_EQ(votes(1), 0);
}

TEST_P(AsyncTest, IsCommittedAtOnceWithoutCombining) {
  MapperOptions options = this->options();
  options.combine = false;
  Mapper mapper(*store_, options);
  Completion completion = mapper.apply_async<&Question::voteUp>(1);
  EXPECT_TRUE(completion.ready());
  completion.get();
  EXPECT_EQ(votes(1), 1);
  EXPECT_THROW(mapper.apply_async<&Question::voteUp>(99).get(), NotFound);
}

// Callers that wait and callers that do not, entities that come and go: what was acknowledged is counted,
// once.
TEST_P(AsyncTest, ManyThreadsLoseNothing) {
  constexpr int kThreads = 8, kUpdates = 2000;
  std::atomic<int> acknowledged[3] = {};
  // Counts up when Question 50 is about to be erased, and when there is the next one. What it was when each
  // vote on it began, and when that was acknowledged.
  std::atomic<int> life{0};
  std::vector<std::pair<int, int>> votes_in_lives[kThreads];
  {
    Mapper mapper(*store_, options());
    std::vector<std::thread> threads;
    const auto seed = seeded_generator()();
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        std::mt19937_64 generator(seed + static_cast<unsigned>(thread));
        for (int i = 0; i < kUpdates; ++i) {
          const auto id = below(generator, 3);
          std::atomic<int>& counter = acknowledged[id];
          switch (below(generator, 4)) {
            case 0:
              mapper.apply<&Question::voteUp>(static_cast<int>(id) + 1);
              ++counter;
              break;
            case 1:
              try {
                const int begun = life;
                mapper.apply<&Question::voteUp>(50);
                votes_in_lives[thread].emplace_back(begun, life);
              } catch (const NotFound&) {
              }
              break;
            default:
              mapper.apply_async<&Question::voteUp>(static_cast<int>(id) + 1)
                  .then([&](const std::exception_ptr& error) { counter += error ? 0 : 1; });
          }
          if (thread == 0 && i % 50 == 0) {
            ++life;
            mapper.erase<Question>(50);
            mapper.save(Question{50, "How?", "Phil R"});
            ++life;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  for (int id = 1; id <= 3; ++id) EXPECT_EQ(votes(id), acknowledged[id - 1]);
  int certain = 0, possible = 0;
  for (const auto& votes_of_thread : votes_in_lives) {
    for (const auto& [begun, ended] : votes_of_thread) {
      certain += begun == life;
      possible += ended >= life - 1;  // it may have been there before its `save` returned
    }
  }
  EXPECT_GE(votes(50), certain);
  EXPECT_LE(votes(50), possible);
}

}  // namespace
}  // namespace autoshard::test
