// A store that loses power at each operation of a file system in turn.

#include <autoshard/errors.h>
#include <autoshard/rocksdb_store.h>
#include <gtest/gtest.h>
#include <rocksdb/env.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "database.h"
#include "power_loss_disk.h"
#include "power_loss_file_system.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

constexpr std::uint64_t kSeeds = 8;

/// A store with its environment.
class StoreOnDisk {
 public:
  explicit StoreOnDisk(Disk& disk, bool sync = true)
      : env_(env_on(disk, sync)),
        store_(rocksdb_store::make_store(std::make_unique<rocksdb_store::Database>(
            "/store", RocksDbOptions{.sync = sync, .minimum_free_bytes = 0, .write_buffer_bytes = 64 << 10},
            *env_))) {}

  /// False if it is not certain to be there.
  bool put(const std::string& key, const std::string& value) {
    const auto transaction = store_->begin();
    transaction->put(key, value);
    return transaction->commit() == CommitOutcome::kCommitted;
  }
  std::size_t size() { return records(*store_).size(); }
  RocksDbStore& store() { return *store_; }

 private:
  const std::unique_ptr<rocksdb::Env> env_;
  const std::unique_ptr<RocksDbStore> store_;
};

TEST(StorePowerLoss, ANewStoreIsThereOnceItHasAcknowledgedACommit) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Disk disk(seed);
    ASSERT_TRUE(StoreOnDisk(disk).put("key", "value"));
    disk.lose_power();
    EXPECT_EQ(StoreOnDisk(disk).size(), 1U);
  }
}

/// Loses the power at the sync of a last commit, and then at each operation of the next two openings, one
/// after the other, until there is one that ends before its operation.
TEST(StorePowerLoss, TheRecoveryOfALastCommitThatIsTornMayBeCutShortAnywhere) {
  int torn = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    bool ended = false;
    for (std::uint64_t operation = 1; !ended; ++operation) {
      SCOPED_TRACE(std::to_string(seed) + " " + std::to_string(operation));
      Disk disk(seed);
      {
        StoreOnDisk store(disk);
        for (int i = 0; i < 3; ++i) ASSERT_TRUE(store.put(std::to_string(i), "value"));
        disk.plan(Fault::kPowerOff, 2);
        ASSERT_FALSE(store.put("last", std::string(6000, 'x')));
      }
      disk.lose_power();
      for (int recovery = 0; recovery < 2; ++recovery) {
        disk.plan(Fault::kPowerOff, operation);
        try {
          const StoreOnDisk store(disk);
          ended = !disk.is_off();
        } catch (const StoreUnavailable&) {
          ASSERT_TRUE(disk.is_off());
        }
        disk.lose_power();
      }
      StoreOnDisk store(disk);
      ASSERT_GE(store.size(), 3U);
      torn += store.size() == 3 ? 1 : 0;
      ASSERT_TRUE(store.put("behind", "value"));
    }
  }
  EXPECT_GT(torn, 0);
}

/// The log of the first one may be there again, for its removal was not synced.
TEST(StorePowerLoss, TheFirstCommitAfterARecoveryMayBeTornToo) {
  for (std::uint64_t seed = 0; seed < 16 * kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Disk disk(seed);
    ASSERT_TRUE(StoreOnDisk(disk).put("first", "value"));
    for (int loss = 0; loss < 2; ++loss) {
      {
        StoreOnDisk store(disk);
        disk.plan(Fault::kPowerOff, 2 + seed % 2);  // the sync of the log, with or without zeros ahead
        store.put("last", std::string(6000, 'x'));
        ASSERT_TRUE(disk.is_off());
      }
      disk.lose_power();
    }
    EXPECT_NO_THROW(EXPECT_GE(StoreOnDisk(disk).size(), 1U));
  }
}

std::uint64_t size_of_newest_log(const Disk& disk) {
  std::vector<std::string> names;
  disk.list("/store", names);
  std::string newest;
  for (const std::string& name : names) {
    if (name.ends_with(".log")) newest = std::max(newest, name);
  }
  Disk::Handle log;
  disk.open("/store/" + newest, log);
  return disk.size(log);
}

std::string key(std::uint64_t number) { return std::to_string(100'000 + number); }

/// Each record of the log fills a sector, so that the reader of a log cannot tell by the others that one is
/// lost.
TEST(StorePowerLoss, WithoutSyncNoCommitOutlivesOneBeforeIt) {
  constexpr std::size_t kAround =
      7 + 12 + 2 + 6 + 2;  // the value: headers, the key with its tag, and lengths
  std::size_t lost = 0;
  for (std::uint64_t seed = 0; seed < 8 * kSeeds; ++seed) {
    SCOPED_TRACE(seed);
    Disk disk(seed);
    std::mt19937_64 generator(seed);
    const std::size_t commits = 1 + below(generator, 400);
    {
      StoreOnDisk store(disk, false);
      const std::size_t first = 2 * Disk::kSector - size_of_newest_log(disk) % Disk::kSector - kAround;
      for (std::uint64_t i = 0; i < commits; ++i)
        ASSERT_TRUE(store.put(key(i), std::string(i == 0 ? first : Disk::kSector - kAround, 'x')));
      disk.power_off();
    }
    disk.lose_power();
    StoreOnDisk store(disk, below(generator, 2) == 0);
    const auto there = records(store.store());
    for (std::uint64_t i = 0; i < there.size(); ++i) ASSERT_EQ(there[i].first, key(i));
    lost += commits - there.size();
  }
  EXPECT_GT(lost, 0U);
}

}  // namespace
}  // namespace autoshard::test
