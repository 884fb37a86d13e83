// Tokens of updates that share a commit.

#include <autoshard/autoshard.h>
#include <autoshard/token.h>
#include <gmock/gmock.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "controlled_store.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/quota.autoshard.h"
#include "keys.h"
#include "mapper_fixture.h"
#include "token_fixture.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using moderator::Question;
using shop::Quota;
using namespace std::chrono_literals;

/// What comes while a commit is under way shares the next one.
class TokensInABatch : public StoreTest {
 protected:
  void SetUp() override {
    for (const int id : {1, 2, 300}) mapper_.save(question(id));
    mapper_.save(Flight(7, 10));
    mapper_.save(Quota(1));
    store_control_.close();
    occupy(mapper_);
  }
  void TearDown() override { store_control_.open(); }

  /// Someone whose commit stays at the gate.
  void occupy(Mapper& mapper) {
    const int commits = store_control_.commits_so_far();
    occupant_ = mapper.apply_async<&Question::voteUp>(2);
    store_control_.wait_for_commit(commits + 1);
  }

  /// How an update of the batch ended.
  static std::string end(Completion& completion) {
    try {
      completion.get();
      return "counted";
    } catch (const BoundExceeded&) {
      return "exceeded";
    } catch (const std::out_of_range&) {
      return "thrown";
    } catch (const OutcomeUnknown&) {
      return "unknown";
    } catch (const KeyTooLong&) {
      return "refused";
    }
  }
  void expect_ends(const std::vector<std::string>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(end(batch_[i]), expected[i]) << i;
  }

  FaultyStore limited_{*store_};
  ControlledStore store_control_{limited_};
  Mapper mapper_{store_control_, {.compact_every = 0ms}};
  Completion occupant_;
  std::vector<Completion> batch_;
};
INSTANTIATE_TEST_SUITE_P(Stores, TokensInABatch, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(TokensInABatch, CountOnce) {
  for (const char* name : {"a", "b", "a", "a"})
    batch_.push_back(mapper_.apply_async<&Question::voteUp>(1, token(name)));
  batch_.push_back(mapper_.apply_async<&Question::voteUp>(1));
  batch_.push_back(mapper_.apply_async<&Question::voteUp>(2, token("a")));
  store_control_.open();
  expect_ends({"counted", "counted", "counted", "counted", "counted", "counted"});
  EXPECT_EQ(mapper_.load<Question>(1).value().votes(), 3);
  EXPECT_EQ(mapper_.load<Question>(2).value().votes(), 2);
}

TEST_P(TokensInABatch, CountOnceAfterConflicts) {
  for (const char* name : {"a", "b", "a"})
    batch_.push_back(mapper_.apply_async<&Question::voteUp>(1, token(name)));
  store_control_.let_through();
  for (int i = 0; i < 3; ++i) store_control_.let_through(ControlledStore::conflicts);
  store_control_.open();
  expect_ends({"counted", "counted", "counted"});
  EXPECT_EQ(mapper_.load<Question>(1).value().votes(), 2);
}

TEST_P(TokensInABatch, ShareAnUnknownOutcome) {
  for (const char* name : {"a", "a"})
    batch_.push_back(mapper_.apply_async<&Question::voteUp>(1, token(name)));
  store_control_.let_through();
  store_control_.let_through(
      [](Transaction&, const ControlledStore::Keys&) { return CommitOutcome::kUnknown; });
  store_control_.open();
  expect_ends({"unknown", "unknown"});
  mapper_.apply<&Question::voteUp>(1, token("a"));
  EXPECT_EQ(mapper_.load<Question>(1).value().votes(), 1);
}

TEST_P(TokensInABatch, ThatDoNotFitAreFree) {
  batch_.push_back(mapper_.apply_async<&Flight::book>(7, token("a"), 8));
  batch_.push_back(mapper_.apply_async<&Flight::book>(7, token("b"), 3));
  batch_.push_back(mapper_.apply_async<&Flight::book>(7, token("a"), 8));
  batch_.push_back(mapper_.apply_async<&Flight::book>(7, token("b"), 3));
  batch_.push_back(mapper_.apply_async<&Flight::book>(7, token("c"), 2));
  store_control_.open();
  expect_ends({"counted", "exceeded", "counted", "exceeded", "counted"});
  EXPECT_EQ(mapper_.load<Flight>(7).value().seats(), 0);
  mapper_.apply<&Flight::book>(7, -3);
  mapper_.apply<&Flight::book>(7, token("b"), 3);
  EXPECT_EQ(mapper_.load<Flight>(7).value().seats(), 0);
}

// Then each of the batch is tried alone, in one transaction.
TEST_P(TokensInABatch, WhoseFoldThrowsAreFree) {
  batch_.push_back(mapper_.apply_async<&Quota::use>(1, token("a"), 40));
  batch_.push_back(mapper_.apply_async<&Quota::use>(1, token("b"), 101));
  batch_.push_back(mapper_.apply_async<&Quota::use>(1, token("a"), 40));
  batch_.push_back(mapper_.apply_async<&Quota::use>(1, token("c"), 60));
  store_control_.open();
  expect_ends({"counted", "thrown", "counted", "counted"});
  EXPECT_EQ(mapper_.load<Quota>(1).value().used(), 100);
}

// The same token may fit one entity and not another, whose id is longer.
TEST_P(TokensInABatch, WhoseKeysAreTooLongAreRefusedAlone) {
  const std::string longest(30, 'x');
  store_control_.let_through();
  occupant_.get();
  limited_.limit_keys(key_size(1, longest));
  Mapper mapper(store_control_, {.compact_every = 0ms});
  occupy(mapper);
  const int commits = store_control_.commits_so_far();
  const auto vote = [&](int id, const std::string& bytes) {
    batch_.push_back(mapper.apply_async<&Question::voteUp>(id, token(bytes)));
  };
  vote(1, longest + 'x');
  vote(1, longest);
  vote(1, longest + 'x');
  vote(1, "a");
  vote(1, longest);
  vote(300, longest);
  vote(300, "a");
  store_control_.open();
  expect_ends({"refused", "counted", "refused", "counted", "counted", "refused", "counted"});
  EXPECT_EQ(store_control_.commits_so_far(), commits + 1);
  EXPECT_EQ(mapper_.load<Question>(1).value().votes(), 2);
  EXPECT_EQ(mapper_.load<Question>(300).value().votes(), 1);
  EXPECT_EQ(tokens(*store_), 3u);
}

class TokensOfMany : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, TokensOfMany, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(TokensOfMany, CountOnceWhoeverRepeatsThem) {
  constexpr int kThreads = 4, kTokens = 100;
  Mapper one(*store_), other(*store_, {.combine = false});
  one.save(question(1));
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      Mapper& mapper = i % 2 == 0 ? one : other;
      for (int number = 0; number < kTokens; ++number)
        mapper.apply<&Question::voteUp>(1, token(std::to_string(number)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(one.load<Question>(1).value().votes(), kTokens);
}

TEST_P(TokensOfMany, AreRemovedInTheBackground) {
  Mapper brief(*store_, {.compact_every = 1ms, .token_lifetime = 0ms});
  brief.save(question(1));
  brief.apply<&Question::voteUp>(1, token("a"));
  let_pass(*store_, 1min);
  while (!records(*store_, detail::begin_of_expiring(), detail::end_of_expiring()).empty())
    std::this_thread::yield();
  brief.apply<&Question::voteUp>(1, token("a"));
  EXPECT_EQ(brief.load<Question>(1).value().votes(), 2);
}

}  // namespace
}  // namespace autoshard::test
