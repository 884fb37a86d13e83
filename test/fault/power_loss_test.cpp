// Power is lost at random operations of the file system, again and again, while entities of several kinds are
// updated. What was acknowledged must be there, nothing may be counted twice, and indexes must be right.
//
// AUTOSHARD_POWER_LOSSES says how often, AUTOSHARD_TEST_SEED where to begin: 10,000 times by
//   AUTOSHARD_POWER_LOSSES=10000 build/bin/power_loss_test --gtest_filter=PowerLoss.*
// A failure prints the seed of its history, which runs first when that seed is given.

#include <autoshard/autoshard.h>
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "database.h"
#include "keys.h"
#include "power_loss_disk.h"
#include "power_loss_file_system.h"
#include "power_loss_model.h"
#include "store_clock.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kLossesOfAHistory = 25;
constexpr std::size_t kThreads = 3;
constexpr std::size_t kMostActs = 400;  // between two losses of power

/// How a disk or a store breaks its promise.
struct Deceit {
  std::string name;
  Lie lie = Lie::kNone;
  bool never_syncs = false;  // the store, although what it acknowledges counts as durable

  friend void PrintTo(const Deceit& deceit, std::ostream* out) { *out << deceit.name; }
};

struct Totals {
  std::uint64_t losses = 0, while_opening = 0, operations = 0;
  CallCounts calls;
};

/// A store from its first opening on.
class History {
 public:
  History(std::uint64_t seed, const Deceit& deceit, Totals& totals)
      : seed_(seed), deceit_(deceit), totals_(totals), generator_(seed), disk_(seed, deceit.lie) {
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      own_.push_back(entities_of(static_cast<int>(thread)));
      for (auto& call : calls_of(static_cast<int>(thread))) own_.back().push_back(std::move(call));
      own_.back().push_back(page_of(static_cast<int>(thread), now_));
    }
  }
  ~History() { totals_.operations += disk_.operations(); }

  /// Loses power again and again. Returns the first failure with what led to it, or an empty text.
  std::string run() {
    ::testing::TestPartResultArray failures;
    const ::testing::ScopedFakeTestPartResultReporter reporter(
        ::testing::ScopedFakeTestPartResultReporter::INTERCEPT_ALL_THREADS, &failures);
    while (losses_ < kLossesOfAHistory && failures.size() == 0) {
      open_and_check();
      if (failures.size() == 0) work();
      store_.reset();
      lose_power();
    }
    if (failures.size() == 0) return "";
    return "AUTOSHARD_TEST_SEED=" + std::to_string(seed_) + ", at loss of power " + std::to_string(losses_) +
           "\nwith" + (was_durable_ ? "" : "out") + " sync" + trace_ + "\n" +
           failures.GetTestPartResult(0).message();
  }

 private:
  std::size_t below(std::size_t bound) { return test::below(generator_, bound); }

  void lose_power() {
    disk_.power_off();
    trace_ += "\n" + disk_.faults();
    trace_ += "lost: " + disk_.lose_power();
    ++losses_;
    ++totals_.losses;
  }

  /// What there is in the store's folder.
  std::string files() const {
    std::string text;
    std::vector<std::string> names;
    disk_.list("/store", names);
    for (const std::string& name : names) {
      Disk::Handle file;
      disk_.open("/store/" + name, file);
      text += "\n" + name + " " + std::to_string(disk_.size(file));
    }
    return text;
  }

  void open() {
    const bool sync = below(4) > 0;
    const RocksDbOptions options{.sync = sync && !deceit_.never_syncs,
                                 .minimum_free_bytes = std::uint64_t{1} << 20,
                                 .write_buffer_bytes = std::size_t{64} << (10 + 2 * below(3)),
                                 .block_cache_bytes = std::size_t{1} << 20,
                                 .newest_values_bytes = std::size_t{1} << (10 + below(11))};
    env_ = env_on(disk_, options.sync);
    store_ = rocksdb_store::make_store(std::make_unique<rocksdb_store::Database>("/store", options, *env_));
    is_durable_ = sync;
  }

  void open_and_check() {
    was_durable_ = is_durable_;
    for (;;) {
      if (below(3) == 0) {
        const Fault fault = below(4) > 0   ? Fault::kPowerOff
                            : below(2) > 0 ? Fault::kSyncFails
                                           : Fault::kChangeFails;
        disk_.plan(fault, 1 + below(std::size_t{2} << below(6)));
      }
      try {
        open();
        disk_.make_room();
        if (!disk_.is_off()) break;
      } catch (const Error& error) {
        if (disk_.faults().empty()) {
          ADD_FAILURE() << error.what() << files();
          return;
        }
      }
      store_.reset();
      lose_power();
      ++totals_.while_opening;
    }
    const Mapper mapper(*store_, options(false));
    for (const auto& subjects : own_) {
      for (const auto& subject : subjects) subject->check(mapper, was_durable_);
    }
    for (const auto& subject : shared_) subject->check(mapper, was_durable_);
    expect_right_indexes(*store_);
  }

  MapperOptions options(bool combine) {
    return {.retry = {.initial_backoff = 1us, .deadline = 2s},
            .choice = below(2) == 0 ? ShardChoice::kSticky : ShardChoice::kRandom,
            .combine = combine,
            .compact_every = below(2) == 0 ? 0ms : 1ms,
            .token_lifetime = 100'000h,  // longer than the clock of the store moves
            .clock = [this] { return now_.load(); }};
  }

  /// As if no process had run for a day: buckets of windows end.
  void advance_clock_of_store() {
    try {
      const std::unique_ptr<Transaction> transaction = store_->begin();
      const std::uint64_t time = detail::StoreClock::read(*transaction).value_or(0);
      std::string record;
      detail::StoreClock::encode(record, time + std::chrono::milliseconds(24h).count());
      transaction->put(detail::store_clock_key(), record);
      transaction->commit();
    } catch (const Error&) {  // power is lost
    }
  }

  void work() {
    trace_.clear();
    disk_.plan(Fault::kPowerOff, 1 + below(std::size_t{2} << below(10)));
    if (below(4) == 0) {
      disk_.plan(std::array{Fault::kSyncFails, Fault::kChangeFails, Fault::kDiskFills}.at(below(3)),
                 1 + below(std::size_t{2} << below(8)));
    }
    {
      if (below(2) == 0) advance_clock_of_store();
      Mapper mapper(*store_, options(below(2) == 0));
      Mapper alone(*store_, options(false));
      MapperOptions buffered = options(true);
      buffered.durability = durability::buffered{std::chrono::milliseconds(below(3))};
      const std::size_t threads = below(2) == 0 ? 1 : kThreads;
      std::vector<std::jthread> running;
      for (std::size_t thread = 0; thread < threads; ++thread) {
        running.emplace_back([&, thread, seed = generator_()] {
          Mapper buffering(*store_, buffered);
          Mapper buffering_windows(*store_, buffered);
          Worker worker{
              mapper, alone, buffering, buffering_windows, now_, totals_.calls, std::mt19937_64(seed)};
          for (std::size_t i = 0; i < kMostActs / threads && !disk_.is_off(); ++i) {
            const std::size_t which = worker.below(own_[thread].size() + shared_.size());
            const std::size_t own = own_[thread].size();
            (which < own ? own_[thread][which] : shared_[which - own])->act(worker);
          }
        });
      }
      running.clear();
      if (below(2) == 0) disk_.power_off();
    }
    if (below(2) == 0) disk_.power_off();
  }

  const std::uint64_t seed_;
  const Deceit deceit_;
  Totals& totals_;
  std::mt19937_64 generator_;
  Disk disk_;
  std::atomic<std::chrono::system_clock::time_point> now_{std::chrono::system_clock::time_point(1'000'000s)};
  std::vector<std::vector<std::unique_ptr<Subject>>> own_;  // by the thread
  std::vector<std::unique_ptr<Subject>> shared_ = shared_subjects();
  std::unique_ptr<rocksdb::Env> env_;
  std::unique_ptr<RocksDbStore> store_;
  bool is_durable_ = true, was_durable_ = true;  // what is acknowledged now, and before the last opening
  std::uint64_t losses_ = 0;
  std::string trace_;  // what went wrong since the store was checked last
};

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* given = std::getenv(variable);
  return given ? std::stoull(given) : otherwise;
}

std::uint64_t seed() {
  static const std::uint64_t seed = number_from("AUTOSHARD_TEST_SEED", std::random_device()());
  std::cout << "AUTOSHARD_TEST_SEED=" << seed << '\n';
  return seed;
}

TEST(PowerLoss, NothingAcknowledgedIsLostOrCountedTwice) {
  const std::uint64_t losses = number_from("AUTOSHARD_POWER_LOSSES", 2000);
  Totals totals;
  std::uint64_t next = seed();
  while (totals.losses < losses) {
    const std::string failure = History(next++, {}, totals).run();
    ASSERT_EQ(failure, "");
  }
  std::cout << totals.losses << " losses of power, " << totals.while_opening << " of them while opening, "
            << totals.operations << " operations on files, " << totals.calls.done << " calls done, "
            << totals.calls.refused << " refused, " << totals.calls.unknown << " with an unknown outcome\n";
}

class PowerLossWithDeceit : public ::testing::TestWithParam<Deceit> {};

TEST_P(PowerLossWithDeceit, IsFound) {
  Totals totals;
  std::string failure;
  for (std::uint64_t next = seed(); failure.empty(); ++next) {
    ASSERT_LT(totals.losses, 2000U) << "the deceit was not found";
    failure = History(next, GetParam(), totals).run();
  }
  std::cout << "found at loss of power " << totals.losses << ":\n" << failure << '\n';
}

INSTANTIATE_TEST_SUITE_P(Deceits, PowerLossWithDeceit,
                         ::testing::Values(Deceit{"DiskDoesNotSync", Lie::kSyncDoesNothing},
                                           Deceit{"DiskDoesNotSyncLogs", Lie::kSyncOfLogsDoesNothing},
                                           Deceit{"DiskSyncsLogsLate", Lie::kSyncOfLogsIsLate},
                                           Deceit{"DiskLosesASectorOfALog", Lie::kSyncOfLogsLacksASector},
                                           Deceit{"DiskDoesNotSyncFolders", Lie::kFolderSyncDoesNothing},
                                           Deceit{"StoreDoesNotSync", Lie::kNone, true}),
                         [](const auto& deceit) { return deceit.param.name; });

}  // namespace
}  // namespace autoshard::test
