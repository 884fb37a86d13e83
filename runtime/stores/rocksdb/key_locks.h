#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "mutex.h"

namespace autoshard::rocksdb_store {

/// Locks and versions of keys, for the optimistic transactions of one process. A transaction learns whether a
/// key that it has read was written since. Commits that write a key wait for other commits of the key. Keys
/// that have the same hash do not conflict.
///
/// Remembers the newest values of the keys that are used most, which saves reads of the database. Therefore
/// each write must lock its key here. Thread-safe.
///
/// RocksDB's OptimisticTransactionDB is not used, because it holds a mutex for every key that a transaction
/// has read until its write is on disk. Every update of a shard reads the main record, so that updates of one
/// entity would wait for each other's fsync, however many shards there are: with 64 threads, 4,000 updates a
/// second instead of 27,000. Here, commits that only read a key share its lock, and RocksDB writes them
/// together.
class KeyLocks {
  struct Partition;
  enum class Known : std::uint8_t { kNothing, kAbsence, kValue };

 public:
  /// `memory_bytes`: about how much memory to use for keys that no transaction watches.
  explicit KeyLocks(std::size_t memory_bytes = 0) : partition_bytes_(memory_bytes / kPartitions) {}
  KeyLocks(const KeyLocks&) = delete;
  KeyLocks& operator=(const KeyLocks&) = delete;

  static std::size_t hash(std::string_view name) { return std::hash<std::string_view>()(name); }

  /// A key that a transaction watches, or whose value is remembered.
  class Key {
   public:
    std::string_view name() const { return *name_; }

   private:
    friend class KeyLocks;
    Partition* partition_ = nullptr;
    const std::string* name_ = nullptr;
    std::size_t watchers_ AUTOSHARD_GUARDED_BY(partition_->mutex) = 0;
    std::size_t readers_ AUTOSHARD_GUARDED_BY(partition_->mutex) = 0;  // commits that hold the shared lock
    bool writer_ AUTOSHARD_GUARDED_BY(partition_->mutex) = false;      // a commit holds the exclusive lock
    bool writing_ AUTOSHARD_GUARDED_BY(partition_->mutex) =
        false;  // that commit has all its locks, and will write
    std::size_t waiting_writers_ AUTOSHARD_GUARDED_BY(partition_->mutex) = 0;
    std::size_t waiting_readers_ AUTOSHARD_GUARDED_BY(partition_->mutex) = 0;
    std::uint64_t version_ AUTOSHARD_GUARDED_BY(partition_->mutex) =
        0;  // counts the commits that wrote the key while it was watched
    Known known_ AUTOSHARD_GUARDED_BY(partition_->mutex) = Known::kNothing;
    std::string value_ AUTOSHARD_GUARDED_BY(partition_->mutex);  // the newest value, if it is known
    /// Holds the key while it is watched. Otherwise the node is in `Partition::idle`, at `idle_`.
    std::list<Key*> place_ AUTOSHARD_GUARDED_BY(partition_->mutex);
    std::list<Key*>::iterator idle_ AUTOSHARD_GUARDED_BY(partition_->mutex);
  };

  struct Watch {
    Key* key;
    std::uint64_t version;
    std::optional<bool> known;  // the answer of `recall`
  };

  /// Begins to watch a key: each write of the key from now on changes its version. `unwatch` must follow. If
  /// `value` is not null, stores the remembered value there.
  Watch watch(std::string_view name, std::string* value = nullptr) { return watch(name, hash(name), value); }
  /// `hash` is the hash of the name.
  Watch watch(std::string_view name, std::size_t hash, std::string* value);
  void unwatch(Key* key);

  /// Returns whether there is a record of a watched key, and stores its value. Returns nothing if that is not
  /// remembered.
  std::optional<bool> recall(Key* key, std::string& value);
  /// Remembers the result of a read: a value, or null if there is no record. Does nothing if the key was
  /// written since it had this version.
  void remember(Key* key, std::uint64_t version, const std::string* value);

  /// Locks a key that the commit has only read. Waits for commits that hold the exclusive lock, or wait for
  /// it, as long as they may end without a write. Returns false if the key has another version, or is about
  /// to get one.
  bool lock_shared(Key* key, std::uint64_t version);
  void unlock_shared(Key* key);

  /// Locks a key that the commit writes. Waits for other commits of the key. `version`: the version that was
  /// read, if the key was read; returns false if the key has another version, or is about to get one. A
  /// transaction must lock its keys in the order of their addresses, which prevents deadlocks.
  bool lock(Key* key, std::optional<std::uint64_t> version);
  /// To be called for each key that `lock` has locked, once the commit has all its locks. Commits that have
  /// read the key then fail without waiting for the write.
  void announce_write(Key* key);
  /// Unlocks a key that `lock` has locked. `written`: the key was written, or may have been.
  void unlock(Key* key, bool written);
  /// Unlocks a key that was written. `value`: the new value; null if the record was removed.
  void unlock_written(Key* key, const std::string* value);

  /// How many commits wait for the key.
  std::size_t waiting(Key* key);

 private:
  static constexpr std::size_t kPartitions = 64;

  struct Name {
    std::string_view text;
    std::size_t hash;
  };
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const std::string& name) const { return hash(name); }
    std::size_t operator()(const Name& name) const { return name.hash; }
  };
  struct Equal {
    using is_transparent = void;
    bool operator()(std::string_view one, std::string_view other) const { return one == other; }
    bool operator()(std::string_view one, const Name& other) const { return one == other.text; }
    bool operator()(const Name& one, std::string_view other) const { return one.text == other; }
  };

  struct alignas(64) Partition {
    detail::Mutex mutex;
    detail::ConditionVariable unlocked;
    std::unordered_map<std::string, Key, Hash, Equal> keys AUTOSHARD_GUARDED_BY(mutex);
    /// Keys that no transaction watches, the last used one first.
    std::list<Key*> idle AUTOSHARD_GUARDED_BY(mutex);
    std::size_t idle_bytes AUTOSHARD_GUARDED_BY(mutex) = 0;
  };

  static void wake_waiting(const Key& key) AUTOSHARD_REQUIRES(key.partition_->mutex);
  static std::size_t bytes(const Key& key) AUTOSHARD_REQUIRES(key.partition_->mutex);
  static std::optional<bool> recall_locked(const Key& key, std::string& value)
      AUTOSHARD_REQUIRES(key.partition_->mutex);
  static bool is_outdated(const Key& key, std::uint64_t version) AUTOSHARD_REQUIRES(key.partition_->mutex) {
    return key.version_ != version || key.writing_;
  }
  void set_known(Key& key, const std::string* value) const noexcept AUTOSHARD_REQUIRES(key.partition_->mutex);
  void forget_oldest(Partition& partition) const AUTOSHARD_REQUIRES(partition.mutex);
  /// Tells Clang that the mutex of the partition of the key is held.
  static void note_held(const Key& key) AUTOSHARD_THREAD_SAFETY(assert_capability(key.partition_->mutex)) {
    static_cast<void>(key);
  }

  const std::size_t partition_bytes_;
  std::array<Partition, kPartitions> partitions_;
};

}  // namespace autoshard::rocksdb_store
