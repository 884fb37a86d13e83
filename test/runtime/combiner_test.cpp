// What waits at the same time shares a commit, and fares as it would alone.

#include "combiner.h"

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <list>
#include <memory>
#include <thread>

#include "async_request.h"
#include "controlled_store.h"
#include "entities/forms/question.autoshard.h"
#include "entities/strategies/quota.autoshard.h"
#include "support/test_store.h"

namespace autoshard::detail {
namespace {

using moderator::Question;
using shop::Quota;
using test::ControlledStore;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;
using Result = Request::Result;

/// A thread that commits an update.
template <class E>
class Caller {
 public:
  Caller(Combiner& combiner, int id, typename Traits<E>::Shard shard)
      : key_(entity_key(Traits<E>::kKind, id)),
        shard_(shard),
        request_(kEntityType<E>, key_, &shard_),
        thread_([this, &combiner] {
          combiner.commit(request_);
          returned_ = true;
        }) {}
  ~Caller() { thread_.join(); }

  bool returned() const { return returned_; }
  Result result() {
    while (!returned_) std::this_thread::yield();
    return request_.result;
  }
  void rethrow() {
    ASSERT_EQ(result(), Result::kFailed);
    std::rethrow_exception(request_.error);
  }

 private:
  EntityKey key_;
  typename Traits<E>::Shard shard_;
  Request request_;
  std::atomic<bool> returned_{false};
  std::thread thread_;
};

class CombinerTest : public test::StoreTest {
 protected:
  void SetUp() override {
    for (int id = 1; id <= 8; ++id) {
      mapper_.save(Question{id, "How?", "Phil R"});
      mapper_.save(Quota(id));
    }
    store_control_.close();
    occupy();
  }
  void TearDown() override {
    store_control_.open();
    voters_.clear();
    users_.clear();
  }

  /// Someone whose commit, the next one, stays at the gate.
  void occupy() {
    vote(8);
    ++seen_;
    store_control_.wait_for_commit(seen_);
  }
  /// Lets the commit at the gate through and waits until the next one is there; returns what it is to write.
  ControlledStore::Keys next_commit(ControlledStore::Outcome outcome = ControlledStore::commits) {
    store_control_.let_through(std::move(outcome));
    return store_control_.wait_for_commit(++seen_);
  }

  Caller<Question>& vote(int id) { return voters_.emplace_back(combiner_, id, Question::Shard{.votes_ = 1}); }
  Caller<Quota>& use(int id, int amount) {
    return users_.emplace_back(combiner_, id, Quota::Shard{.used_ = amount});
  }
  /// Waits until all callers but those whose commits were alone are in open batches.
  void wait_until_joined(std::uint32_t callers) {
    while (combiner_.joined() < callers) std::this_thread::yield();
  }
  int votes(int id) { return mapper_.load<Question>(id).value().votes(); }

  Mapper mapper_{*store_};
  ControlledStore store_control_{*store_};
  MapperContext context_{store_control_, {}};
  Combiner combiner_{context_};
  std::list<Caller<Question>> voters_;
  std::list<Caller<Quota>> users_;
  int seen_ = 0;
};
INSTANTIATE_TEST_SUITE_P(Stores, CombinerTest, ::testing::ValuesIn(test::stores_for_threads()),
                         test::store_name);

TEST_P(CombinerTest, WhatWaitsSharesACommit) {
  for (int i = 0; i < 5; ++i) vote(1);
  for (int i = 0; i < 3; ++i) vote(2);
  use(1, 7);
  wait_until_joined(9);
  EXPECT_THAT(next_commit(), SizeIs(3));  // a shard of each of three entities
  store_control_.open();
  for (auto& voter : voters_) EXPECT_EQ(voter.result(), Result::kCommitted);
  EXPECT_EQ(users_.front().result(), Result::kCommitted);
  EXPECT_EQ(votes(1), 5);
  EXPECT_EQ(votes(2), 3);
  EXPECT_EQ(votes(8), 1);
  EXPECT_EQ(mapper_.load<Quota>(1).value().used(), 7);
  EXPECT_EQ(store_control_.commits_so_far(), 2);
  EXPECT_EQ(context_.counters.commits.value(), 2u);
}

TEST_P(CombinerTest, NobodyReturnsBeforeTheCommitNorWaitsForMoreThanTwo) {
  std::uint32_t joined = 0;
  Caller<Question>* last = nullptr;
  for (int batch = 0; batch < 6; ++batch) {
    Caller<Question>& next = vote(1);
    wait_until_joined(++joined);
    // `next` came while a commit was under way; `last` while the one before was.
    next_commit();
    if (last) {
      EXPECT_EQ(last->result(), Result::kCommitted);
    }
    EXPECT_FALSE(next.returned());
    last = &next;
  }
}

TEST_P(CombinerTest, WhoSubmitsWaitsWhenTooManyAreInFlight) {
  MapperContext context(store_control_, {.max_in_flight = 2});
  Combiner combiner(context);
  std::atomic<bool> returned{false};
  const auto submit = [&] {
    Question::Shard shard{.votes_ = 1};
    AsyncRequest* request =
        AsyncRequest::make(kEntityType<Question>, entity_key("Question", 1), &shard, nullptr);
    request->attempts.emplace(context, "updating", request->key);
    request->phase = AsyncRequest::kDropped;
    combiner.submit(*request);
  };
  submit();
  submit();
  std::thread third([&] {
    submit();
    returned = true;
  });
  while (combiner.held_up() == 0 && !returned) std::this_thread::yield();
  EXPECT_FALSE(returned);
  store_control_.open();
  third.join();
  combiner.stop();
  EXPECT_EQ(votes(1), 3);
}

// And nobody who came later.
TEST_P(CombinerTest, WhoWaitedFirstSubmitsFirst) {
  store_control_.let_through();
  voters_.front().result();
  MapperContext context(store_control_, {.max_in_flight = 1});
  Combiner combiner(context);
  std::vector<std::thread> submitting;
  const auto submit = [&](int id) {
    Question::Shard shard{.votes_ = 1};
    AsyncRequest* request =
        AsyncRequest::make(kEntityType<Question>, entity_key("Question", id), &shard, nullptr);
    request->attempts.emplace(context, "updating", request->key);
    request->phase = AsyncRequest::kDropped;
    combiner.submit(*request);
  };
  submit(8);
  store_control_.wait_for_commit(++seen_);
  for (int id = 1; id <= 6; ++id) {
    submitting.emplace_back(submit, id);
    while (combiner.held_up() < static_cast<std::uint32_t>(id)) std::this_thread::yield();
  }
  for (int id = 1; id <= 6; ++id) {
    const ControlledStore::Keys keys = next_commit();
    ASSERT_THAT(keys, SizeIs(1));
    EXPECT_TRUE(entity_key("Question", id).has_record(*keys.begin())) << id;
  }
  store_control_.open();
  for (std::thread& thread : submitting) thread.join();
}

// However long it lay in memory until somebody made an attempt.
TEST_P(CombinerTest, TheDeadlineCountsFromTheFirstAttempt) {
  MapperContext context(store_control_, {.retry = {.deadline = std::chrono::hours(1)}});
  Question::Shard shard{.votes_ = 1};
  AsyncRequest* request =
      AsyncRequest::make(kEntityType<Question>, entity_key("Question", 1), &shard, nullptr);
  request->attempts.emplace(context, "updating", request->key,
                            platform::Clock::now() - std::chrono::hours(2));
  combiner_.buffer(*request);
  std::thread flushing([&] { combiner_.flush(); });
  next_commit();
  store_control_.let_through(ControlledStore::conflicts);
  store_control_.open();
  flushing.join();
  EXPECT_NO_THROW(combiner_.throw_if_lost());
  EXPECT_EQ(votes(1), 1);
}

TEST_P(CombinerTest, WhatACallbackBuffersDuringAStopIsCommittedAtOnce) {
  MapperContext context(store_control_, {.durability = durability::buffered{std::chrono::hours(1)}});
  Combiner combiner(context);
  const auto request = [&] {
    Question::Shard shard{.votes_ = 1};
    AsyncRequest* made =
        AsyncRequest::make(kEntityType<Question>, entity_key("Question", 1), &shard, nullptr);
    made->attempts.emplace(context, "updating", made->key);
    return made;
  };
  AsyncRequest* first = request();
  first->callback = [&](const std::exception_ptr&) {
    while (!combiner.is_stopping()) std::this_thread::yield();
    combiner.buffer(*request());
  };
  first->phase = AsyncRequest::kContinued;
  combiner.submit(*first);
  store_control_.open();
  combiner.stop();
  EXPECT_EQ(votes(1), 2);
}

/// A buffered update may become due while a caller commits. Its commit is the next one.
TEST_P(CombinerTest, WhatIsDueDuringACommitIsCommittedNext) {
  store_control_.let_through();
  voters_.front().result();
  MapperContext context(store_control_, {.durability = durability::buffered{}});
  Combiner combiner(context);
  Caller<Question>& caller = voters_.emplace_back(combiner, 1, Question::Shard{.votes_ = 1});
  store_control_.wait_for_commit(++seen_);
  Question::Shard shard{.votes_ = 1};
  AsyncRequest* request =
      AsyncRequest::make(kEntityType<Question>, entity_key("Question", 2), &shard, nullptr);
  request->attempts.emplace(context, "updating", request->key);
  combiner.buffer(*request);
  while (!combiner.waits_for_turn()) std::this_thread::yield();
  const ControlledStore::Keys keys = next_commit();
  EXPECT_EQ(caller.result(), Result::kCommitted);
  ASSERT_THAT(keys, SizeIs(1));
  EXPECT_TRUE(entity_key("Question", 2).has_record(*keys.begin()));
  store_control_.open();
  combiner.stop();
  EXPECT_EQ(votes(2), 1);
}

TEST_P(CombinerTest, AnAbsentEntityFailsAlone) {
  Caller<Question>&here = vote(1), &absent = vote(99), &absent_too = vote(99), &there = vote(2);
  wait_until_joined(4);
  EXPECT_THAT(next_commit(), SizeIs(2));
  store_control_.open();
  EXPECT_EQ(here.result(), Result::kCommitted);
  EXPECT_EQ(there.result(), Result::kCommitted);
  EXPECT_THROW(absent.rethrow(), NotFound);
  EXPECT_THAT([&] { absent_too.rethrow(); }, ThrowsMessage<NotFound>(HasSubstr("Question 99")));
  EXPECT_EQ(test::records(*store_, entity_key("Question", 99)).size(), 0u);
}

TEST(AsyncRequests, AMarkerInTheMemoryOfAnUpdateIsNoUpdate) {
  Question::Shard vote{.votes_ = 1};
  const auto log = std::make_shared<const AsyncRequest::Log>();
  AsyncRequest* update =
      AsyncRequest::make(kEntityType<Question>, entity_key("Question", 1), &vote, log, "a token");
  AsyncRequest::release(update);
  AsyncRequest* marker = AsyncRequest::make_marker({});
  ASSERT_EQ(marker, update) << "a thread uses its last request first";
  EXPECT_EQ(marker->type, nullptr);
  AsyncRequest::release(marker);
}

TEST_P(CombinerTest, AFoldThatThrowsFailsAlone) {
  Caller<Quota>&some = use(1, 60), &more = use(1, 60), &little = use(1, 10), &other = use(2, 100);
  Caller<Question>& vote = this->vote(1);
  wait_until_joined(5);
  next_commit();
  store_control_.open();
  EXPECT_EQ(little.result(), Result::kCommitted);
  EXPECT_EQ(other.result(), Result::kCommitted);
  EXPECT_EQ(vote.result(), Result::kCommitted);
  Caller<Quota>& refused = some.result() == Result::kCommitted ? more : some;
  EXPECT_THROW(refused.rethrow(), std::out_of_range);
  EXPECT_EQ(mapper_.load<Quota>(1).value().used(), 70);
  EXPECT_EQ(store_control_.commits_so_far(), 2);
}

// The fold of what waits is within the limit, and that with what is stored is not.
TEST_P(CombinerTest, AFoldWithAStoredValueThatThrowsFailsAlone) {
  Caller<Quota>& before = use(1, 50);
  wait_until_joined(1);
  next_commit();
  EXPECT_EQ(store_control_.commits_so_far(), 2);
  Caller<Quota>&some = use(1, 45), &more = use(1, 45);
  wait_until_joined(3);
  next_commit();
  store_control_.open();
  EXPECT_EQ(before.result(), Result::kCommitted);
  Caller<Quota>& refused = some.result() == Result::kCommitted ? more : some;
  EXPECT_THROW(refused.rethrow(), std::out_of_range);
  EXPECT_EQ(mapper_.load<Quota>(1).value().used(), 95);
}

TEST_P(CombinerTest, AnEntityThatConflictsMovesToAnotherShard) {
  Caller<Question>&one = vote(1), &other = vote(1);
  wait_until_joined(2);
  const ControlledStore::Keys first = next_commit();
  store_control_.let_through(ControlledStore::conflicts);
  EXPECT_EQ(one.result(), Result::kConflict);
  EXPECT_EQ(other.result(), Result::kConflict);
  EXPECT_EQ(context_.counters.conflicts.value(), 1u);
  vote(1);
  const ControlledStore::Keys second = store_control_.wait_for_commit(++seen_);
  EXPECT_THAT(second, SizeIs(1));
  EXPECT_NE(first, second);
  store_control_.open();
  EXPECT_EQ(voters_.back().result(), Result::kCommitted);
  EXPECT_EQ(votes(1), 1);
}

TEST_P(CombinerTest, AConflictLeavesTheOtherEntitiesAlone) {
  for (int id = 1; id <= 6; ++id) vote(id);
  wait_until_joined(6);
  next_commit();
  store_control_.open(ControlledStore::conflicts_of({entity_key("Question", 3)}));
  int id = 0;  // of the first voter, which was alone, 0; then 1, 2, …
  for (auto& voter : voters_) {
    EXPECT_EQ(voter.result(), id == 3 ? Result::kConflict : Result::kCommitted) << id;
    ++id;
  }
  for (id = 1; id <= 6; ++id) EXPECT_EQ(votes(id), id == 3 ? 0 : 1);
  EXPECT_LE(store_control_.commits_so_far(), 1 + 1 + 2 * 3);
}

TEST_P(CombinerTest, AnUnknownOutcomeIsEverybodys) {
  Caller<Question>&one = vote(1), &two = vote(2);
  wait_until_joined(2);
  next_commit();
  store_control_.let_through([](Transaction& transaction, const ControlledStore::Keys&) {
    transaction.commit();
    return CommitOutcome::kUnknown;
  });
  EXPECT_THAT([&] { one.rethrow(); }, ThrowsMessage<OutcomeUnknown>(HasSubstr("Question 1:")));
  EXPECT_THAT([&] { two.rethrow(); }, ThrowsMessage<OutcomeUnknown>(HasSubstr("Question 2:")));
  EXPECT_EQ(votes(1), 1);
}

TEST_P(CombinerTest, WhatBefallsTheStoreBefallsAll) {
  Caller<Question>&one = vote(1), &two = vote(2);
  wait_until_joined(2);
  next_commit();
  store_control_.let_through(
      [](Transaction&, const ControlledStore::Keys&) -> CommitOutcome { throw StoreUnavailable("full"); });
  EXPECT_THROW(one.rethrow(), StoreUnavailable);
  EXPECT_THROW(two.rethrow(), StoreUnavailable);
  store_control_.open();
  EXPECT_EQ(vote(1).result(), Result::kCommitted);
  EXPECT_EQ(votes(1), 1);
  EXPECT_EQ(votes(2), 0);
}

TEST_P(CombinerTest, UpdatesOfAnEarlierEntityFailAlone) {
  const EntityKey key = entity_key("Question", 1);
  Question::Shard shard{.votes_ = 1};
  Request of_an_earlier_one(kEntityType<Question>, key, &shard, std::uint64_t{7} << 32);
  std::thread caller([&] { combiner_.commit(of_an_earlier_one); });
  Caller<Question>& of_this = vote(1);
  wait_until_joined(2);
  next_commit();
  store_control_.open();
  caller.join();
  EXPECT_EQ(of_this.result(), Result::kCommitted);
  EXPECT_EQ(of_an_earlier_one.result, Result::kFailed);
  EXPECT_THROW(std::rethrow_exception(of_an_earlier_one.error), NotFound);
  EXPECT_EQ(votes(1), 1);
}

}  // namespace
}  // namespace autoshard::detail
