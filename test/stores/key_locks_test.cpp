// What transactions on RocksDB are validated with. RocksDB itself is not compiled with the tests, so that
// this is also what ThreadSanitizer can see of them.

#include "key_locks.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "accesses.h"

namespace autoshard {
namespace {

using rocksdb_store::Accesses;
using rocksdb_store::KeyLocks;

TEST(KeyLocks, SharesWhatIsOnlyRead) {
  KeyLocks locks;
  const KeyLocks::Watch one = locks.watch("key"), other = locks.watch("key");
  EXPECT_TRUE(locks.lock_shared(one.key, one.version));
  EXPECT_TRUE(locks.lock_shared(other.key, other.version));
  locks.unlock_shared(one.key);
  locks.unlock_shared(other.key);
  locks.unwatch(one.key);
  locks.unwatch(other.key);
}

/// As many as fit into the memory, and not much less.
TEST(KeyLocks, RemembersTheNewestValuesInItsMemory) {
  constexpr std::size_t kMemory = std::size_t{1} << 20;
  constexpr int kKeys = 4'096;
  KeyLocks locks(kMemory);
  const std::string value(1'000, 'v');
  for (int i = 0; i < kKeys; ++i) {
    const KeyLocks::Watch watch = locks.watch(std::to_string(i));
    locks.remember(watch.key, watch.version, &value);
    locks.unwatch(watch.key);
  }
  std::size_t remembered = 0;
  for (int i = kKeys; i-- > 0;) {  // the newest first: none of them makes room
    std::string found;
    const KeyLocks::Watch watch = locks.watch(std::to_string(i), &found);
    if (watch.known) remembered += found.size();
    locks.unwatch(watch.key);
  }
  EXPECT_LE(remembered, kMemory);
  EXPECT_GE(remembered, kMemory / 2);
}

TEST(KeyLocks, NoticesWhatWasWritten) {
  KeyLocks locks;
  const KeyLocks::Watch reader = locks.watch("key"), elsewhere = locks.watch("kex"),
                        writer = locks.watch("key");
  ASSERT_TRUE(locks.lock(writer.key, writer.version));
  locks.announce_write(writer.key);
  EXPECT_FALSE(locks.lock_shared(reader.key, reader.version)) << "about to be written";
  EXPECT_FALSE(locks.lock(reader.key, reader.version));
  EXPECT_TRUE(locks.lock_shared(elsewhere.key, elsewhere.version));
  locks.unlock_shared(elsewhere.key);
  locks.unlock(writer.key, true);
  EXPECT_FALSE(locks.lock_shared(reader.key, reader.version));
  EXPECT_FALSE(locks.lock(reader.key, reader.version));
  EXPECT_TRUE(locks.lock(reader.key, std::nullopt)) << "blindly";
  locks.unlock(reader.key, true);
  for (const KeyLocks::Watch& watch : {reader, elsewhere, writer}) locks.unwatch(watch.key);
}

TEST(KeyLocks, DoesNotMindWhatWasNotWrittenInTheEnd) {
  KeyLocks locks;
  const KeyLocks::Watch reader = locks.watch("key"), writer = locks.watch("key");
  ASSERT_TRUE(locks.lock(writer.key, writer.version));
  locks.unlock(writer.key, false);
  EXPECT_TRUE(locks.lock_shared(reader.key, reader.version));
  locks.unlock_shared(reader.key);
  locks.unwatch(reader.key);
  locks.unwatch(writer.key);
}

/// Locks a key in a thread of its own.
class Locking {
 public:
  Locking(KeyLocks& locks, const KeyLocks::Watch& watch, bool write)
      : locks_(locks), watch_(watch), write_(write), thread_([this] {
          const bool locked = write_ ? locks_.lock(watch_.key, watch_.version)
                                     : locks_.lock_shared(watch_.key, watch_.version);
          state_ = locked ? kLocked : kRefused;
        }) {}
  ~Locking() {
    if (thread_.joinable()) thread_.join();
  }

  /// Whether it has to wait, being one of so many.
  bool waits(std::size_t waiting = 1) {
    while (state_ == kBusy && locks_.waiting(watch_.key) < waiting) std::this_thread::yield();
    return state_ == kBusy;
  }
  /// Whether it got the lock in the end.
  bool locked() {
    thread_.join();
    return state_ == kLocked;
  }

 private:
  enum State { kBusy, kLocked, kRefused };

  KeyLocks& locks_;
  const KeyLocks::Watch watch_;
  const bool write_;
  std::atomic<State> state_{kBusy};
  std::thread thread_;
};

// Whether a writer that has only locked the key will write is not known yet: no conflict.
TEST(KeyLocks, WaitsForAWriterThatMayYetWriteNothing) {
  for (const bool also_write : {false, true}) {
    KeyLocks locks;
    const KeyLocks::Watch waiting = locks.watch("key"), writer = locks.watch("key");
    ASSERT_TRUE(locks.lock(writer.key, writer.version));
    Locking other(locks, waiting, also_write);
    EXPECT_TRUE(other.waits());
    locks.unlock(writer.key, false);
    EXPECT_TRUE(other.locked());
    also_write ? locks.unlock(waiting.key, false) : locks.unlock_shared(waiting.key);
    locks.unwatch(waiting.key);
    locks.unwatch(writer.key);
  }
}

// Readers that keep coming would never let a writer in: those who come after it wait for it.
TEST(KeyLocks, LetsAWriterThatWaitsGoFirst) {
  for (const bool written : {false, true}) {
    KeyLocks locks;
    const KeyLocks::Watch first = locks.watch("key"), writer = locks.watch("key"),
                          second = locks.watch("key");
    ASSERT_TRUE(locks.lock_shared(first.key, first.version));
    Locking writing(locks, writer, true);
    EXPECT_TRUE(writing.waits(1));
    Locking reading(locks, second, false);
    const bool waited = reading.waits(2);
    EXPECT_TRUE(waited) << "although the key is only read at the moment";
    if (!waited) locks.unlock_shared(second.key);
    locks.unlock_shared(first.key);
    ASSERT_TRUE(writing.locked());
    locks.unlock(writer.key, written);
    const bool read = reading.locked();
    EXPECT_EQ(read, !written) << "a writer that merely waits is no conflict";
    if (read && waited) locks.unlock_shared(second.key);
    for (const KeyLocks::Watch& watch : {first, writer, second}) locks.unwatch(watch.key);
  }
}

// The writer in front of them turns out to be outdated itself.
TEST(KeyLocks, ReadersGoOnWhenTheWriterThatTheyWaitForIsRefused) {
  KeyLocks locks;
  const KeyLocks::Watch first = locks.watch("key"), outdated = locks.watch("key");
  ASSERT_TRUE(locks.lock(first.key, first.version));
  Locking writing(locks, outdated, true);
  EXPECT_TRUE(writing.waits());
  locks.unlock(first.key, true);
  EXPECT_FALSE(writing.locked());
  const KeyLocks::Watch later = locks.watch("key");
  EXPECT_TRUE(locks.lock_shared(later.key, later.version));
  locks.unlock_shared(later.key);
  for (const KeyLocks::Watch& watch : {first, outdated, later}) locks.unwatch(watch.key);
}

constexpr std::size_t kMemory = 1 << 20;

class Remembering : public ::testing::Test {
 protected:
  /// What is remembered of a key; "?" if nothing is, "-" if that there is no record.
  std::string recall(const std::string& name) {
    const KeyLocks::Watch watch = locks_.watch(name);
    std::string value;
    const std::optional<bool> known = locks_.recall(watch.key, value);
    locks_.unwatch(watch.key);
    return !known ? "?" : *known ? value : "-";
  }
  void remember(const std::string& name, const std::string* value) {
    const KeyLocks::Watch watch = locks_.watch(name);
    locks_.remember(watch.key, watch.version, value);
    locks_.unwatch(watch.key);
  }
  KeyLocks::Watch begin_write(const std::string& name) {
    const KeyLocks::Watch writer = locks_.watch(name);
    EXPECT_TRUE(locks_.lock(writer.key, std::nullopt));
    locks_.announce_write(writer.key);
    return writer;
  }

  const std::string one_ = "one", other_ = "other";
  KeyLocks locks_{kMemory};
};

TEST_F(Remembering, WhatWasReadAndThatThereWasNothing) {
  EXPECT_EQ(recall("key"), "?");
  remember("key", &one_);
  remember("kex", nullptr);
  EXPECT_EQ(recall("key"), one_);
  EXPECT_EQ(recall("kex"), "-");
  EXPECT_EQ(recall("kez"), "?");
}

TEST_F(Remembering, WhatWasWritten) {
  remember("key", &one_);
  const KeyLocks::Watch writer = begin_write("key");
  EXPECT_EQ(recall("key"), "?") << "others may see the new one in the database already";
  locks_.unlock_written(writer.key, &other_);
  EXPECT_EQ(recall("key"), other_);
  locks_.unwatch(writer.key);
  EXPECT_EQ(recall("key"), other_);
  const KeyLocks::Watch eraser = begin_write("key");
  locks_.unlock_written(eraser.key, nullptr);
  locks_.unwatch(eraser.key);
  EXPECT_EQ(recall("key"), "-");
}

TEST_F(Remembering, NothingOfAWriteWithAnUnknownOutcome) {
  remember("key", &one_);
  const KeyLocks::Watch writer = begin_write("key");
  locks_.unlock(writer.key, true);
  locks_.unwatch(writer.key);
  EXPECT_EQ(recall("key"), "?");
}

TEST_F(Remembering, StillWhatWasThereWhereNothingWasWritten) {
  remember("key", &one_);
  const KeyLocks::Watch writer = begin_write("key");
  locks_.unlock(writer.key, false);
  locks_.unwatch(writer.key);
  EXPECT_EQ(recall("key"), one_);
}

// It read the database before, and comes to tell after, or in the midst of it.
TEST_F(Remembering, NothingThatWasReadBeforeAWrite) {
  const KeyLocks::Watch reader = locks_.watch("key"), writer = begin_write("key");
  locks_.remember(reader.key, reader.version, &one_);
  EXPECT_EQ(recall("key"), "?");
  locks_.unlock(writer.key, true);
  locks_.remember(reader.key, reader.version, &one_);
  EXPECT_EQ(recall("key"), "?");
  for (const KeyLocks::Watch& watch : {reader, writer}) locks_.unwatch(watch.key);
}

TEST_F(Remembering, WithinItsMemoryWhatWasUsedLast) {
  const std::string value(1000, 'x');
  remember("first", &value);
  remember("used", &value);
  for (int i = 0; i < 5000; ++i) {
    remember(std::to_string(i), &value);
    EXPECT_EQ(recall("used"), value);
  }
  EXPECT_EQ(recall("first"), "?");
  int remembered = 0;
  for (int i = 0; i < 5000; ++i) remembered += recall(std::to_string(i)) != "?";
  EXPECT_LT(remembered, 1000);
  EXPECT_GT(remembered, 500);
}

TEST_F(Remembering, NoValueThatTakesTooMuchOfIt) {
  const std::string large(kMemory / 64, 'x');
  remember("key", &one_);
  const KeyLocks::Watch writer = begin_write("key");
  locks_.unlock_written(writer.key, &large);
  locks_.unwatch(writer.key);
  EXPECT_EQ(recall("key"), "?");
}

// Moves between accounts, with a balance read in each that must not change meanwhile.
TEST(KeyLocks, SerialisesThreads) {
  constexpr std::size_t kAccounts = 4;
  KeyLocks locks(kMemory);
  std::array<std::atomic<int>, kAccounts> balances{};  // the database
  int unprotected = 0;                                 // written under the lock of the first account only
  std::atomic<int> moved{0};
  const auto move = [&](std::size_t own) {
    for (int i = 0; i < 2000; ++i) {
      std::array<KeyLocks::Watch, kAccounts> watches;
      std::array<int, kAccounts> seen;
      for (std::size_t account = 0; account < kAccounts; ++account) {
        const KeyLocks::Watch watch = locks.watch(std::string(1, static_cast<char>('a' + account)));
        watches[account] = watch;
        std::string value;
        if (locks.recall(watch.key, value)) {
          seen[account] = std::stoi(value);
        } else {
          seen[account] = balances[account];
          value = std::to_string(seen[account]);
          locks.remember(watch.key, watch.version, &value);
        }
      }
      const auto written = [&](std::size_t account) { return account == 0 || account == own; };
      std::size_t locked = 0;
      for (; locked < kAccounts; ++locked) {
        const KeyLocks::Watch& watch = watches[locked];
        if (!(written(locked) ? locks.lock(watch.key, watch.version)
                              : locks.lock_shared(watch.key, watch.version)))
          break;
      }
      const bool committed = locked == kAccounts;
      if (committed) {
        for (const std::size_t account : {std::size_t{0}, own}) locks.announce_write(watches[account].key);
        for (std::size_t account = 0; account < kAccounts; ++account)
          EXPECT_EQ(balances[account], seen[account]);
        balances[0] = seen[0] - 1;
        balances[own] = seen[own] + 1;
        ++unprotected;
        ++moved;
      }
      for (std::size_t account = 0; account < locked; ++account) {
        KeyLocks::Key* key = watches[account].key;
        const std::string value = std::to_string(balances[account]);
        if (!written(account)) {
          locks.unlock_shared(key);
        } else if (committed) {
          locks.unlock_written(key, &value);
        } else {
          locks.unlock(key, false);
        }
      }
      for (const KeyLocks::Watch& watch : watches) locks.unwatch(watch.key);
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t own = 1; own < kAccounts; ++own) threads.emplace_back(move, own);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(balances[0] + balances[1] + balances[2] + balances[3], 0);
  EXPECT_EQ(balances[0], -moved);
  EXPECT_EQ(unprotected, moved);
}

TEST(Accesses, TellKeysApartWhoseHashesAreEqual) {
  constexpr std::size_t kHash = 7;
  KeyLocks locks;
  Accesses accesses;
  const KeyLocks::Watch one = locks.watch("one", kHash, nullptr),
                        other = locks.watch("other", kHash, nullptr);
  for (const KeyLocks::Watch& watch : {one, other}) {
    accesses.reserve();
    accesses.add(watch.key, kHash, watch.version);
  }
  ASSERT_NE(accesses.find("one", kHash), nullptr);
  ASSERT_NE(accesses.find("other", kHash), nullptr);
  EXPECT_EQ(accesses.find("one", kHash)->key, one.key);
  EXPECT_EQ(accesses.find("other", kHash)->key, other.key);
  EXPECT_EQ(accesses.find("third", kHash), nullptr);
  locks.unwatch(one.key);
  locks.unwatch(other.key);
}

}  // namespace
}  // namespace autoshard
