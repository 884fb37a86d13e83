#include "entity_expiry.h"

#include <autoshard/autoshard.h>
#include <autoshard/memory_cache.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "context.h"
#include "entities/expiry/permit.autoshard.h"
#include "entity_expiry_fixture.h"
#include "expired_entities.h"
#include "keys.h"
#include "lease.h"
#include "main_record.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using permits::Ticket;
using q = Fields<Permit>;

TEST_P(EntityExpiryTest, AnEntityIsGoneFromTheInstantThatItSays) {
  mapper_.save(Permit("ann", in(10s)));
  mapper_.save(Permit("bob"));
  pass(9'999ms);
  EXPECT_TRUE(mapper_.load<Permit>("ann"));
  EXPECT_TRUE(mapper_.exists<Permit>("ann"));
  mapper_.apply<&Permit::use>("ann", 1);
  EXPECT_EQ(mapper_.query<Permit>().count(), 2U);
  pass(1ms);
  EXPECT_FALSE(mapper_.load<Permit>("ann"));
  EXPECT_FALSE(mapper_.exists<Permit>("ann"));
  EXPECT_FALSE(mapper_.load<Permit>(std::vector<std::string>{"ann", "bob"})[0]);
  EXPECT_THROW(mapper_.apply<&Permit::use>("ann", 1), NotFound);
  EXPECT_THROW(mapper_.update<Permit>("ann", [](auto& permit) { permit.use(1); }), NotFound);
  EXPECT_THROW(mapper_.apply_async<&Permit::use>("ann", 1).get(), NotFound);
  EXPECT_THROW(admin::set_shards<Permit>(mapper_, "ann", "uses", 2), NotFound);
  EXPECT_THROW(admin::shards<Permit>(mapper_, "ann", "uses"), NotFound);
  EXPECT_EQ(mapper_.query<Permit>().count(), 1U);
  EXPECT_EQ(mapper_.query<Permit>(q::holder == "ann").count(), 0U);
  EXPECT_EQ(mapper_.query<Permit>().order_by(q::uses.desc()).page().rows.size(), 1U);
  EXPECT_FALSE(mapper_.erase<Permit>("ann"));
  EXPECT_EQ(mapper_.erase<Permit>(std::vector<std::string>{"ann", "bob"}), 1U);
}

TEST_P(EntityExpiryTest, ATransactionDoesNotSeeWhatIsGone) {
  mapper_.save(Permit("ann", in(10s)));
  pass(10s);
  mapper_.transact([](EntityTransaction& transaction) {
    EXPECT_FALSE(transaction.load<Permit>("ann"));
    EXPECT_FALSE(transaction.exists<Permit>("ann"));
    EXPECT_FALSE(transaction.erase<Permit>("ann"));
    EXPECT_THROW(transaction.apply<&Permit::use>("ann", 1), NotFound);
  });
}

TEST_P(EntityExpiryTest, WhatIsGoneCannotBeSaved) {
  Permit permit("ann", in(10s));
  mapper_.save(permit);
  pass(10s);
  permit.expires = in(10s);
  EXPECT_THROW(mapper_.save(permit), NotFound);
  EXPECT_FALSE(mapper_.exists<Permit>("ann"));
}

TEST_P(EntityExpiryTest, TheIdCanBeUsedAnewAndNothingOfTheOldOneCounts) {
  mapper_.save(Permit("ann", in(10s)));
  mapper_.apply<&Permit::use>("ann", 5);
  Permit old = mapper_.load<Permit>("ann").value();
  old.use(7);
  pass(10s);
  mapper_.save(Permit("ann", in(10s)));
  EXPECT_EQ(mapper_.load<Permit>("ann")->uses(), 0);
  EXPECT_THROW(mapper_.save(old), NotFound);
  EXPECT_THROW(mapper_.save(Permit("ann")), StaleEntity);
  EXPECT_EQ(expiry_records(), 1U);
  pass(10s);
  mapper_.transact([&](EntityTransaction& transaction) {
    EXPECT_FALSE(transaction.exists<Permit>("ann"));
    transaction.save(Permit("ann", in(10s)));
  });
  EXPECT_EQ(mapper_.load<Permit>("ann")->uses(), 0);
  pass(10s);
  std::vector<Permit> batch = {Permit("ann"), Permit("bob")};
  mapper_.save(batch);
  EXPECT_TRUE(mapper_.exists<Permit>("ann"));
}

TEST_P(EntityExpiryTest, ASaveMovesTheEnd) {
  Permit permit("ann", in(10s));
  mapper_.save(permit);
  permit.expires = in(20s);
  mapper_.save(permit);
  EXPECT_EQ(expiry_records(), 1U);
  pass(15s);
  EXPECT_EQ(admin::compact(mapper_), 0U);
  EXPECT_TRUE(mapper_.exists<Permit>("ann"));
  mapper_.transact([](EntityTransaction& transaction) {
    auto loaded = transaction.load<Permit>("ann").value();
    loaded.expires.reset();
    transaction.save(loaded);
  });
  EXPECT_EQ(expiry_records(), 0U);
  pass(24h);
  EXPECT_EQ(admin::compact(mapper_), 0U);
  EXPECT_TRUE(mapper_.exists<Permit>("ann"));
}

TEST_P(EntityExpiryTest, CompactionRemovesAllOfIt) {
  for (int i = 0; i < 200; ++i)
    mapper_.save(Permit("holder " + std::to_string(i), in(std::chrono::seconds(i))));
  mapper_.save(Permit("everlasting"));
  mapper_.apply<&Permit::use>("holder 120", 5);
  mapper_.apply<&Permit::use>("holder 180", 5);
  EXPECT_EQ(admin::compact(mapper_), 1U);  // that expired at once
  pass(149s);
  EXPECT_EQ(admin::compact(mapper_), 149U);
  EXPECT_EQ(expiry_records(), 50U);
  EXPECT_EQ(entity_records(), 50U + 1 + 1);
  EXPECT_EQ(mapper_.query<Permit>().count(), 51U);
  pass(1000s);
  admin::compact(mapper_);
  EXPECT_EQ(expiry_records(), 0U);
  EXPECT_EQ(entity_records(), 1U);
}

TEST_P(EntityExpiryTest, AnEraseTakesTheRecordOfTheEndAlong) {
  mapper_.save(Permit("ann", in(10s)));
  mapper_.erase<Permit>("ann");
  mapper_.save(Permit("ann", in(20s)));
  EXPECT_EQ(expiry_records(), 1U);
  mapper_.transact([](EntityTransaction& transaction) { transaction.erase<Permit>("ann"); });
  EXPECT_EQ(expiry_records(), 0U);
  mapper_.save(Permit("ann", in(20s)));
  EXPECT_EQ(mapper_.query<Permit>().erase(), 1U);
  EXPECT_EQ(expiry_records(), 0U);
}

/// Whoever has the later clock removes it; whoever moves the end first keeps it.
TEST_P(EntityExpiryTest, WhatIsSavedMeanwhileStays) {
  Permit permit("ann", in(10s));
  other_.save(permit);
  Mapper early(faulty_, {.compact_every = 0ms, .clock = [this] { return in(10s); }});
  faulty_.before_commit([&](int nth) {
    if (nth == 1) {
      permit.expires = in(1h);
      other_.save(permit);
    }
    return Fate::kCommits;
  });
  EXPECT_EQ(admin::compact(early), 0U);
  EXPECT_TRUE(other_.exists<Permit>("ann"));
  EXPECT_EQ(expiry_records(), 1U);
}

TEST_P(EntityExpiryTest, ARemovalThatWasCutShortIsCompleted) {
  for (const char* holder : {"ann", "bob"}) {
    mapper_.save(Permit(holder, in(10s)));
    mapper_.apply<&Permit::use>(holder, 5);
  }
  pass(10s);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  EXPECT_EQ(admin::compact(mapper_), 2U);
  EXPECT_EQ(expiry_records(), 0U);
  faulty_.before_commit([](int) { return Fate::kCommits; });
  mapper_.save(Permit("ann"));
  EXPECT_EQ(mapper_.load<Permit>("ann")->uses(), 0);
}

TEST_P(EntityExpiryTest, CachedLoadsKeepToTheEnd) {
  MemoryCache cache;
  MapperOptions with_cache = options();
  with_cache.cache = &cache;
  Mapper one(*store_, with_cache), another(*store_, with_cache);
  one.save(Permit("ann", in(10s)));
  const cached here{1h}, shared{1h, cached::where::shared};
  EXPECT_TRUE(one.load<Permit>("ann", here));
  EXPECT_TRUE(Mapper(*store_, with_cache).load<Permit>("ann", shared));
  EXPECT_TRUE(another.load<Permit>("ann", shared));
  pass(10s);
  EXPECT_FALSE(one.load<Permit>("ann", here));
  EXPECT_FALSE(another.load<Permit>("ann", shared));
  other_.save(Permit("ann", in(10s)));
  EXPECT_TRUE(another.load<Permit>("ann", shared));
}

TEST_P(EntityExpiryTest, AThreadOfTheMapperRemovesWhatHasExpired) {
  mapper_.save(Permit("ann", in(10s)));
  pass(10s);
  MapperOptions often = options();
  often.compact_every = 1ms;
  const Mapper working(*store_, often);
  while (entity_records() > 0) std::this_thread::yield();
  EXPECT_EQ(expiry_records(), 0U);
}

TEST_P(EntityExpiryTest, ARecordOfAnEndThatIsNotTheEntitysIsRemoved) {
  mapper_.save(Permit("ann", in(1h)));
  mapper_.save(Permit("everlasting"));
  for (const char* holder : {"ann", "everlasting", "nobody"}) {
    for (const std::int64_t time : {0, 1'000})
      put_raw(detail::expiry_key("Permit", time, key_of(holder)), "\xC0");
  }
  EXPECT_EQ(admin::compact(mapper_), 0U) << "no entity has expired";
  EXPECT_EQ(expiry_records(), 1U);
  EXPECT_TRUE(mapper_.exists<Permit>("ann"));
  EXPECT_TRUE(mapper_.exists<Permit>("everlasting"));
}

TEST_P(EntityExpiryTest, ARecordOfTheEndOfAnErasedEntityIsRemoved) {
  put_raw(detail::main_key(key_of("ann")), detail::tombstone());
  put_raw(detail::expiry_key("Permit", 1'000, key_of("ann")), "\xC0");
  MapperOptions often = options();
  often.compact_every = 1ms;
  const Mapper working(*store_, often);
  while (expiry_records() > 0) std::this_thread::yield();
  EXPECT_FALSE(mapper_.exists<Permit>("ann"));
}

TEST_P(EntityExpiryTest, AThreadOfTheMapperLeavesToOthersWhatTheyAreAt) {
  mapper_.save(Permit("ann", in(10s)));
  pass(10s);
  detail::Lease lease(*store_, "compaction", 10s);
  ASSERT_TRUE(lease.take());
  FaultyStore counting(*store_);
  std::atomic<int> looks{0};
  counting.before_begin([&] { ++looks; });
  MapperOptions often = options();
  often.compact_every = 1ms;
  const Mapper working(counting, often);
  while (looks < 20) ASSERT_TRUE(lease.take());  // which prolongs it
  EXPECT_EQ(expiry_records(), 1U);
  lease.give_up();
  while (entity_records() > 0) std::this_thread::yield();
  EXPECT_EQ(expiry_records(), 0U);
}

TEST_P(EntityExpiryTest, AfterARefusalNoOtherJobOfTheRoundAsksForTheLease) {
  mapper_.save(Permit("ann", in(10s)));
  mapper_.save(Ticket(1, std::chrono::sys_days::min()));
  pass(10s);
  detail::Lease lease(*store_, "compaction", 10s);
  ASSERT_TRUE(lease.take());
  FaultyStore counting(*store_);
  std::atomic<std::size_t> asked{0}, times{0};
  counting.before_get([&] { ++asked; });
  MapperOptions often = options();
  often.compact_every = 1ms;
  often.clock = [&] { return ++times, now_.load(); };
  {
    const Mapper working(counting, often);
    while (asked < 20) ASSERT_TRUE(lease.take());
  }
  const std::size_t times_in_a_round = detail::expiring_types().size();
  ASSERT_GE(times_in_a_round, 2U);
  EXPECT_LE(asked, times / times_in_a_round + 1);
}

TEST_P(EntityExpiryTest, TheRemovalStopsBetweenTwoBatches) {
  constexpr std::size_t kTickets = 1000;
  std::vector<Ticket> tickets;
  for (std::size_t i = 0; i < kTickets; ++i)
    tickets.emplace_back(static_cast<int>(i), std::chrono::sys_days::min());
  mapper_.save(tickets);
  detail::MapperContext context(*store_, options());
  const detail::Now now = detail::ask_clock(context.options);
  int batches = 2;
  const auto goes_on = [&] { return batches-- > 0; };
  const detail::EntityType& type = detail::kEntityType<Ticket>;
  const std::uint64_t removed = detail::remove_expired_entities(context, type, now, nullptr, goes_on);
  EXPECT_GT(removed, 0U);
  EXPECT_LT(removed, kTickets / 2);
  EXPECT_EQ(detail::remove_expired_entities(context, type, now, nullptr), kTickets - removed);
}

TEST_P(EntityExpiryTest, AnyTimePointWillDo) {
  now_ = std::chrono::sys_days(std::chrono::year(2030) / 1 / 1) + 12h;
  const auto today = std::chrono::floor<std::chrono::days>(now_.load());
  mapper_.save(Ticket(1, today));
  mapper_.save(Ticket(2, today + std::chrono::days(1)));
  mapper_.save(Ticket(3, std::chrono::sys_days::max()));
  mapper_.save(Ticket(4, std::chrono::sys_days::min()));
  EXPECT_FALSE(mapper_.exists<Ticket>(1) || mapper_.exists<Ticket>(4));
  EXPECT_TRUE(mapper_.exists<Ticket>(2) && mapper_.exists<Ticket>(3));
  EXPECT_EQ(admin::compact(mapper_), 2U);
  EXPECT_EQ(entity_records(), 2U);
  using Long = std::chrono::sys_time<std::chrono::duration<std::int64_t, std::ratio<86400>>>;
  EXPECT_GT(detail::in_milliseconds(Long::max()), 1'000'000'000'000'000);
  EXPECT_LT(detail::in_milliseconds(Long::min()), -1'000'000'000'000'000);
  EXPECT_EQ(detail::in_milliseconds(std::chrono::sys_time<std::chrono::nanoseconds>(1ns)), 1);
}

TEST_P(EntityExpiryTest, UpdatesKeepTheEndWhateverElseTheMainRecordHolds) {
  mapper_.save(Permit("ann", in(10s)));
  admin::set_shards<Permit>(mapper_, "ann", "uses", 7);  // which rewrites the main record
  mapper_.apply<&Permit::use>("ann", 2);
  auto loaded = mapper_.load<Permit>("ann").value();
  loaded.zone = "north";
  mapper_.save(loaded);
  EXPECT_EQ(admin::shards<Permit>(mapper_, "ann", "uses"), 7U);
  EXPECT_EQ(mapper_.load<Permit>("ann")->uses(), 2);
  pass(10s);
  EXPECT_FALSE(mapper_.exists<Permit>("ann"));
  EXPECT_THROW(mapper_.apply<&Permit::use>("ann", 1), NotFound);
  admin::compact(mapper_);
  EXPECT_EQ(entity_records() + expiry_records(), 0U);
}

INSTANTIATE_TEST_SUITE_P(Stores, EntityExpiryTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
