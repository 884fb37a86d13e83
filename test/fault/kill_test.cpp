// A process that updates entities is killed at random points, again and again. What it acknowledged must be
// there, and nothing but what it may have been about to acknowledge besides.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "entities/forms/question.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "killed_process.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using moderator::Question;
using shop::Stock;

// Questions, by what votes on them.
constexpr int kApplied = 0, kSaved = 1, kTransacted = 2, kAsynchronous = 3, kBuffered = 4, kNeverFlushed = 5;
constexpr int kQuestions = 6;
constexpr int kThreads = 2;  // for each of them

// How many votes an acknowledgement is for, and how many of them a thread may have under way.
constexpr int kInFlight = 100, kBetweenFlushes = 50;
constexpr std::array<int, kQuestions> kVotes = {1, 1, 1, 1, kBetweenFlushes, 1};
constexpr std::array<int, kQuestions> kUnderWay = {1, 1, 1, kInFlight, kBetweenFlushes, 1};

RocksDbOptions options() { return {.sync = true, .minimum_free_bytes = 0}; }

/// Votes that nobody waits for but in the end, and that are acknowledged where they are committed.
[[noreturn]] void vote_asynchronously(Mapper& mapper, int acknowledgements) {
  std::atomic<int> in_flight{0};
  for (;;) {
    for (int flying = in_flight; flying >= kInFlight; flying = in_flight) in_flight.wait(flying);
    ++in_flight;
    mapper.apply_async<&Question::voteUp>(kAsynchronous).then([&](const std::exception_ptr& error) {
      if (error) std::abort();
      acknowledge(acknowledgements, kAsynchronous);
      --in_flight;
      in_flight.notify_one();
    });
  }
}

/// Votes that a crash may lose until they are flushed.
[[noreturn]] void vote_buffered(Mapper& mapper, int acknowledgements) {
  for (;;) {
    for (int i = 0; i < kBetweenFlushes; ++i) mapper.apply<&Question::voteUp>(kBuffered);
    mapper.flush();
    acknowledge(acknowledgements, kBuffered);
  }
}

/// Votes that nothing commits but the time that they may stay in memory. One is acknowledged when so many are
/// there as were cast; `cast` counts also those of the other threads, and of processes before.
[[noreturn]] void vote_without_flush(Mapper& mapper, Mapper& other, std::atomic<int>& cast,
                                     int acknowledgements) {
  for (;;) {
    mapper.apply<&Question::voteUp>(kNeverFlushed);
    const int votes = ++cast;
    while (other.load<Question>(kNeverFlushed).value().votes() < votes) std::this_thread::yield();
    acknowledge(acknowledgements, kNeverFlushed);
  }
}

void vote(Mapper& mapper, int id) {
  switch (id) {
    case kApplied:
      return mapper.apply<&Question::voteUp>(id);
    case kSaved: {
      Question question = mapper.load<Question>(id).value();
      question.voteUp();
      return mapper.save(question);
    }
    default:
      return mapper.transact([](EntityTransaction& transaction) {
        Stock stock = transaction.load<Stock>("with the votes").value();
        stock.set_price(stock.price() + 1);
        transaction.save(stock);
        transaction.apply<&Question::voteUp>(kTransacted);
      });
  }
}

/// The process that is killed: votes, and writes a byte for each vote that is acknowledged, or flush of many.
[[noreturn]] void run_writer(const char* folder, int acknowledgements) {
  RocksDbStore store(folder, options());
  Mapper mapper(store);
  Mapper buffering(store, {.durability = durability::buffered{}});
  Mapper never_flushing(store, {.durability = durability::buffered{std::chrono::milliseconds(1)}});
  std::atomic<int> cast = mapper.load<Question>(kNeverFlushed).value().votes();
  std::vector<std::thread> threads;
  for (int id = 0; id < kQuestions; ++id) {
    for (int i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, id] {
        if (id == kAsynchronous) vote_asynchronously(mapper, acknowledgements);
        if (id == kBuffered) vote_buffered(buffering, acknowledgements);
        if (id == kNeverFlushed) vote_without_flush(never_flushing, mapper, cast, acknowledgements);
        for (;;) {
          vote(mapper, id);
          acknowledge(acknowledgements, id);
        }
      });
    }
  }
  threads.emplace_back([&] {  // an entity that comes and goes
    for (;;) {
      if (!mapper.exists<Stock>("fleeting")) mapper.save(Stock("fleeting"));
      mapper.apply<&Stock::refill>("fleeting", 1);
      mapper.erase<Stock>("fleeting");
    }
  });
  threads.front().join();
  std::abort();
}

class KillTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (kUnderThreadSanitizer) GTEST_SKIP() << "RocksDB is not compiled with the tests";
    RocksDbStore store(path_, options());
    Mapper mapper(store);
    for (int id = 0; id < kQuestions; ++id) mapper.save(Question{id, "How?", "Phil R"});
    mapper.save(Stock("with the votes"));
  }

  TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "store";
};

TEST_F(KillTest, CountsWhatWasAcknowledgedAndAtMostWhatWasInFlight) {
  const char* given = std::getenv("AUTOSHARD_KILL_CYCLES");
  const int cycles = given ? std::stoi(given) : 200;
  std::mt19937_64 generator = seeded_generator();
  std::array<int, kQuestions> before{};
  for (int cycle = 0; cycle < cycles; ++cycle) {
    // Also before the store is open; and mostly early, for that is where it is recovered and its files are
    // new.
    const std::array<int, kQuestions> acknowledged =
        run_and_kill<kQuestions>(path_, below(generator, std::size_t{1} << below(generator, 9)));
    RocksDbStore store(path_, options());
    expect_healthy(store);
    Mapper mapper(store);
    for (std::size_t id = 0; id < kQuestions; ++id) {
      const int votes = mapper.load<Question>(static_cast<int>(id)).value().votes();
      ASSERT_GE(votes - before[id], acknowledged[id] * kVotes[id])
          << "question " << id << " in cycle " << cycle;
      ASSERT_LE(votes - before[id], acknowledged[id] * kVotes[id] + kThreads * kUnderWay[id])
          << "question " << id << " in cycle " << cycle;
      before[id] = votes;
    }
    mapper.erase<Stock>("fleeting");
    mapper.save(Stock("fleeting"));
    ASSERT_EQ(mapper.load<Stock>("fleeting").value().pieces(), 0);
    mapper.erase<Stock>("fleeting");
  }
  if (!given) {
    EXPECT_GT(before[kNeverFlushed], 0);
  }
}

}  // namespace
}  // namespace autoshard::test

int main(int argc, char** argv) {
  if (argc == 4 && std::string_view(argv[1]) == "--writer") {
    autoshard::test::run_writer(argv[2], std::stoi(argv[3]));
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
