// What is committed together is bounded by bytes, and divided where the store takes less.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "entities/expiry/permit.autoshard.h"
#include "entities/forms/question.autoshard.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "entities/versions/bookmark/bookmark.autoshard.h"
#include "entities/versions/talk/talk.autoshard.h"
#include "entity_index.h"
#include "keys.h"
#include "marked_writer.h"
#include "room.h"
#include "shard_writer.h"
#include "store_clock.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using activity::Member;
using airline::Flight;
using Bookmark = reading::Bookmark;
using conference::Talk;
using forum::Post;
using forum::Topic;
using moderator::Question;
using permits::Permit;
using shop::Stock;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;
using Limit = FaultyStore::Limit;
using namespace std::chrono_literals;

constexpr std::size_t kLargest = 1'000;  // bytes in one commit
constexpr int kMany = 200;

/// Whether the traits of the store tell the limit, or only its refusals.
class LargeCommitsTest : public ::testing::TestWithParam<Limit> {
 protected:
  LargeCommitsTest() { faulty_.limit_commits(kLargest, GetParam()); }

  MapperOptions options() {
    return {.retry = {.initial_backoff = 1us},
            .compact_every = 0ms,
            .token_lifetime = 0ms,
            .adaptive = {.window = 0ms},
            .clock = [this] { return now_.load(); }};
  }
  /// Of entities, without their marks, tokens and indexes.
  std::size_t entity_records() { return records(memory_, "\2", "\3").size(); }
  static std::string text(int number) { return std::to_string(number) + std::string(100, '.'); }

  std::atomic<permits::Clock::time_point> now_{permits::Clock::time_point(1'000'000s)};
  MemoryStore memory_;
  FaultyStore faulty_{memory_};
  Mapper mapper_{faulty_, options()};
  Mapper unlimited_{memory_, options()};
};
INSTANTIATE_TEST_SUITE_P(Limits, LargeCommitsTest, ::testing::Values(Limit::kTold, Limit::kSecret),
                         [](const auto& tested) { return tested.param == Limit::kTold ? "Told" : "Secret"; });

/// Updates that are given to one commit.
class LargeBatchesTest : public LargeCommitsTest {
 protected:
  template <class E, class Update>
  void add(int id, Update update) {
    keys_.push_back(detail::entity_key(Traits<E>::kKind, id));
    auto shard = std::make_shared<typename E::Shard>();
    update(*shard);
    requests_.emplace_back(detail::kEntityType<E>, keys_.back(), shard.get());
    shards_.push_back(std::move(shard));
  }
  void add_post(int id, const std::string& text) {
    add<Topic>(id, [&](Topic::Shard& shard) { shard.add_post(text); });
  }
  void commit() {
    std::vector<detail::Request*> batch;
    for (detail::Request& request : requests_) batch.push_back(&request);
    detail::ShardWriter(context_, affinity_).commit(batch);
  }
  std::size_t with(detail::Request::Result result) const {
    return static_cast<std::size_t>(std::count_if(
        requests_.begin(), requests_.end(), [&](const auto& request) { return request.result == result; }));
  }

  detail::MapperContext context_{faulty_, options()};
  detail::AffinityNumber affinity_ = 0;
  std::deque<detail::EntityKey> keys_;
  std::deque<std::shared_ptr<void>> shards_;
  std::deque<detail::Request> requests_;
};
INSTANTIATE_TEST_SUITE_P(Limits, LargeBatchesTest, ::testing::Values(Limit::kTold, Limit::kSecret),
                         [](const auto& tested) { return tested.param == Limit::kTold ? "Told" : "Secret"; });

using Result = detail::Request::Result;

TEST_P(LargeBatchesTest, OfManyEntitiesAreDivided) {
  for (int id = 1; id <= kMany; ++id) unlimited_.save(Question{id, "How?", "Phil R"});
  for (int id = 1; id <= kMany; ++id) add<Question>(id, [](Question::Shard& shard) { shard.votes_ = 1; });
  commit();
  EXPECT_EQ(with(Result::kCommitted), requests_.size());
  if (GetParam() == Limit::kTold) {
    EXPECT_EQ(faulty_.too_large(), 0);
  }
  EXPECT_LT(faulty_.commits(), kMany / 4) << "each by itself";
}

TEST_P(LargeBatchesTest, OfOneEntityAreDividedInTheirOrder) {
  unlimited_.save(Topic(1));
  for (int i = 0; i < kMany; ++i) add_post(1, text(i));
  add<Topic>(1, [](Topic::Shard& shard) { shard.view(); });
  commit();
  EXPECT_EQ(with(Result::kCommitted), requests_.size());
  const Topic topic = unlimited_.load<Topic>(1).value();
  std::vector<std::string> expected;
  for (int i = 0; i < kMany; ++i) expected.push_back(text(i));
  EXPECT_EQ(topic.texts(), expected);
  EXPECT_EQ(topic.views(), 1);
}

TEST_P(LargeBatchesTest, OneThatIsTooLargeFailsAlone) {
  for (int id = 1; id <= 3; ++id) unlimited_.save(Topic(id));
  for (int i = 0; i < 10; ++i) {
    add_post(1, text(i));
    add_post(2, i == 5 ? std::string(kLargest, 'x') : text(i));
    add_post(3, text(i));
  }
  commit();
  EXPECT_EQ(with(Result::kCommitted), 29U);
  ASSERT_EQ(with(Result::kFailed), 1U);
  EXPECT_EQ(requests_.size(), 30U);
  for (const detail::Request& request : requests_) {
    if (request.result != Result::kFailed) continue;
    EXPECT_EQ(request.key, detail::entity_key("Topic", 2));
    EXPECT_THAT([&] { std::rethrow_exception(request.error); },
                ThrowsMessage<CommitTooLarge>(AllOf(HasSubstr("updating Topic 2"), HasSubstr("bytes"))));
  }
  EXPECT_THAT(unlimited_.load<Topic>(2).value().posts(), SizeIs(9));
}

// Or a replacement that is tried again would be replaced by what came before it.
TEST_P(LargeBatchesTest, AfterAConflictOfTheFirstHalfTheSecondWaits) {
  unlimited_.save(Topic(1));
  for (int i = 0; i < 8; ++i) add_post(1, text(i));
  faulty_.before_commit([](int nth) { return nth == 2 ? Fate::kConflicts : Fate::kCommits; });
  commit();
  EXPECT_EQ(faulty_.commits(), 2);
  ASSERT_GT(with(Result::kConflict), 0U);
  EXPECT_EQ(with(Result::kCommitted) + with(Result::kConflict), 8U);
  for (std::size_t i = 0; i < requests_.size(); ++i)
    EXPECT_EQ(requests_[i].result == Result::kCommitted, i < with(Result::kCommitted)) << i;
}

TEST_P(LargeBatchesTest, AfterAConflictOfTheFirstCommitAllWait) {
  unlimited_.save(Topic(1));
  for (int i = 0; i < 8; ++i) add_post(1, text(i));
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kConflicts : Fate::kCommits; });
  commit();
  EXPECT_EQ(faulty_.commits(), 1);
  EXPECT_EQ(with(Result::kConflict), 8U);
  EXPECT_THAT(unlimited_.load<Topic>(1).value().posts(), SizeIs(0));
}

TEST_P(LargeCommitsTest, NothingThatIsBufferedIsLost) {
  unlimited_.save(Topic(1));
  unlimited_.save(Topic(2));
  MapperOptions buffering = options();
  buffering.durability = durability::buffered{1h};
  Mapper mapper(faulty_, buffering);
  for (int i = 0; i < kMany; ++i) mapper.apply<&Topic::add_post>(1 + i % 2, text(i));
  EXPECT_NO_THROW(mapper.flush());
  for (const int id : {1, 2}) EXPECT_THAT(unlimited_.load<Topic>(id).value().posts(), SizeIs(kMany / 2));
}

/// Without the shard that it belongs to, an update may fit.
TEST_P(LargeCommitsTest, AnUpdateThatIsTooLargeWithoutItsShardSaysSo) {
  unlimited_.save(Stock("nut"));
  unlimited_.apply<&Stock::sell>("nut", 1, "ann");
  EXPECT_THAT([&] { mapper_.apply<&Stock::sell>("nut", 1, std::string(kLargest, 'x')); },
              ThrowsMessage<CommitTooLarge>(HasSubstr("updating Stock \"nut\": ")));
  EXPECT_EQ(unlimited_.load<Stock>("nut").value().pieces(), -1);
  EXPECT_THAT(unlimited_.load<Stock>("nut").value().buyers(), ElementsAre("ann"));
}

TEST_P(LargeCommitsTest, EntitiesThatAreSavedTogetherAreDivided) {
  std::vector<Topic> topics;
  for (int id = 0; id < kMany; ++id) {
    topics.emplace_back(id);
    topics.back().set_title(id == 50 ? std::string(kLargest, 'x') : text(id));
    topics.back().view();
  }
  try {
    mapper_.save(topics);
    ADD_FAILURE() << "one is too large";
  } catch (const BatchFailed& failed) {
    ASSERT_THAT(failed.failures(), SizeIs(1));
    EXPECT_EQ(failed.failures().front().place, 50U);
    EXPECT_THAT([&] { std::rethrow_exception(failed.failures().front().error); },
                ThrowsMessage<CommitTooLarge>(HasSubstr("creating Topic 50: ")));
  }
  for (int id = 0; id < kMany; ++id) EXPECT_EQ(unlimited_.exists<Topic>(id), id != 50) << id;
  for (Topic& topic : topics) topic.view();
  topics.erase(topics.begin() + 50);
  mapper_.save(topics);
  EXPECT_EQ(unlimited_.load<Topic>(51).value().views(), 2);
}

TEST_P(LargeCommitsTest, EntriesOfIndexesCountTowardsABatch) {
  std::vector<Bookmark> bookmarks;
  for (int number = 0; number < kMany; ++number) {
    bookmarks.emplace_back(number);
    for (int i = 0; i < 5; ++i) bookmarks.back().tags.push_back("tag" + std::to_string(i));
  }
  mapper_.save(bookmarks);
  for (Bookmark& bookmark : bookmarks) bookmark.tags = {"a", "b", "c"};
  mapper_.save(bookmarks);
  EXPECT_EQ(mapper_.query<Bookmark>(Fields<Bookmark>::tags.contains("b")).count(), bookmarks.size());
  if (GetParam() == Limit::kTold) {
    EXPECT_EQ(faulty_.too_large(), 0);
  }
}

TEST_P(LargeCommitsTest, AnUnknownOutcomeIsThatOfThePartThatWasCommitted) {
  std::vector<Topic> topics;
  for (int id = 0; id < 40; ++id) topics.emplace_back(id).set_title(text(id));
  mapper_.save(topics[0]);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kUnknownLost : Fate::kCommits; });
  for (int id = 0; id < 40; ++id) topics[static_cast<std::size_t>(id)].set_title(text(id + 1));
  try {
    mapper_.save(topics);
    ADD_FAILURE() << "one outcome is unknown";
  } catch (const BatchFailed& failed) {
    EXPECT_LE(failed.failures().size(), kLargest / 100);
    for (const auto& failure : failed.failures()) {
      EXPECT_THROW(std::rethrow_exception(failure.error), OutcomeUnknown);
      EXPECT_EQ(unlimited_.exists<Topic>(static_cast<int>(failure.place)), failure.place == 0);
    }
  }
  EXPECT_EQ(unlimited_.load<Topic>(39).value().title(), text(40));
}

TEST_P(LargeCommitsTest, EntitiesThatAreErasedTogetherAreDivided) {
  std::vector<int> ids;
  for (int id = 0; id < kMany; ++id) {
    unlimited_.save(Topic(id, {Post{"one"}, Post{"two"}}));
    ids.push_back(id);
  }
  EXPECT_EQ(mapper_.erase<Topic>(ids), ids.size());
  EXPECT_EQ(entity_records(), 0U);
}

TEST_P(LargeCommitsTest, TheRestOfAnErasedEntityIsRemovedInParts) {
  unlimited_.save(Topic(1, std::vector<Post>(kMany, Post{"me too"})));
  EXPECT_TRUE(mapper_.erase<Topic>(1));
  EXPECT_EQ(entity_records(), 0U);
}

TEST_P(LargeCommitsTest, CompactionIsDivided) {
  unlimited_.save(Flight(1));
  for (int i = 0; i < kMany; ++i) unlimited_.apply<&Flight::like>(1);
  const std::size_t before = entity_records();
  EXPECT_EQ(admin::compact<Flight>(mapper_, 1), static_cast<std::uint64_t>(kMany));
  EXPECT_EQ(entity_records(), before - kMany + 1);
  EXPECT_EQ(unlimited_.load<Flight>(1).value().likes(), kMany);
}

TEST_P(LargeCommitsTest, WhatExpiresIsRemovedInParts) {
  unlimited_.save(Question{1, "How?", "Phil R"});
  for (int i = 0; i < kMany; ++i) unlimited_.apply<&Question::voteUp>(1, token(text(i)));
  for (int i = 0; i < kMany; ++i) unlimited_.save(Permit("holder " + text(i), now_.load() + 1s));
  now_ = now_.load() + 2s;
  // Tokens end by the store's own clock, a step later than their lifetime says.
  std::string time;
  detail::StoreClock::encode(time, detail::StoreClock::end(0, 1h));
  const auto transaction = memory_.begin();
  transaction->put(detail::store_clock_key(), time);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_GE(admin::compact(mapper_), 2U * kMany);
  EXPECT_EQ(unlimited_.query<Permit>().count(), 0U);
  EXPECT_EQ(admin::compact(mapper_), 0U);
}

/// The thread of a mapper tells of it once, and who asks is told each time.
TEST_P(LargeCommitsTest, AnEntityThatIsTooLargeToBeRemovedIsToldOfWheneverSomebodyAsks) {
  unlimited_.save(Permit(std::string(kLargest, 'x'), now_.load() - 1s));
  unlimited_.save(Permit("small", now_.load() - 1s));
  std::vector<std::string> logged;
  MapperOptions logging = options();
  logging.log = [&](std::string_view line) { logged.emplace_back(line); };
  Mapper mapper(faulty_, logging);
  for (const std::uint64_t removed : {1U, 0U, 0U}) {
    logged.clear();
    EXPECT_EQ(admin::compact(mapper), removed);
    EXPECT_THAT(logged, ElementsAre(HasSubstr("may have expired, and is not removed: a commit of")));
  }
  EXPECT_EQ(admin::compact(unlimited_), 1U) << "with room for it";
}

TEST_P(LargeCommitsTest, IndexesAreBuiltInParts) {
  const std::string indexes = detail::indexes_key("Member");
  const auto forget_indexes = [&] {
    const auto transaction = memory_.begin();
    for (const auto& [key, value] : records(memory_, indexes, indexes + '\xFF')) transaction->erase(key);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  };
  for (int number = 0; number < kMany; ++number) {
    Member member(number);
    member.name = member.email = text(number);
    unlimited_.save(member);
  }
  forget_indexes();
  EXPECT_EQ(admin::build_indexes<Member>(mapper_), static_cast<std::uint64_t>(kMany));
  const std::size_t entries = records(memory_, indexes, indexes + '\xFF').size();
  // Of a program that had another index, so that its records are removed, and all others checked.
  const auto transaction = memory_.begin();
  for (const detail::IndexType& index : detail::kEntityType<Member>.indexes)
    transaction->erase(detail::find_index(detail::kEntityType<Member>, index).key());
  const std::string unknown = detail::index_key("Member", "unknown", 0);
  for (int number = 0; number < kMany; ++number) transaction->put(unknown + text(number), "");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(admin::build_indexes<Member>(mapper_), static_cast<std::uint64_t>(kMany));
  EXPECT_EQ(records(memory_, indexes, indexes + '\xFF').size(), entries);
}

TEST_P(LargeCommitsTest, AnIndexEntryThatIsTooLargeSaysSo) {
  Member member(1);
  member.name = member.email = std::string(kLargest, 'x');
  unlimited_.save(member);
  const std::string indexes = detail::indexes_key("Member");
  const auto transaction = memory_.begin();
  for (const auto& [key, value] : records(memory_, indexes, indexes + '\xFF')) transaction->erase(key);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_THROW(admin::build_indexes<Member>(mapper_), CommitTooLarge);
  EXPECT_THROW(unlimited_.range<Member::ByName>(member.name).count(), IndexNotBuilt);
}

/// Items that are committed together while their sum is 10 at most.
TEST(CommitInHalves, FailsForAnItemThatCannotBeCommittedAlone) {
  const std::vector<int> items = {1, 2, 20, 3};
  std::vector<int> committed;
  const auto commit_unless = [&](const auto& refuse) {
    committed.clear();
    detail::commit_in_halves(std::span(items), [&](std::span<const int> some) {
      if (std::accumulate(some.begin(), some.end(), 0) > 10) refuse();
      committed.insert(committed.end(), some.begin(), some.end());
    });
  };
  EXPECT_THROW(commit_unless([] { throw CommitTooLarge("more than 10"); }), CommitTooLarge);
  EXPECT_EQ(committed, (std::vector{1, 2})) << "those before it";
  EXPECT_THROW(commit_unless([] { throw Contention("more than 10"); }), Contention);
  EXPECT_EQ(committed, (std::vector{1, 2})) << "those before it";
  EXPECT_THROW(commit_unless([] { throw StoreUnavailable("more than 10"); }), StoreUnavailable);
  EXPECT_TRUE(committed.empty()) << "no reason to try fewer";
}

TEST(InHalves, LeavesAnItemForWhichNothingIsDoneAlone) {
  const std::vector<int> items = {1, 2, 20, 3, 4};
  std::vector<std::vector<int>> attempts;
  const std::uint64_t done =
      detail::in_halves(std::span(items), [&](std::span<const int> some) -> std::optional<std::uint64_t> {
        attempts.emplace_back(some.begin(), some.end());
        if (std::accumulate(some.begin(), some.end(), 0) > 10) return std::nullopt;
        return some.size();
      });
  EXPECT_EQ(done, 4U);
  EXPECT_EQ(attempts, (std::vector<std::vector<int>>{{1, 2, 20, 3, 4}, {1, 2}, {20, 3, 4}, {20}, {3, 4}}));
}

TEST_P(LargeCommitsTest, RankedIndexesAreRefreshedInParts) {
  for (int number = 0; number < kMany; ++number) {
    unlimited_.save(Talk(number, number));
    unlimited_.apply<&Talk::rate>(number, 1);
  }
  EXPECT_GT(admin::refresh_indexes<Talk>(mapper_), 0U);
  EXPECT_EQ(admin::refresh_indexes<Talk>(mapper_), 0U) << "some are still dirty";
}

TEST_P(LargeCommitsTest, ATransactionThatIsTooLargeSaysSoAndWritesNothing) {
  EXPECT_THAT(
      [&] {
        mapper_.transact([](EntityTransaction& transaction) {
          Topic topic(1);
          topic.set_title(std::string(kLargest, 'x'));
          transaction.save(topic);
        });
      },
      ThrowsMessage<CommitTooLarge>(HasSubstr("committing a transaction: ")));
  EXPECT_EQ(entity_records(), 0U);
}

TEST_P(LargeCommitsTest, ARankedEntryThatIsTooLargeSaysSoAndIsLeftAlone) {
  for (const int number : {1, 2, 3}) {
    unlimited_.save(Talk(number));
    unlimited_.apply<&Talk::praise>(number, number == 2 ? std::string(kLargest, 'x') : "good");
  }
  std::vector<std::string> logged;
  MapperOptions logging = options();
  logging.log = [&](std::string_view line) { logged.emplace_back(line); };
  Mapper mapper(faulty_, logging);
  EXPECT_EQ(admin::refresh_indexes<Talk>(mapper), 2U);
  EXPECT_THAT(logged, ElementsAre(HasSubstr("Talk 2 is not refreshed in index best: a commit of")));
  const auto by_words = mapper.query<Talk>().order_by(Fields<Talk>::best.desc());
  std::vector<int> numbers;
  for (const Talk& talk : by_words) numbers.push_back(talk.number());
  EXPECT_EQ(numbers.front(), 2) << "it is dirty, and found all the same";
  EXPECT_THAT(numbers, SizeIs(3));
  EXPECT_EQ(admin::refresh_indexes<Talk>(unlimited_), 1U) << "with room for it";
}

}  // namespace
}  // namespace autoshard::test
