// A call judges by one instant what has expired, wherever the clock goes while it runs.

#include <autoshard/autoshard.h>
#include <autoshard/memory_cache.h>
#include <gtest/gtest.h>

#include <chrono>
#include <exception>
#include <functional>
#include <ranges>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "entities/forms/question.autoshard.h"
#include "entities/versions/lock/lock.autoshard.h"
#include "keys.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using locks::Lock;
using locks::Time;

constexpr Time kEnd(1000s);

/// A clock that comes to `kEnd` after so many looks at it.
struct Clock {
  int looks_before_end;
  int looks = 0;

  Time operator()() { return looks++ < looks_before_end ? kEnd - 1ms : kEnd; }
};

std::string failure() try { throw; } catch (const NotFound&) {
  return "not found";
} catch (const StaleEntity&) {
  return "stale";
} catch (const std::exception& error) {
  return error.what();
}

using Call = std::function<std::string(Mapper&)>;

/// Both entities, as they were loaded before the call.
std::vector<Lock> held;

template <class Work>
Call transaction(Work work) {
  return [work](Mapper& mapper) {
    std::string seen;
    mapper.transact([&](EntityTransaction& transaction) { seen = work(transaction); });
    return seen;
  };
}

std::string tell(const std::optional<Lock>& lock) { return lock ? std::to_string(lock->uses()) : "none"; }

const std::vector<std::pair<std::string, Call>>& calls() {
  static const std::vector<std::pair<std::string, Call>> calls = {
      {"load", [](Mapper& mapper) { return tell(mapper.load<Lock>(1)); }},
      {"load of several",
       [](Mapper& mapper) {
         const auto loaded = mapper.load<Lock>(std::vector{1, 2});
         return tell(loaded[0]) + ' ' + tell(loaded[1]);
       }},
      {"cached load",
       [](Mapper& mapper) {
         return tell(mapper.load<Lock>(1, cached{1h, cached::where::shared}));
       }},
      {"exists", [](Mapper& mapper) { return std::to_string(mapper.exists<Lock>(1)); }},
      {"creation",
       [](Mapper& mapper) {
         mapper.save(Lock(1, "new"));
         return std::string("saved");
       }},
      {"creation of several",
       [](Mapper& mapper) {
         std::vector<Lock> locks = {Lock(1, "new"), Lock(2, "new")};
         try {
           mapper.save(locks);
         } catch (const BatchFailed& failed) {
           return std::to_string(failed.failures().size()) + " failed";
         }
         return std::string("saved");
       }},
      {"save with an update",
       [](Mapper& mapper) {
         held[0].owner = "new";
         held[0].use(10);
         mapper.save(held[0]);
         return std::string("saved");
       }},
      {"save of several with updates",
       [](Mapper& mapper) {
         for (Lock& lock : held) {
           lock.owner = "new";
           lock.use(10);
         }
         try {
           mapper.save(held);
         } catch (const BatchFailed& failed) {
           return std::to_string(failed.failures().size()) + " failed";
         }
         return std::string("saved");
       }},
      {"save of an update alone",
       [](Mapper& mapper) {
         held[0].use(10);
         mapper.save(held[0]);
         return std::string("saved");
       }},
      {"erase", [](Mapper& mapper) { return std::to_string(mapper.erase<Lock>(1)); }},
      {"erase of several",
       [](Mapper& mapper) {
         return std::to_string(mapper.erase<Lock>(std::vector{1, 2}));
       }},
      {"update",
       [](Mapper& mapper) {
         mapper.apply<&Lock::use>(1, 10);
         return std::string("counted");
       }},
      {"query", [](Mapper& mapper) { return std::to_string(mapper.query<Lock>().count()); }},
      {"query by index",
       [](Mapper& mapper) {
         return std::to_string(mapper.query<Lock>(Fields<Lock>::owner == "old").count());
       }},
      {"erase by query", [](Mapper& mapper) { return std::to_string(mapper.query<Lock>().erase()); }},
      {"compaction", [](Mapper& mapper) { return std::to_string(admin::compact(mapper)); }},
      {"loads in a transaction", transaction([](EntityTransaction& transaction) {
         return tell(transaction.load<Lock>(1)) + ' ' + tell(transaction.load<Lock>(1)) + ' ' +
                std::to_string(transaction.exists<Lock>(2));
       })},
      {"creation in a transaction", transaction([](EntityTransaction& transaction) {
         transaction.save(Lock(1, "new"));
         return std::string("saved");
       })},
      {"creation of what is not there", transaction([](EntityTransaction& transaction) {
         if (transaction.exists<Lock>(1)) return std::string("taken");
         transaction.save(Lock(1, "new"));
         return tell(transaction.load<Lock>(1));
       })},
      {"change in a transaction", transaction([](EntityTransaction& transaction) {
         std::optional<Lock> lock = transaction.load<Lock>(1);
         if (!lock) return std::string("none");
         lock->owner = "new";
         lock->until.reset();
         transaction.save(*lock);
         transaction.apply<&Lock::use>(1, 10);
         return tell(transaction.load<Lock>(1));
       })},
      {"change with an update in a transaction", transaction([](EntityTransaction& transaction) {
         std::optional<Lock> lock = transaction.load<Lock>(1);
         if (!lock) return std::string("none");
         lock->owner = "new";
         lock->use(10);
         transaction.save(*lock);
         transaction.apply<&Lock::use>(2, 10);
         return std::string("saved");
       })},
      {"erase in a transaction", transaction([](EntityTransaction& transaction) {
         return std::to_string(transaction.erase<Lock>(1)) + std::to_string(transaction.exists<Lock>(1)) +
                std::to_string(transaction.erase<Lock>(2));
       })},
  };
  return calls;
}

/// With several indexes of looks, and what is there afterwards for somebody with a clock that stands before
/// the end.
struct Outcome {
  std::string result, state;
  int looks = 0;

  friend bool operator==(const Outcome& one, const Outcome& other) {
    return one.result == other.result && one.state == other.state;
  }
};

class ExpiryInstantTest : public ::testing::TestWithParam<std::size_t> {
 protected:
  static Outcome outcome(const Call& call, int looks_before_end) {
    MemoryStore store;
    MemoryCache cache;
    Mapper early(store, {.compact_every = 0ms, .clock = [] { return kEnd - 1ms; }});
    for (const int number : {1, 2}) {
      early.save(Lock(number, "old", kEnd));
      early.apply<&Lock::use>(number, 5);
    }
    held = {early.load<Lock>(1).value(), early.load<Lock>(2).value()};
    Clock clock{looks_before_end};
    Outcome outcome;
    {
      Mapper mapper(store, {.compact_every = 0ms, .cache = &cache, .clock = [&] { return clock(); }});
      try {
        outcome.result = call(mapper);
      } catch (...) {
        outcome.result = failure();
      }
      outcome.looks = clock.looks;
    }
    for (const int number : {1, 2}) {
      const std::optional<Lock> lock = early.load<Lock>(number);
      outcome.state +=
          lock ? lock->owner + ' ' + tell(lock) + (lock->until ? ", " : " for ever, ") : "none, ";
    }
    std::set<std::string> keys;  // of one shard for each entity: which of them an update writes is random
    for (const auto& [key, value] : records(store)) keys.insert(key.substr(0, key.find("uses")));
    outcome.state += std::to_string(keys.size());
    return outcome;
  }
};

TEST_P(ExpiryInstantTest, IsOne) {
  const Call& call = calls()[GetParam()].second;
  constexpr int kNever = 1'000'000;
  const Outcome before = outcome(call, kNever), at_end = outcome(call, 0);
  ASSERT_GE(before.looks, 1);
  EXPECT_FALSE(before == at_end) << "the clock decides nothing";
  for (int looks = 1; looks <= before.looks; ++looks) {
    const Outcome between = outcome(call, looks);
    EXPECT_TRUE(between == before || between == at_end)
        << "with the end after look " << looks << ": " << between.result << "; " << between.state
        << "\nwith the end later: " << before.result << "; " << before.state
        << "\nwith the end before: " << at_end.result << "; " << at_end.state;
  }
}

std::string name_of(const ::testing::TestParamInfo<std::size_t>& tested) {
  std::string name = calls()[tested.param].first;
  std::ranges::replace(name, ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Calls, ExpiryInstantTest, ::testing::Range(std::size_t{0}, calls().size()), name_of);

TEST(NoExpiryTest, OnlyATokenAsksTheClock) {
  using moderator::Question;
  MemoryStore store;
  int looks = 0;
  Mapper mapper(store, {.compact_every = 0ms, .clock = [&] {
                          ++looks;
                          return kEnd;
                        }});
  mapper.save(Question{1, "Why?", "Phil R"});
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), 1);
  EXPECT_EQ(mapper.load<Question>(1, cached{1h}).value().votes(), 1);
  EXPECT_TRUE(mapper.exists<Question>(1));
  EXPECT_EQ(mapper.query<Question>().count(), 1U);
  EXPECT_EQ(looks, 0);
  mapper.apply<&Question::voteUp>(1, token("first"));
  EXPECT_EQ(looks, 1);
  EXPECT_TRUE(mapper.erase<Question>(1));
  EXPECT_EQ(looks, 1);
}

}  // namespace
}  // namespace autoshard::test
