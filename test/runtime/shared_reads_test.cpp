// Loads that may give what another process has read.

#include "shared_reads.h"

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "main_record.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr cached kShared{1h, cached::where::shared};

/// Keeps what it is given under one key, and notes that.
class NotingCache final : public SharedCache {
 public:
  std::optional<Found> get(std::string_view key) noexcept override {
    return away ? std::nullopt : cache.get(key);
  }
  bool put(std::string_view key, std::string_view value,
           std::chrono::milliseconds its_lifetime) noexcept override {
    {
      const std::lock_guard lock(mutex_);
      last_key = key;
      lifetime = its_lifetime;
    }
    if (takes > 0ns) now += takes;  // else by several threads
    return !away && cache.put(key, value, its_lifetime);
  }
  bool put_if(std::string_view, std::string_view, std::chrono::milliseconds, Version) noexcept override {
    return false;
  }
  bool erase(std::string_view key) noexcept override { return cache.erase(key); }

  std::chrono::steady_clock::time_point now{};
  std::chrono::nanoseconds takes{0};  // until what is put is there
  MemoryCache cache{1'000'000, [this] { return now; }};
  bool away = false;
  // To be read when nobody uses it any more.
  std::string last_key;
  std::chrono::milliseconds lifetime{};

 private:
  std::mutex mutex_;
};

/// Processes that use one store and one cache.
class SharedLoadsTest : public StoreTest {
 protected:
  MapperOptions options() {
    return {.adaptive = {.window = 0ms}, .cache = &cache_, .log = [this](std::string_view line) {
              log_.emplace_back(line);
            }};
  }
  static int views(Mapper& mapper, cached how = kShared) {
    const std::optional<Flight> flight = mapper.load<Flight>(1, how);
    return flight ? flight->views() : -1;
  }

  NotingCache cache_;
  std::vector<std::string> log_;
  Mapper one_{*store_, options()}, two_{*store_, options()};
  Mapper outside_{*store_};
};
INSTANTIATE_TEST_SUITE_P(Stores, SharedLoadsTest, ::testing::ValuesIn(stores_for_threads()), store_name);

TEST_P(SharedLoadsTest, OneProcessReadsForAll) {
  Flight flight(1, 400);
  flight.set_to("Oslo");
  outside_.save(flight);
  outside_.apply<&Flight::view>(1);
  outside_.apply<&Flight::reset_score>(1, 7);
  EXPECT_EQ(views(one_), 1);
  outside_.apply<&Flight::view>(1);
  Flight seen = two_.load<Flight>(1, kShared).value();
  EXPECT_EQ(seen.views(), 1) << "it was read before";
  EXPECT_EQ(seen.to(), "Oslo");
  EXPECT_EQ(seen.seats(), 400);
  EXPECT_EQ(seen.score(), 7);
  EXPECT_EQ(views(two_, cached{1h}), 2) << "this process has not read it itself";
  seen.set_to("Rome");
  seen.view();
  two_.save(seen);
  EXPECT_EQ(outside_.load<Flight>(1)->to(), "Rome");
  EXPECT_EQ(outside_.load<Flight>(1)->views(), 3);
  EXPECT_THAT(log_, IsEmpty());
}

TEST_P(SharedLoadsTest, EachAgeHasItsOwn) {
  outside_.save(Flight(1));
  EXPECT_EQ(views(one_), 0);
  outside_.apply<&Flight::view>(1);
  EXPECT_EQ(views(two_, cached{10min, cached::where::shared}), 1);
  EXPECT_LE(cache_.lifetime, 10min);
  EXPECT_EQ(views(two_), 1) << "read here not long ago";
  Mapper three(*store_, options());
  EXPECT_EQ(views(three), 0);
  cache_.now += 1h;
  EXPECT_EQ(views(three), 1);
}

TEST_P(SharedLoadsTest, EveryChangeOfThisMapperIsSeen) {
  outside_.save(Flight(1));
  EXPECT_EQ(views(one_), 0);
  two_.apply<&Flight::view>(1);
  EXPECT_EQ(views(two_), 1);
  EXPECT_EQ(views(one_), 0) << "which the other does not know of";
  two_.apply_async<&Flight::view>(1).get();
  EXPECT_EQ(views(two_), 2);
  two_.transact([](EntityTransaction& transaction) {
    Flight flight = transaction.load<Flight>(1).value();
    flight.set_to("Oslo");
    transaction.save(flight);
  });
  EXPECT_EQ(two_.load<Flight>(1, kShared)->to(), "Oslo");
  EXPECT_EQ(one_.load<Flight>(1, kShared)->to(), "");
  EXPECT_TRUE(two_.erase<Flight>(1));
  EXPECT_EQ(views(two_), -1);
  two_.save(Flight(1));
  EXPECT_EQ(views(two_), 0);
  EXPECT_EQ(views(one_), 0);
}

TEST_P(SharedLoadsTest, WhatIsAcknowledgedButNotYetCommittedIsSeen) {
  MapperOptions buffering = options();
  buffering.durability = durability::buffered{1h};
  Mapper buffered(*store_, buffering);
  outside_.save(Flight(1));
  EXPECT_EQ(views(one_), 0);
  buffered.apply<&Flight::view>(1);
  EXPECT_EQ(views(buffered), 1);
}

TEST_P(SharedLoadsTest, ACacheThatIsAwayCostsNoAnswer) {
  outside_.save(Flight(1));
  cache_.away = true;
  for (int i = 0; i < 3; ++i) {
    two_.apply<&Flight::view>(1);
    EXPECT_EQ(views(two_), i + 1);
  }
  EXPECT_THAT(log_, ElementsAre(HasSubstr("does not keep Flight 1")));
  EXPECT_EQ(views(outside_), 3) << "without any, it is as if it was not shared";
}

TEST_P(SharedLoadsTest, NonsenseIsNoEntity) {
  Flight flight(1, 400);
  flight.set_to("Oslo");
  outside_.save(flight);
  outside_.save(Flight(2));
  EXPECT_EQ(views(one_), 0);
  const std::string right = cache_.cache.get(cache_.last_key)->value, key = cache_.last_key;
  std::mt19937_64 generator = seeded_generator();
  const auto expect_right = [&](const std::string& nonsense) {
    cache_.cache.put(key, nonsense, 1h);
    Mapper mapper(*store_, options());
    const Flight found = mapper.load<Flight>(1, kShared).value();
    EXPECT_EQ(found.to(), "Oslo");
    EXPECT_EQ(found.seats(), 400);
  };
  for (std::size_t length = 0; length < right.size(); ++length) expect_right(right.substr(0, length));
  for (int i = 0; i < 200; ++i) {
    std::string nonsense(below(generator, 100), ' ');
    for (char& byte : nonsense) byte = static_cast<char>(generator());
    expect_right(nonsense);
  }
  ASSERT_FALSE(log_.empty());
  for (const std::string& line : log_)
    EXPECT_THAT(line, HasSubstr("a foreign value under the key of an entity"));
  log_.clear();
  EXPECT_EQ(one_.load<Flight>(2, kShared)->number(), 2);
  cache_.cache.put(key, cache_.cache.get(cache_.last_key)->value, 1h);
  expect_right(cache_.cache.get(cache_.last_key)->value);  // that of another, whose key has the same hash
  EXPECT_THAT(log_, IsEmpty());
}

/// Each value is one that there was, not longer ago than a thread's own last update.
TEST_P(SharedLoadsTest, NoThreadMissesItsOwnUpdates) {
  outside_.save(Flight(1));
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&mapper = thread % 2 == 0 ? one_ : two_] {
      for (int i = 0; i < 300; ++i) {
        const int before = views(mapper);
        mapper.apply<&Flight::view>(1);
        ASSERT_GT(views(mapper), before);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(views(outside_), 1200);
}

class SharedReadsTest : public testing::Test {
 protected:
  bool is_read(detail::SharedReads& reads, std::chrono::nanoseconds at_most) {
    Flight flight(1);
    return reads.read(detail::entity_ref(flight), at_most, moment());
  }
  void put(detail::SharedReads& reads, std::chrono::nanoseconds at_most, std::chrono::nanoseconds took) {
    Flight flight(1);
    const std::string main = detail::encode_main(detail::kEntityType<Flight>, &flight, 1, {});
    reads.put(detail::entity_ref(flight), main, at_most, moment(took), cache_.now);
  }
  detail::SharedReads::Moment moment(std::chrono::nanoseconds ago = 0s) const {
    const auto now = cache_.now - ago;
    return {.here = now, .everywhere = kDay + ahead_ + now.time_since_epoch()};
  }

  static constexpr detail::SharedReads::Day kDay{20'000 * 24h};
  std::chrono::nanoseconds ahead_{0};  // of other machines' clocks, is that of this one

  NotingCache cache_;
};

TEST_F(SharedReadsTest, WhatWasReadLiesThereNoLongerThanItMay) {
  detail::SharedReads reads(&cache_, nullptr);
  put(reads, 10s, 3s);
  EXPECT_EQ(cache_.lifetime, 7s);
  EXPECT_TRUE(is_read(reads, 10s));
  EXPECT_FALSE(is_read(reads, 11s));
  cache_.now += 7s;
  EXPECT_FALSE(is_read(reads, 10s));
  cache_.lifetime = 0s;
  put(reads, 10s, 10s);
  put(reads, 0s, 0s);
  put(reads, -10s, 0s);
  EXPECT_EQ(cache_.lifetime, 0s) << "those are not kept";
}

TEST_F(SharedReadsTest, WhatMayBeOlderThanAChangeHereIsNotRead) {
  detail::SharedReads reads(&cache_, nullptr);
  const detail::EntityKey key = detail::entity_key("Flight", 1);
  cache_.now += 1h;
  put(reads, 10s, 0s);
  EXPECT_TRUE(is_read(reads, 10s));
  reads.note_change(key, cache_.now);
  reads.note_change(key, cache_.now - 5s);  // by a thread that was late to say so
  EXPECT_FALSE(is_read(reads, 10s));
  cache_.now += 9s;
  put(reads, 10s, 0s);
  EXPECT_FALSE(is_read(reads, 10s)) << "it is new, but that cannot be known";
  cache_.now += 1s;
  EXPECT_TRUE(is_read(reads, 10s));
}

TEST_F(SharedReadsTest, WhatCameLateIsNotRead) {
  detail::SharedReads reads(&cache_, nullptr);
  cache_.now += 1h;
  cache_.takes = 4s;
  put(reads, 3s, 0s);
  EXPECT_TRUE(is_read(reads, 3s)) << "clocks may differ by a second";
  cache_.now += 1ms;
  EXPECT_FALSE(is_read(reads, 3s));

  cache_.takes = 0s;
  ahead_ = -1s;
  put(reads, 3s, 0s);
  ahead_ = 0s;
  cache_.now += 2'999ms;
  EXPECT_TRUE(is_read(reads, 3s)) << "read by a machine whose clock is slow";
}

TEST_F(SharedReadsTest, WhatCameLateIsWithoutAChangeHere) {
  const detail::EntityKey key = detail::entity_key("Flight", 1);
  detail::SharedReads reads(&cache_, nullptr);
  cache_.now += 1h;
  reads.note_change(key, cache_.now + 100ms);
  cache_.takes = 3'200ms;
  put(reads, 3s, 0s);
  EXPECT_FALSE(is_read(reads, 3s)) << "it was read before the change";
  detail::SharedReads others(&cache_, nullptr);
  EXPECT_TRUE(is_read(others, 3s)) << "which others need not see yet";
  cache_.takes = 0s;
  put(reads, 3s, 0s);
  EXPECT_TRUE(is_read(reads, 3s));
}

}  // namespace
}  // namespace autoshard::test
