// On a store whose acknowledgements get lost, nothing does, and nothing counts twice.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <functional>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "entities/strategies/flight.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "lossy_store.h"
#include "mapper_fixture.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using moderator::Question;
using shop::Stock;
using namespace std::chrono_literals;

/// Everything that a mapper commits, each in its own way.
void use(Mapper& mapper) {
  mapper.save(question(1));
  mapper.apply<&Question::voteUp>(1);
  Question loaded = mapper.load<Question>(1).value();
  loaded.voteUp();
  mapper.save(loaded);
  mapper.apply_async<&Question::voteUp>(1).get();

  mapper.save(Flight(7, 100));
  mapper.update<Flight>(7, [](auto& shard) {
    shard.book(10);
    shard.like();
    shard.rate(5);
    shard.view();
  });
  mapper.apply<&Flight::reset_score>(7, 3);
  admin::set_shards<Flight>(mapper, 7, "views", 4);
  mapper.apply<&Flight::like>(7);
  admin::set_shards<Flight>(mapper, 7, "seats", 2);
  admin::compact<Flight>(mapper, 7);

  mapper.save(Stock("x", 20));
  EXPECT_TRUE(mapper.erase<Stock>("x"));
  Stock stock("x", 30);
  stock.set_price(2);
  mapper.save(stock);
  stock.set_price(3);
  stock.sell(1, "A");
  mapper.save(stock);
  mapper.transact([](EntityTransaction& transaction) {
    Stock bought = transaction.load<Stock>("x").value();
    bought.set_price(bought.price() + 1);
    bought.sell(1, "B");
    transaction.save(bought);
    transaction.apply<&Question::voteUp>(1);
    transaction.save(Stock("y", 1));
  });
}

std::string outcome(Store& store) {
  Mapper mapper(store);
  std::ostringstream out;
  const auto flight = mapper.load<Flight>(7).value();
  out << mapper.load<Question>(1).value().votes() << " votes; " << flight.seats() << ' ' << flight.likes()
      << ' ' << flight.score() << ' ' << flight.views();
  for (const char* id : {"x", "y"}) {
    const auto stock = mapper.load<Stock>(id).value();
    out << "; " << stock.price() << ' ' << stock.pieces() << ' ' << stock.buyers().size();
  }
  return out.str();
}

Mapper::Options options() {
  return {.retry = {.initial_backoff = 1us}, .compact_every = 0ms, .adaptive = {.window = 0ms}};
}

/// What happens from some commit on.
struct Trouble {
  const char* name;
  std::vector<Fate> fates;
  int looks_in_vain = 0;       // at the store, after the first commit of these
  bool arrives_early = false;  // before the second of these
};

const std::vector<Trouble> kTroubles = {
    {"done", {Fate::kUnknownDone}},
    {"lost", {Fate::kUnknownLost}},
    {"early", {Fate::kUnknownLate}, 0, true},
    {"late", {Fate::kUnknownLate}},
    {"fence done", {Fate::kUnknownLate, Fate::kUnknownDone}},
    {"fence lost", {Fate::kUnknownLate, Fate::kUnknownLost}},
    {"fence late", {Fate::kUnknownLate, Fate::kUnknownLate}},
    {"fence in vain", {Fate::kUnknownLost, Fate::kCrashes, Fate::kConflicts}, 1},
    {"done, away", {Fate::kUnknownDone}, 9},
    {"lost, away", {Fate::kUnknownLost, Fate::kCrashes}, 9},
    {"again and again", {8, Fate::kUnknownLost}},
};

/// Uses a mapper on a store with this trouble from the nth commit on; how many commits there were.
int use_with(const Trouble& trouble, int nth, FaultyStore& faulty) {
  int looks = 0;
  faulty.before_begin([&] {
    if (looks > 0) --looks;
    if (looks > 0) throw StoreUnavailable("away");
  });
  faulty.before_commit([&](int commit) {
    const auto fate = static_cast<std::size_t>(commit - nth);
    if (commit == nth) looks = trouble.looks_in_vain + 1;
    if (commit == nth + 1 && trouble.arrives_early) {
      EXPECT_EQ(faulty.deliver(), CommitOutcome::kCommitted);
    }
    return commit >= nth && fate < trouble.fates.size() ? trouble.fates[fate] : Fate::kCommits;
  });
  int commits = 0;
  {
    Mapper mapper(faulty, options());
    use(mapper);
    commits = faulty.commits();
  }
  while (faulty.late() > 0) faulty.deliver();
  return commits;
}

TEST(ExactlyOnce, WhateverAcknowledgementIsLost) {
  MemoryStore undisturbed;
  FaultyStore without(undisturbed, FaultyStore::Acknowledgements::kMayBeLost);
  const int commits = use_with({"none", {}}, 1, without);
  const std::string expected = outcome(undisturbed);
  ASSERT_EQ(expected, "4 votes; 90 2 3 1; 4 28 2; 1 1 0");
  for (const Trouble& trouble : kTroubles) {
    // Before the first mark is there, nothing is in doubt, and a store that is away is an error.
    const int first = trouble.looks_in_vain > 0 ? 2 : 1;
    for (int nth = first; nth <= commits && !::testing::Test::HasFailure(); ++nth) {
      SCOPED_TRACE(std::string(trouble.name) + ", at commit " + std::to_string(nth));
      MemoryStore store;
      FaultyStore faulty(store, FaultyStore::Acknowledgements::kMayBeLost);
      ASSERT_NO_THROW(use_with(trouble, nth, faulty));
      ASSERT_EQ(outcome(store), expected);
    }
  }
}

TEST(ExactlyOnce, OfWhatIsBufferedToo) {
  for (const Trouble& trouble : kTroubles) {
    SCOPED_TRACE(trouble.name);
    MemoryStore store;
    FaultyStore faulty(store, FaultyStore::Acknowledgements::kMayBeLost);
    {
      Mapper::Options buffered = options();
      buffered.durability = durability::buffered{1h};
      Mapper mapper(faulty, buffered);
      mapper.save(question(1));
      faulty.before_commit([&](int commit) {
        if (commit == 2 && trouble.arrives_early) {
          EXPECT_EQ(faulty.deliver(), CommitOutcome::kCommitted);
        }
        const auto fate = static_cast<std::size_t>(commit) - 1;
        return fate < trouble.fates.size() ? trouble.fates[fate] : Fate::kCommits;
      });
      for (int i = 0; i < 100; ++i) mapper.apply<&Question::voteUp>(1);
      ASSERT_NO_THROW(mapper.flush());
      EXPECT_EQ(admin::counters(mapper).resolved, 1u);
    }
    while (faulty.late() > 0) faulty.deliver();
    EXPECT_EQ(Mapper(store).load<Question>(1).value().votes(), 100);
  }
}

TEST(ExactlyOnce, ANewEntityIsNotTakenForSomebodyElses) {
  MemoryStore store;
  FaultyStore faulty(store, FaultyStore::Acknowledgements::kMayBeLost);
  Mapper mapper(faulty, options());
  mapper.save(question(1));
  faulty.before_commit([](int nth) { return nth == 1 ? Fate::kUnknownDone : Fate::kCommits; });
  Question second = question(2);
  mapper.save(second);
  EXPECT_EQ(admin::counters(mapper).resolved, 1u);
  second.voteUp();
  mapper.save(second);
  EXPECT_THROW(mapper.save(question(2)), StaleEntity);
}

TEST(ExactlyOnce, WorkIsRepeatedOnlyIfItWasNotCommitted) {
  for (const Fate fate : {Fate::kUnknownDone, Fate::kUnknownLost}) {
    MemoryStore store;
    FaultyStore faulty(store, FaultyStore::Acknowledgements::kMayBeLost);
    Mapper mapper(faulty, options());
    mapper.save(Stock("x"));
    faulty.before_commit([&](int nth) { return nth == 1 ? fate : Fate::kCommits; });
    int calls = 0;
    mapper.transact([&](EntityTransaction& transaction) {
      ++calls;
      Stock stock = transaction.load<Stock>("x").value();
      stock.set_price(stock.price() + 1);
      transaction.save(stock);
    });
    EXPECT_EQ(calls, fate == Fate::kUnknownDone ? 1 : 2);
    EXPECT_EQ(mapper.load<Stock>("x").value().price(), 2);
  }
}

TEST(ExactlyOnce, UnlessTheStoreStaysAway) {
  for (const Fate fate : {Fate::kUnknownDone, Fate::kUnknownLost}) {
    MemoryStore store;
    FaultyStore faulty(store, FaultyStore::Acknowledgements::kMayBeLost);
    Mapper::Options impatient = options();
    impatient.retry.resolve_within = 0us;
    Mapper mapper(faulty, impatient);
    mapper.save(question(1));
    bool away = false;
    faulty.before_begin([&] {
      if (away) throw StoreUnavailable("away");
    });
    faulty.before_commit([&](int) {
      away = true;
      return fate;
    });
    EXPECT_THROW(mapper.apply<&Question::voteUp>(1), OutcomeUnknown);
    away = false;
    faulty.before_commit(nullptr);
    mapper.apply<&Question::voteUp>(1);
    EXPECT_EQ(mapper.load<Question>(1).value().votes(), fate == Fate::kUnknownDone ? 2 : 1);
    faulty.before_begin(nullptr);  // the mapper, which ends last, still uses the store
  }
}

/// Several processes on one store, of which each loses its own.
class Processes {
 public:
  static constexpr std::size_t kProcesses = 3, kThreads = 4;
  static constexpr int kUpdates = 80;

  /// `dies`: the first of them is killed, which therefore does not look long for what became of its commits.
  Processes(Store& store, std::mt19937_64& generator, bool dies) : store_(store), dies_(dies) {
    Mapper(store).save(Flight(7, Flight::kSeats));
    for (std::size_t i = 0; i < kProcesses; ++i)
      processes_.emplace_back(store, generator(), i % 2 == 0, dies && i == 0 ? 100us : 30s);
  }

  void run() {
    std::vector<std::thread> threads;
    for (Process& process : processes_) {
      for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back([&] { update(process); });
      threads.emplace_back([&] { reshape(process); });
    }
    if (dies_) {
      while (acknowledged_ < kUpdates) std::this_thread::yield();
      processes_.front().lossy.kill();
    }
    for (std::thread& thread : threads) thread.join();
    std::uint64_t lost = 0;
    for (Process& process : processes_) {
      process.mapper.reset();
      process.lossy.deliver();
      lost += process.lossy.lost();
    }
    EXPECT_GT(lost, 0u);
    expect_counted();
  }

 private:
  struct Process {
    Process(Store& store, std::uint64_t seed, bool combine, std::chrono::microseconds resolve_within)
        : lossy(store, seed) {
      Mapper::Options options = test::options();
      options.combine = combine;
      options.retry.resolve_within = resolve_within;
      mapper = std::make_unique<Mapper>(lossy, options);
    }

    LossyStore lossy;
    std::unique_ptr<Mapper> mapper;
  };

  void update(Process& process) {
    for (int i = 0; i < kUpdates; ++i) {
      try {
        process.mapper->update<Flight>(7, [](auto& shard) {
          shard.book(1);
          shard.like();
          shard.rate(1);
          shard.view();
        });
        ++acknowledged_;
      } catch (const OutcomeUnknown&) {
        ++unknown_;
      } catch (const BoundExceeded&) {
        ADD_FAILURE() << "there are seats for all";
      } catch (const StoreUnavailable&) {
        // Nothing was written.
      }
    }
  }

  void reshape(Process& process) {
    for (const std::uint32_t shards : {3U, 9U, 1U, 5U, 2U}) {
      try {
        admin::set_shards<Flight>(*process.mapper, 7, "seats", shards);
        admin::set_shards<Flight>(*process.mapper, 7, "score", shards);
        admin::compact<Flight>(*process.mapper, 7);
      } catch (const Error&) {
        // The value is what counts.
      }
    }
  }

  void expect_counted() {
    const Flight flight = Mapper(store_).load<Flight>(7).value();
    const std::int64_t counted = flight.likes();
    EXPECT_EQ(Flight::kSeats - flight.seats(), counted);
    EXPECT_EQ(flight.score(), counted);
    EXPECT_EQ(flight.views(), counted);
    EXPECT_GE(counted, acknowledged_);
    EXPECT_LE(counted, acknowledged_ + unknown_);
    if (!dies_) {
      EXPECT_EQ(unknown_, 0);
    }
  }

  Store& store_;
  const bool dies_;
  std::deque<Process> processes_;
  std::atomic<int> acknowledged_{0}, unknown_{0};
};

class ExactlyOnceInProcesses : public StoreTest {};
INSTANTIATE_TEST_SUITE_P(Stores, ExactlyOnceInProcesses, ::testing::ValuesIn(stores_for_threads()),
                         store_name);

TEST_P(ExactlyOnceInProcesses, CountsWhatIsAcknowledged) {
  std::mt19937_64 generator = seeded_generator();
  Processes(*store_, generator, false).run();
}

TEST_P(ExactlyOnceInProcesses, AndAtMostWhatIsUnknownOfOneThatIsKilled) {
  std::mt19937_64 generator = seeded_generator();
  Processes(*store_, generator, true).run();
}

}  // namespace
}  // namespace autoshard::test
