// What is committed together fares as it would alone.

#include "shard_writer.h"

#include <autoshard/autoshard.h>
#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "entities/forms/question.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/purse.autoshard.h"
#include "entities/strategies/quota.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "entities/types/note.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "folding_store.h"
#include "keys.h"
#include "marked_writer.h"
#include "shared_store.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::detail {
namespace {

using moderator::Question;
using test::FaultyStore;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;
using ::testing::UnorderedElementsAre;
using Result = Request::Result;

/// The inverse of what libstdc++'s hash of bytes does to each eight of them, and that itself.
constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995;
std::uint64_t mixed(std::uint64_t word) {
  word *= kFactor;
  return (word ^ word >> 47) * kFactor;
}
std::uint64_t unmixed(std::uint64_t word) {
  std::uint64_t inverse = kFactor;
  for (int i = 0; i < 5; ++i) inverse *= 2 - kFactor * inverse;
  word *= inverse;
  return (word ^ word >> 47) * inverse;
}

/// Returns two ids of a kind whose keys have the same hash.
std::array<std::string, 2> ids_of_one_hash(std::string_view kind) {
  const std::size_t begin = entity_key(kind, std::string("id")).bytes().find("id");
  const std::string aligned((8 - begin % 8) % 8, 'x');
  const std::string first = aligned + "anywordaandother";
  const std::string key = entity_key(kind, first).bytes();
  const auto word_at = [&key](std::size_t at) {
    std::uint64_t word = 0;
    std::memcpy(&word, key.data() + at, sizeof(word));
    return word;
  };
  std::uint64_t before = 0xc70f6907 ^ key.size() * kFactor;
  const std::size_t place = begin + aligned.size();
  for (std::size_t at = 0; at < place; at += 8) before = (before ^ mixed(word_at(at))) * kFactor;
  const auto after = [&](std::uint64_t word) { return (before ^ mixed(word)) * kFactor; };
  const std::uint64_t goal = after(word_at(place)) ^ mixed(word_at(place + 8));
  for (std::uint64_t word = word_at(place) + 1;; ++word) {
    const std::uint64_t next = unmixed(goal ^ after(word));
    std::string second = aligned + std::string(16, '\0');
    std::memcpy(second.data() + aligned.size(), &word, sizeof(word));
    std::memcpy(second.data() + aligned.size() + 8, &next, sizeof(next));
    if (second.find('\0') == std::string::npos) return {first, second};  // a zero takes two bytes
  }
}

class ShardWriterTest : public test::StoreTest {
 protected:
  void SetUp() override {
    for (int id = 1; id <= 3; ++id) mapper_.save(Question{id, "How?", "Phil R"});
  }

  Request& vote(int id, std::string_view token = {}) {
    keys_.push_back(entity_key("Question", id));
    return requests_.emplace_back(kEntityType<Question>, keys_.back(), &one_, 0, token);
  }
  std::vector<Result> commit() { return commit(faulty_); }
  std::vector<Result> commit(Store& store) {
    std::vector<Request*> batch;
    for (Request& request : requests_) batch.push_back(&request);
    MapperContext context(store, options_);
    ShardWriter(context, affinity_).commit(batch);
    std::vector<Result> results;
    for (const Request& request : requests_) results.push_back(request.result);
    return results;
  }
  int votes(int id) { return mapper_.load<Question>(id).value().votes(); }

  Mapper mapper_{*store_};
  FaultyStore faulty_{*store_};
  MapperOptions options_;
  AffinityNumber affinity_ = 0;
  Question::Shard one_{.votes_ = 1};
  std::deque<EntityKey> keys_;
  std::deque<Request> requests_;
};
INSTANTIATE_TEST_SUITE_P(Stores, ShardWriterTest, ::testing::ValuesIn(test::all_stores()), test::store_name);

TEST_P(ShardWriterTest, WhatBefallsTheStoreBefallsRepeatedUpdatesToo) {
  vote(1, "once");
  commit();
  requests_.clear();
  vote(1, "once");
  vote(2);
  faulty_.before_commit([](int) { return test::Fate::kCrashes; });
  EXPECT_THAT(commit(), Each(Result::kFailed));
  EXPECT_EQ(votes(1), 1);
  EXPECT_EQ(votes(2), 0);
}

// To wait for it takes seconds, for each read.
TEST_P(ShardWriterTest, AStoreThatCannotBeReadIsAskedOnce) {
  for (int i = 0; i < 5; ++i) vote(1);
  for (int i = 0; i < 3; ++i) vote(2);
  int reads = 0;
  faulty_.before_get([&] {
    ++reads;
    throw StoreUnavailable("no answer");
  });
  EXPECT_THAT(commit(), Each(Result::kFailed));
  for (const Request& request : requests_)
    EXPECT_THAT([&] { std::rethrow_exception(request.error); },
                ThrowsMessage<StoreUnavailable>(HasSubstr("no answer")));
  EXPECT_EQ(reads, 1);
}

TEST_P(ShardWriterTest, AnUpdateWithAKeyThatIsTooLongFailsAlone) {
  faulty_.limit_keys(shard_key(entity_key("Question", 1), "votes", 0).size());
  vote(1);
  vote(2);
  Request& with_long_key = vote(1, std::string_view("a token that makes a key longer than that of a shard"));
  vote(1);
  commit();
  EXPECT_EQ(with_long_key.result, Result::kFailed);
  EXPECT_THAT([&] { std::rethrow_exception(with_long_key.error); },
              ThrowsMessage<KeyTooLong>(HasSubstr("Question 1")));
  EXPECT_EQ(votes(1), 2);
  EXPECT_EQ(votes(2), 1);
}

// The first commit, of both entities, is in conflict. Then each entity gets one of its own.
TEST_P(ShardWriterTest, AnUpdateThatHasFailedIsNotTriedAgain) {
  vote(99);
  vote(1);
  int reads = 0;
  faulty_.before_get([&] { ++reads; });
  faulty_.before_commit([](int nth) { return nth == 1 ? test::Fate::kConflicts : test::Fate::kCommits; });
  commit();
  EXPECT_THROW(std::rethrow_exception(requests_[0].error), NotFound);
  EXPECT_EQ(requests_[1].result, Result::kCommitted);
  EXPECT_EQ(reads, 1 + 2 + 2) << "a main record that is not there; then a main record and a shard, twice";
  EXPECT_EQ(votes(1), 1);
}

TEST_P(ShardWriterTest, NothingIsReadAheadForAnUpdateThatHasFailed) {
  mapper_.save(shop::Quota(1));
  shop::Quota::Shard ten{.used_ = 10};
  const EntityKey key = entity_key("Quota", 1);
  const Request& refused =
      requests_.emplace_back(kEntityType<shop::Quota>, key, &ten, 0, "a token that makes a key too long");
  requests_.emplace_back(kEntityType<shop::Quota>, key, &ten);
  vote(1);
  faulty_.limit_keys(shard_key(entity_key("Question", 1), "votes", 0).size());
  faulty_.before_commit([](int nth) { return nth == 1 ? test::Fate::kConflicts : test::Fate::kCommits; });
  test::FoldingStore folding(faulty_);
  commit(folding);
  EXPECT_THROW(std::rethrow_exception(refused.error), KeyTooLong);
  EXPECT_EQ(requests_[1].result, Result::kCommitted);
  EXPECT_EQ(requests_[2].result, Result::kCommitted);
  EXPECT_EQ(mapper_.load<shop::Quota>(1).value().used(), 10);
  EXPECT_EQ(votes(1), 1);
}

// Who repeats it because of that would count it twice.
TEST_P(ShardWriterTest, ALogThatThrowsDoesNotHideTheOutcome) {
  options_.log = [](std::string_view) { throw std::runtime_error("no room for another line"); };
  faulty_.before_commit([](int) { return test::Fate::kUnknownDone; });
  vote(1);
  vote(2);
  commit();
  for (const Request& request : requests_)
    EXPECT_THROW(std::rethrow_exception(request.error), OutcomeUnknown);
}

TEST_P(ShardWriterTest, AnUnknownOutcomeWithoutALogLeavesTheNextCommitAlone) {
  // Half of it is the least that ends a transaction: each entity has its own.
  faulty_.limit_commits(shard_key(entity_key("Question", 1), "votes", 0).size() * 3 / 2,
                        FaultyStore::Limit::kTold);
  faulty_.before_commit([](int nth) { return nth == 1 ? test::Fate::kUnknownDone : test::Fate::kCommits; });
  vote(1);
  vote(2);
  EXPECT_THAT(commit(), UnorderedElementsAre(Result::kFailed, Result::kCommitted));
  EXPECT_EQ(faulty_.commits(), 2);
  for (const Request& request : requests_) {
    if (request.result == Result::kFailed) {
      EXPECT_THROW(std::rethrow_exception(request.error), OutcomeUnknown);
    }
  }
  EXPECT_EQ(votes(1) + votes(2), 2);
}

TEST_P(ShardWriterTest, AnEntityKeepsItsOrderBesideOneOfTheSameHash) {
  const auto [one, other] = ids_of_one_hash("Stock");
  const EntityKey key = entity_key("Stock", one), other_key = entity_key("Stock", other);
  ASSERT_EQ(Request::hash_of(key), Request::hash_of(other_key));
  for (const std::string& id : {one, other}) mapper_.save(shop::Stock(id));
  shop::Stock::Shard piece{.pieces_ = 1};
  std::array<Request, 3> updates{Request(kEntityType<shop::Stock>, key, &piece),
                                 Request(kEntityType<shop::Stock>, other_key, &piece),
                                 Request(kEntityType<shop::Stock>, key, &piece)};
  std::vector<Request*> batch;
  for (Request& update : updates) batch.push_back(&update);
  // The whole batch conflicts, and so does its first half.
  faulty_.before_commit(
      [](int number) { return number <= 2 ? test::Fate::kConflicts : test::Fate::kCommits; });
  MapperContext context(faulty_, options_);
  ShardWriter(context, affinity_).commit(batch);
  EXPECT_EQ(updates[0].result, updates[2].result) << "the later one would come first";
  EXPECT_NE(updates[0].result, updates[1].result);
}

TEST_P(ShardWriterTest, StatisticsCountTheUpdatesAndRetriesOfACommit) {
  mapper_.save(airline::Flight(1));
  const EntityKey key = entity_key("Flight", 1);
  airline::Flight::Shard one{.views_ = 1};
  std::deque<Request> views;
  std::vector<Request*> batch;
  for (int i = 0; i < 3; ++i)
    batch.push_back(&views.emplace_back(kEntityType<airline::Flight>, key, &one, 0, ""));
  views.back().is_retry = true;
  MapperContext context(faulty_, options_);
  ShardWriter(context, affinity_).commit(batch);
  const Window window = context.usage.close_window(std::chrono::seconds(1));
  ASSERT_EQ(window.size(), 1U);
  EXPECT_EQ(window.begin()->first.entity, key);
  EXPECT_EQ(window.begin()->second.commits, 1);
  EXPECT_EQ(window.begin()->second.puts, 3);
  EXPECT_EQ(window.begin()->second.retries, 1);
}

// A kind whose entities are older than the generation of its indexes gets one with the next update.
TEST_P(ShardWriterTest, AConflictAtTheFirstGenerationOfIndexesIsNoneOfAShard) {
  mapper_.save(airline::Flight(1));
  const auto transaction = store_->begin();
  transaction->erase(indexes_key("Flight"));
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  test::SharedStore shared(faulty_);
  MapperContext context(shared, options_);
  const EntityKey key = entity_key("Flight", 1);
  airline::Flight::Shard one{.views_ = 1};
  Request view(kEntityType<airline::Flight>, key, &one);
  Request* batch = &view;
  const auto conflicts_of_attempt = [&](test::Fate fate) {
    faulty_.before_commit([&](int) { return fate; });
    view.set_waiting();
    ShardWriter(context, affinity_).commit({&batch, 1});
    double conflicts = 0;
    for (const auto& [property, activity] : context.usage.close_window(std::chrono::seconds(1)))
      conflicts += activity.conflicts;
    return conflicts;
  };
  EXPECT_EQ(conflicts_of_attempt(test::Fate::kConflicts), 0);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(conflicts_of_attempt(test::Fate::kCommits), 0);
  EXPECT_EQ(conflicts_of_attempt(test::Fate::kConflicts), 1) << "the generation is there, and known";
}

// Where several processes write, it is validated, once for each transaction and kind.
TEST_P(ShardWriterTest, TheGenerationOfIndexesCostsNoRoundTrip) {
  test::SharedStore shared(*store_);
  MapperContext context(shared, options_);
  const auto commit_shared = [&] {
    std::vector<Request*> batch;
    for (Request& request : requests_) {
      request.set_waiting();
      batch.push_back(&request);
    }
    shared.forget();
    ShardWriter(context, affinity_).commit(batch);
    for (const Request& request : requests_) EXPECT_EQ(request.result, Result::kCommitted);
  };
  const std::string generation = indexes_key("Question");
  for (int id : {1, 2, 3, 1}) vote(id);
  commit_shared();  // it looks at the indexes
  commit_shared();
  EXPECT_EQ(shared.reads_ahead(generation), 1);
  EXPECT_EQ(shared.waits_for(generation), 0);
  EXPECT_EQ(shared.round_trips(), 2) << "for main records and shards";
}

TEST_P(ShardWriterTest, ReadsAheadWhatItReadsAndNothingElse) {
  mapper_.save(airline::Flight(1, 100));
  mapper_.save(shop::Quota(1));
  mapper_.save(conference::Talk(1, 100));
  airline::Flight::Shard seats{.seats_ = -1}, views{.views_ = 1};
  shop::Quota::Shard ten{.used_ = 10};
  conference::Talk::Shard like{.likes_ = 1}, points{.score_ = 3};
  test::FoldingStore folding(*store_);
  test::SharedStore shared(folding);
  MapperContext context(shared, options_);
  const auto commit_all = [&](std::string_view token) {
    requests_.clear();
    vote(1);
    vote(2, token);
    const auto add = [&](const EntityType& type, std::string_view kind, void* shard) {
      keys_.push_back(entity_key(kind, 1));
      requests_.emplace_back(type, keys_.back(), shard);
    };
    add(kEntityType<airline::Flight>, "Flight", &seats);
    add(kEntityType<airline::Flight>, "Flight", &views);
    add(kEntityType<shop::Quota>, "Quota", &ten);
    add(kEntityType<conference::Talk>, "Talk", &like);
    add(kEntityType<conference::Talk>, "Talk", &points);
    std::vector<Request*> batch;
    for (Request& request : requests_) batch.push_back(&request);
    shared.forget();
    ShardWriter(context, affinity_).commit(batch);
    for (const Request& request : requests_) EXPECT_EQ(request.result, Result::kCommitted);
  };
  commit_all({});  // it looks at the indexes, and makes its mark
  for (const char* token : {"", "a token"}) {
    commit_all(token);
    EXPECT_EQ(shared.round_trips(), 2) << "one for main records, one for shards";
    EXPECT_THAT(shared.unread(), IsEmpty());
  }
}

TEST_P(ShardWriterTest, ACodecThatThrowsFailsItsUpdateAlone) {
  mapper_.save(shop::Purse(1));
  test::SharedStore shared(*store_);
  shop::Purse::Shard amount{.total_ = {shop::Amount::kUnwritable}};
  vote(1);
  keys_.push_back(entity_key("Purse", 1));
  requests_.emplace_back(kEntityType<shop::Purse>, keys_.back(), &amount);
  vote(2);
  for (Store* store : {static_cast<Store*>(store_.get()), static_cast<Store*>(&shared)}) {
    for (Request& request : requests_) request.set_waiting();
    EXPECT_THAT(commit(*store), ElementsAre(Result::kCommitted, Result::kFailed, Result::kCommitted));
    EXPECT_THROW(std::rethrow_exception(requests_[1].error), std::domain_error);
  }
  EXPECT_EQ(votes(1), 2);
  EXPECT_EQ(votes(2), 2);
}

}  // namespace
}  // namespace autoshard::detail
