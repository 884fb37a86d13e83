// Sliding windows: what counts when, and which records there are.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <random>

#include "entities/versions/page.h"
#include "folding_store.h"
#include "keys.h"
#include "mapper_core.h"
#include "shared_store.h"
#include "window_fixture.h"

namespace autoshard::test {
namespace {

using pages::AllTimePage;
using pages::BoundedPage;
using pages::FormerPage;
using pages::PlainPage;

INSTANTIATE_TEST_SUITE_P(Stores, WindowTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(WindowTest, CountsTheBucketsOfTheLastMinute) {
  mapper_.save(Page(1));
  for (int bucket = 0; bucket < 6; ++bucket) {
    mapper_.apply<&Page::click>(1, 1, 10 * bucket);
    EXPECT_EQ(clicks(), bucket + 1);
    now_ += kBucket;
  }
  // The first bucket has fallen out, one update after the other follows.
  for (int left = 5; left > 0; --left) {
    EXPECT_EQ(clicks(), left);
    EXPECT_EQ(slowest(), 50);
    now_ += kBucket;
  }
  EXPECT_EQ(clicks(), 0);
  EXPECT_EQ(slowest(), 0);
}

TEST_P(WindowTest, TheBucketOfAnInstantBeginsAtAMultipleOfItsLength) {
  mapper_.save(Page(1));
  now_ += kBucket - 1ms;
  mapper_.apply<&Page::click>(1, 1, 1);
  now_ += 1ms;
  mapper_.apply<&Page::click>(1, 1, 1);
  EXPECT_EQ(buckets(), 4U);  // two of each property
  now_ += kLast - kBucket - 1ms;
  EXPECT_EQ(clicks(), 2);
  now_ += 1ms;
  EXPECT_EQ(clicks(), 1);
}

TEST_P(WindowTest, UpdatesOfABucketShareARecord) {
  mapper_.save(Page(1));
  for (int i = 0; i < 50; ++i) mapper_.apply<&Page::click>(1, 2, i);
  EXPECT_EQ(clicks(), 100);
  EXPECT_EQ(buckets(), 2U);  // the mapper keeps to one of the shards
}

TEST_P(WindowTest, TheFirstValueAndThatOfASaveCountFromThenOn) {
  mapper_.save(Page(1, 7));
  now_ += kBucket;
  Page page = mapper_.load<Page>(1).value();
  page.click(5, 9);
  page.title = "Home";
  mapper_.save(page);
  EXPECT_EQ(clicks(), 12);
  now_ += kLast - kBucket;
  EXPECT_EQ(clicks(), 5);
  now_ += kBucket;
  EXPECT_EQ(clicks(), 0);
}

TEST_P(WindowTest, TransactionsBuffersAndQueriesSeeTheWindow) {
  mapper_.save(Page(1));
  mapper_.transact([](auto& transaction) {
    auto page = transaction.template load<Page>(1).value();
    page.click(3, 3);
    transaction.save(page);
  });
  EXPECT_EQ(clicks(), 3);
  MapperOptions buffered = options();
  buffered.durability = durability::buffered{1h};
  {
    Mapper mapper(*store_, buffered);
    mapper.apply<&Page::click>(1, 4, 4);
  }
  EXPECT_EQ(clicks(), 7);
  EXPECT_EQ(mapper_.query<Page>().begin()->clicks(), 7);
  now_ += kLast;
  EXPECT_EQ(mapper_.query<Page>().begin()->clicks(), 0);
  mapper_.transact(
      [](auto& transaction) { EXPECT_EQ(transaction.template load<Page>(1).value().clicks(), 0); });
}

TEST_P(WindowTest, ABucketThatIsYetToBeginCounts) {
  MapperOptions fast = options();
  fast.clock = [this] { return now_ + 25s; };
  Mapper other(*store_, fast);
  mapper_.save(Page(1));
  other.apply<&Page::click>(1, 1, 1);
  EXPECT_EQ(clicks(), 1);
  now_ += 79s;
  EXPECT_EQ(clicks(), 1);
  now_ += 1s;
  EXPECT_EQ(clicks(), 0);
}

TEST_P(WindowTest, TimesBefore1970ShareABucket) {
  now_ = Time(-1000s);
  mapper_.save(Page(1));
  mapper_.apply<&Page::click>(1, 1, 1);
  now_ = Time(-1s);
  EXPECT_EQ(clicks(), 1);
  admin::compact<Page>(mapper_, 1);
  EXPECT_EQ(clicks(), 1);
  now_ = Time(60s);
  EXPECT_EQ(clicks(), 0);
}

TEST_P(WindowTest, AReplacementVoidsAllBuckets) {
  mapper_.save(Page(1, 3));
  now_ += kBucket;
  mapper_.apply<&Page::click>(1, 4, 1);
  mapper_.apply<&Page::count_from>(1, 100);
  EXPECT_EQ(clicks(), 100);
  mapper_.apply<&Page::click>(1, 1, 1);
  EXPECT_EQ(clicks(), 101);
  EXPECT_EQ(admin::compact<Page>(mapper_, 1),
            1U);  // the first bucket; the replacement took the place of the other
  EXPECT_EQ(clicks(), 101);
  now_ += kLast;
  EXPECT_EQ(clicks(), 0);
}

TEST_P(WindowTest, FewerShardsKeepTheBuckets) {
  MapperOptions random = options();
  random.choice = ShardChoice::kRandom;
  Mapper mapper(*store_, random);
  mapper.save(Page(1));
  for (int bucket = 0; bucket < 3; ++bucket) {
    for (int i = 0; i < 40; ++i) mapper.apply<&Page::click>(1, 1, 1);
    now_ += kBucket;
  }
  EXPECT_EQ(buckets(), 12U);
  admin::set_shards<Page>(mapper, 1, "clicks", 1);
  EXPECT_EQ(buckets(), 6U);
  EXPECT_EQ(clicks(), 120);
  now_ += kLast - 30s;
  EXPECT_EQ(clicks(), 80);
  now_ += kBucket;
  EXPECT_EQ(clicks(), 40);
}

TEST_P(WindowTest, IsNotDynamic) {
  mapper_.save(Page(1));
  EXPECT_THROW(admin::set_shards<Page>(mapper_, 1, "clicks", 0), InvalidUse);
  EXPECT_THROW(admin::set_shards<Page>(mapper_, 1, "clicks", kMostShards + 1), InvalidUse);
}

TEST_P(WindowTest, BucketsUnderAFormerNameCount) {
  Mapper former(*store_, options());
  former.save(FormerPage(1));
  former.apply<&FormerPage::click>(1, 2, 1);
  now_ += kBucket;
  former.apply<&FormerPage::click>(1, 3, 1);
  mapper_.apply<&Page::click>(1, 4, 1);
  EXPECT_EQ(clicks(), 9);
  admin::compact<Page>(mapper_, 1);
  EXPECT_EQ(clicks(), 9);
  EXPECT_EQ(former.load<FormerPage>(1).value().clicks(), 0);
  now_ += kLast - kBucket;
  EXPECT_EQ(clicks(), 7);
}

TEST_P(WindowTest, WhatWasCountedWithoutTimeIsVoid) {
  Mapper earlier(*store_, options());
  earlier.save(AllTimePage(1, 50));
  earlier.apply<&AllTimePage::click>(1, 5, 1);
  EXPECT_EQ(clicks(), 0);
  mapper_.apply<&Page::click>(1, 1, 1);
  EXPECT_EQ(clicks(), 1);
  EXPECT_EQ(earlier.load<AllTimePage>(1).value().clicks(), 56);  // which knows all records
  admin::compact<Page>(mapper_, 1);
  EXPECT_EQ(clicks(), 1);
  EXPECT_EQ(earlier.load<AllTimePage>(1).value().clicks(), 1);
}

TEST_P(WindowTest, CountsTowardsTheBoundsOfALaterVersion) {
  for (const bool is_compacted : {false, true}) {
    mapper_.save(Page(1));
    for (int bucket = 0; bucket < 30; ++bucket) {
      mapper_.apply<&Page::click>(1, 2, 1);
      now_ += kBucket;
    }
    Mapper later(*store_, options());
    if (is_compacted) admin::compact<BoundedPage>(later, 1);
    EXPECT_EQ(later.load<BoundedPage>(1).value().clicks(), 60);
    EXPECT_THROW(later.apply<&BoundedPage::click>(1, 41, 1), BoundExceeded);
    later.apply<&BoundedPage::click>(1, 40, 1);
    EXPECT_EQ(later.load<BoundedPage>(1).value().clicks(), 100);
    later.apply<&BoundedPage::click>(1, -100, 1);
    EXPECT_EQ(later.load<BoundedPage>(1).value().clicks(), 0);
    admin::compact<BoundedPage>(later, 1);
    EXPECT_EQ(admin::compact<BoundedPage>(later, 1), 0U) << "all is done";
    later.erase<BoundedPage>(1);
  }
}

TEST_P(WindowTest, APlainValueFromBeforeTheWindowIsVoid) {
  Mapper earlier(*store_, options());
  PlainPage plain(1);
  plain.click(50, 7);
  earlier.save(plain);
  EXPECT_EQ(clicks(), 0);
  EXPECT_EQ(slowest(), 0);
  mapper_.apply<&Page::click>(1, 1, 5);
  admin::compact<Page>(mapper_, 1);
  EXPECT_EQ(clicks(), 1);
  EXPECT_EQ(slowest(), 5);
  EXPECT_EQ(earlier.load<PlainPage>(1).value().clicks(), 50) << "which knows no buckets";
}

TEST_P(WindowTest, StoresFoldBuckets) {
  FoldingStore folding(*store_);
  Mapper mapper(folding, options());
  mapper.save(Page(1));
  mapper.apply<&Page::click>(1, 1, 5);
  folding.folds();
  folding.round_trips();
  mapper.apply<&Page::click>(1, 2, 3);
  EXPECT_EQ(folding.folds(), 2);
  EXPECT_EQ(folding.round_trips(), 1);  // the main record
  EXPECT_TRUE(detail::core_of(mapper).context.compactable.take().empty())
      << "no update has work for compaction";
  EXPECT_EQ(clicks(), 3);
  EXPECT_EQ(slowest(), 5);
}

TEST_P(WindowTest, AStoreThatReadsAheadReadsTheBucketOfAnUpdate) {
  SharedStore shared(*store_);
  Mapper mapper(shared, options());
  mapper.save(Page(1));
  mapper.apply<&Page::click>(1, 1, 5);
  const detail::EntityKey key = detail::entity_key("Page", 1);
  shared.forget();
  mapper.apply<&Page::click>(1, 2, 3);
  std::size_t ahead = 0;
  for (const auto& [record_key, record] : records(*store_, key)) {
    EXPECT_EQ(shared.waits_for(record_key), 0);
    ahead += static_cast<std::size_t>(shared.reads_ahead(record_key));
  }
  EXPECT_EQ(ahead, 3U);  // the main record, and a bucket of each property
  EXPECT_EQ(clicks(), 3);
}

TEST_P(WindowTest, AnEntityThatIsErasedLeavesNoBuckets) {
  mapper_.save(Page(1));
  mapper_.apply<&Page::click>(1, 1, 1);
  mapper_.erase<Page>(1);
  EXPECT_EQ(buckets(), 0U);
  mapper_.save(Page(1));
  EXPECT_EQ(clicks(), 0);
}

/// When each click was made that counts.
using Model = std::map<Time, long>;

long sum(const Model& model, Time now) {
  const auto begin_of = [](Time time) { return time - time.time_since_epoch() % kBucket; };
  long sum = 0;
  for (const auto& [time, clicks] : model) {
    if (begin_of(time) > begin_of(now) - kLast) sum += clicks;
  }
  return sum;
}

TEST_P(WindowTest, IsLikeAListOfTimes) {
  std::mt19937_64 generator = seeded_generator();
  Mapper former(*store_, options());
  MapperOptions random = options();
  random.choice = ShardChoice::kRandom;
  Mapper scattering(*store_, random);
  Model model;
  mapper_.save(Page(1));
  for (int step = 0; step < 2'000; ++step) {
    const auto clicks = static_cast<long>(below(generator, 100));
    switch (below(generator, 9)) {
      case 0:
        now_ += std::chrono::milliseconds(below(generator, 15'000));
        break;
      case 1:
        if (below(generator, 20) == 0) now_ += 2 * kLast;
        break;
      case 2:
        admin::compact<Page>(mapper_, 1);
        break;
      case 3:
        admin::set_shards<Page>(mapper_, 1, "clicks", 1 + static_cast<std::uint32_t>(below(generator, 5)));
        break;
      case 4:
        former.apply<&FormerPage::click>(1, clicks, 1);
        model[now_] += clicks;
        break;
      case 5: {
        Page page = mapper_.load<Page>(1).value();
        page.click(clicks, 1);
        mapper_.save(page);
        model[now_] += clicks;
        break;
      }
      case 6:
        if (below(generator, 5) > 0) break;
        mapper_.apply<&Page::count_from>(1, clicks);
        model = {{now_, clicks}};
        break;
      default:
        scattering.apply<&Page::click>(1, clicks, 1);
        model[now_] += clicks;
    }
    ASSERT_EQ(this->clicks(), sum(model, now_)) << "step " << step;
  }
}

}  // namespace
}  // namespace autoshard::test
