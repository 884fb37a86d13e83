// Updates that are acknowledged before they are committed, and for which the store may have no room.

#include <autoshard/admin.h>
#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <chrono>
#include <string>
#include <vector>

#include "buffered_fixture.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "entities/strategies/traffic.autoshard.h"
#include "entities/versions/topic.h"
#include "keys.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using forum::Topic;
using ::testing::ElementsAre;
using ::testing::Pair;
using traffic::Page;

TEST_P(BufferedTest, ThrowsAtOnceIfTheStoreHasNoRoomForIt) {
  FaultyStore faulty(*store_);
  other_.save(Topic(1));
  faulty.limit_keys(100);
  faulty.limit_commits(1'000, FaultyStore::Limit::kTold);
  Mapper mapper(faulty, options());
  const std::string long_text(200, 'x');
  EXPECT_THROW(mapper.apply<&Topic::rate>(1, long_text, 5), KeyTooLong);
  EXPECT_THROW(mapper.apply<&Topic::view>(1, token(long_text.substr(0, 128))), KeyTooLong);
  EXPECT_THROW(mapper.apply<&Topic::add_post>(1, std::string(2'000, 'x')), CommitTooLarge);
  mapper.apply<&Topic::rate>(1, "reader", 5);
  mapper.apply<&Topic::view>(1, token("short"));
  mapper.apply<&Topic::add_post>(1, long_text);
  EXPECT_EQ(other_.load<Topic>(1).value().views(), 0) << "which is buffered";
  EXPECT_NO_THROW(mapper.flush());
  const Topic topic = other_.load<Topic>(1).value();
  EXPECT_THAT(topic.stars(), ElementsAre(Pair("reader", 5)));
  EXPECT_EQ(topic.views(), 1);
  EXPECT_EQ(topic.posts().size(), 1U);
}

TEST_P(BufferedTest, AKeyThatJustFitsIsBuffered) {
  const std::size_t of_a_delta = detail::shard_key(key(1), "votes", 0).size() + 32;
  for (const bool fits : {true, false}) {
    FaultyStore faulty(*store_);
    faulty.limit_keys(of_a_delta - (fits ? 0 : 1));
    faulty.before_commit([](int) { return Fate::kCommits; });
    Mapper mapper(faulty, without_compaction());
    mapper.apply<&moderator::Question::voteUp>(1);
    EXPECT_EQ(faulty.commits(), fits ? 0 : 1);
  }
}

TEST_P(BufferedTest, ALargeUpdateWaitsForItsCommit) {
  other_.save(Topic(1));
  Mapper mapper(store_control_, options());
  const std::size_t most = 256 << 10;
  mapper.apply<&Topic::add_post>(1, std::string(most - 100, 'x'));
  EXPECT_EQ(store_control_.commits_so_far(), 0);
  mapper.apply<&Topic::add_post>(1, std::string(most, 'y'));
  EXPECT_GT(store_control_.commits_so_far(), 0);
  EXPECT_FALSE(other_.load<Topic>(1).value().posts().empty());
}

TEST_P(BufferedTest, AFullShardLosesNoUpdate) {
  constexpr std::size_t kPosts = 30;
  const auto expect_all = [&](std::size_t largest_commit, FaultyStore::Limit limit) {
    FaultyStore faulty(*store_);
    faulty.limit_commits(largest_commit, limit);
    other_.save(forum::ShardedTopic(1));
    Mapper mapper(faulty, options());
    for (std::size_t i = 0; i < kPosts; ++i) {
      mapper.apply<&forum::ShardedTopic::add_post>(1, std::string(largest_commit / 10, 'x'));
      EXPECT_NO_THROW(mapper.flush());
    }
    EXPECT_GT(faulty.too_large(), 0);
    EXPECT_EQ(other_.load<forum::ShardedTopic>(1).value().posts().size(), kPosts);
    admin::compact<forum::ShardedTopic>(other_, 1);
    EXPECT_EQ(other_.load<forum::ShardedTopic>(1).value().posts().size(), kPosts);
    other_.erase<forum::ShardedTopic>(1);
  };
  expect_all(1 << 20, FaultyStore::Limit::kSecret);
  expect_all(1 << 14, FaultyStore::Limit::kTold);
}

TEST_P(BufferedTest, AnUpdateOfTwoFullShardsIsNotLost) {
  FaultyStore faulty(*store_);
  faulty.limit_commits(2048, FaultyStore::Limit::kTold);
  other_.save(forum::ShardedTopic(1));
  Mapper mapper(faulty, options());
  for (int i = 0; i < 40; ++i) {
    const std::string reader = std::to_string(i) + std::string(i % 2 == 0 ? 10 : 800, 'r');
    for (int repetition = 0; repetition < 2; ++repetition) {
      mapper.apply<&forum::ShardedTopic::review>(1, token(std::to_string(i) + std::string(100, 't')), reader,
                                                 1, std::string(100, 'x'));
      EXPECT_NO_THROW(mapper.flush());
    }
  }
  EXPECT_GT(faulty.too_large(), 0);
  const auto topic = other_.load<forum::ShardedTopic>(1).value();
  EXPECT_EQ(topic.posts().size(), 40);
  EXPECT_EQ(topic.stars().size(), 40);
}

TEST_P(BufferedTest, AReplacementVoidsWhatAFullShardHasLeft) {
  FaultyStore faulty(*store_);
  faulty.limit_commits(2048, FaultyStore::Limit::kTold);
  Mapper mapper(faulty, without_compaction());
  mapper.save(forum::ReplacingTopic(1));
  for (int i = 0; i < 40; ++i) {
    mapper.apply<&forum::ReplacingTopic::add_post>(1, std::string(100, 'x'));
    mapper.flush();
  }
  mapper.apply<&forum::ReplacingTopic::post_anew>(1, "anew");
  mapper.flush();
  EXPECT_THAT(mapper.load<forum::ReplacingTopic>(1).value().posts(), ElementsAre("anew"));
  EXPECT_GT(admin::compact<forum::ReplacingTopic>(mapper, 1), 0);
  EXPECT_THAT(mapper.load<forum::ReplacingTopic>(1).value().posts(), ElementsAre("anew"));
}

TEST_P(BufferedTest, CompactionLeavesWhatAFullShardHasNoRoomFor) {
  FaultyStore faulty(*store_);
  faulty.limit_commits(2048, FaultyStore::Limit::kTold);
  Mapper mapper(faulty, without_compaction()), unlimited(*store_, without_compaction());
  mapper.save(forum::ShardedTopic(1));
  for (int i = 0; i < 40; ++i) {
    mapper.apply<&forum::ShardedTopic::add_post>(1, std::string(100, 'x'));
    mapper.flush();
    admin::compact<forum::ShardedTopic>(mapper, 1);
  }
  EXPECT_EQ(mapper.load<forum::ShardedTopic>(1).value().posts().size(), 40);
  EXPECT_GT(admin::compact<forum::ShardedTopic>(unlimited, 1), 0);
  EXPECT_EQ(mapper.load<forum::ShardedTopic>(1).value().posts().size(), 40);
}

TEST_P(BufferedTest, ManyUpdatesOfAFullShardTakeFewCommits) {
  constexpr int kPosts = 100;
  FaultyStore faulty(*store_);
  faulty.limit_commits(8192, FaultyStore::Limit::kTold);
  Mapper mapper(faulty, options());
  mapper.save(forum::ShardedTopic(1));
  for (int i = 0; i < 40; ++i) {
    mapper.apply<&forum::ShardedTopic::add_post>(1, std::string(200, 'x'));
    mapper.flush();
  }
  const int before = faulty.too_large();
  for (int i = 0; i < kPosts; ++i) mapper.apply<&forum::ShardedTopic::add_post>(1, std::string(10, 'x'));
  mapper.flush();
  EXPECT_GT(faulty.too_large(), before);
  EXPECT_LT(faulty.too_large(), before + 3);
  EXPECT_EQ(mapper.load<forum::ShardedTopic>(1).value().posts().size(), 40 + kPosts);
}

TEST_P(BufferedTest, AReplacementOfManyShardsIsNotLost) {
  FaultyStore faulty(*store_);
  faulty.limit_commits(8192, FaultyStore::Limit::kTold);
  Mapper mapper(faulty, options());
  mapper.save(forum::ReplacingTopic(1));
  mapper.apply<&forum::ReplacingTopic::add_post>(1, "old");
  mapper.flush();
  admin::set_shards<forum::ReplacingTopic>(mapper, 1, "posts", 1000);
  mapper.apply<&forum::ReplacingTopic::post_anew>(1, "anew");
  EXPECT_NO_THROW(mapper.flush());
  EXPECT_GT(faulty.too_large(), 0);
  EXPECT_THAT(mapper.load<forum::ReplacingTopic>(1).value().posts(), ElementsAre("anew"));
}

TEST_P(BufferedTest, AReplacementIsCommittedBeforeItsEntityGrows) {
  FaultyStore faulty(*store_);
  faulty.limit_commits(2048, FaultyStore::Limit::kTold);
  for (const bool in_a_transaction : {false, true}) {
    const auto grow = [&](int size) {
      const int id = in_a_transaction ? -size : size;
      Mapper mapper(faulty, options());
      Flight flight(id, 10);
      mapper.save(flight);
      mapper.apply<&Flight::reset_score>(id, 5);
      flight.set_to(std::string(static_cast<std::size_t>(size), 'x'));
      try {
        if (in_a_transaction) {
          mapper.transact([&](EntityTransaction& transaction) { transaction.save(flight); });
        } else {
          mapper.save(flight);
        }
      } catch (const CommitTooLarge&) {
        return false;
      }
      EXPECT_NO_THROW(mapper.flush()) << size;
      EXPECT_EQ(other_.load<Flight>(id).value().score(), 5) << size;
      return true;
    };
    int size = 1500;
    while (grow(size)) size += 8;
    EXPECT_GT(size, 1600);
  }
}

TEST_P(BufferedTest, OfAnUpdateOfAFullShardNumbersGoToTheirShards) {
  FaultyStore faulty(*store_);
  faulty.limit_commits(1000, FaultyStore::Limit::kTold);
  Mapper mapper(faulty, without_compaction());
  const std::string id = "tea";
  mapper.save(shop::Stock(id, 100));
  for (int i = 0; i < 40; ++i) {
    mapper.apply<&shop::Stock::sell>(id, 1, std::to_string(i) + std::string(100, 'x'));
    mapper.flush();
  }
  EXPECT_GT(faulty.too_large(), 0);
  const detail::EntityKey key = detail::entity_key("Stock", id);
  const auto has_deltas = [&](std::string_view property) {
    return store_->snapshot()
        ->scan(detail::shard_key(key, property, detail::kDeltas).bytes(),
               detail::end_of_property(key, property))
        ->valid();
  };
  EXPECT_TRUE(has_deltas("buyers"));
  EXPECT_FALSE(has_deltas("pieces"));
  const auto stock = mapper.load<shop::Stock>(id).value();
  EXPECT_EQ(stock.pieces(), 60);
  EXPECT_EQ(stock.buyers().size(), 40U);
}

TEST_P(BufferedTest, AFullShardOfTheLongestKeySaysThatItIsFull) {
  FaultyStore faulty(*store_);
  faulty.limit_commits(1000, FaultyStore::Limit::kTold);
  const std::string id(100, 'i');
  const detail::EntityKey key = detail::entity_key("Stock", id);
  faulty.limit_keys(detail::shard_key(key, "buyers", 0).size());
  Mapper mapper(faulty, {.compact_every = std::chrono::milliseconds(0)});
  mapper.save(shop::Stock(id, 100));
  std::vector<Completion> sales;
  for (int i = 0; i < 40; ++i)
    sales.push_back(mapper.apply_async<&shop::Stock::sell>(id, 1, std::to_string(i) + std::string(100, 'x')));
  std::int64_t sold = 0;
  for (Completion& sale : sales) {
    try {
      sale.get();
      ++sold;
    } catch (const CommitTooLarge&) {
    }
  }
  EXPECT_GT(sold, 5);
  EXPECT_LT(sold, 40);
  EXPECT_EQ(mapper.load<shop::Stock>(id).value().pieces(), 100 - sold);
}

TEST_P(BufferedTest, AReplacementInALargeEntityWaitsForItsCommit) {
  Flight flight(1, 10);
  flight.set_to(std::string(300'000, 'x'));
  other_.save(flight);
  Mapper mapper(store_control_, options());
  mapper.apply<&Flight::reset_score>(1, 5);
  EXPECT_EQ(store_control_.commits_so_far(), 1);
  EXPECT_EQ(other_.load<Flight>(1).value().score(), 5);
}

TEST_P(BufferedTest, AnUpdateOfABucketThatMayGrowWaitsForItsCommit) {
  other_.save(Page("/"));
  Mapper mapper(store_control_, options());
  mapper.apply<&Page::click>("/", "Ann");
  EXPECT_EQ(store_control_.commits_so_far(), 1);
  EXPECT_THAT(other_.load<Page>("/").value().users(), ElementsAre("Ann"));
}

}  // namespace
}  // namespace autoshard::test
