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

/// Tells optimistic transactions of one process whether a key they read has been written since, and keeps
/// those that are being committed off each other. Exact: keys that merely hash alike do not conflict.
/// Remembers the newest values of the keys that are used most, so that they need not be looked up in the
/// database; that takes every write to be announced here. Thread-safe.
///
/// RocksDB's OptimisticTransactionDB is not used, because it holds a mutex for every key that a transaction
/// read until its write is on disk. Every update of a shard reads the main record, so that updates of one
/// entity would wait for each other's fsync, however many shards there are: with 64 threads 4 k a second
/// instead of 27 k. Here those that only read a key share it, and RocksDB writes them out together.
class KeyLocks {
  struct Partition;
  enum class Known : std::uint8_t { kNothing, kAbsence, kValue };

 public:
  /// `memory_bytes`: about how much to spend on keys that no transaction has to do with at the moment.
  explicit KeyLocks(std::size_t memory_bytes = 0) : partition_bytes_(memory_bytes / kPartitions) {}
  KeyLocks(const KeyLocks&) = delete;
  KeyLocks& operator=(const KeyLocks&) = delete;

  static std::size_t hash(std::string_view name) { return std::hash<std::string_view>()(name); }

  /// A key that some transaction has to do with, or whose value is remembered.
  class Key {
   public:
    std::string_view name() const { return *name_; }

   private:
    friend class KeyLocks;
    Partition* partition_ = nullptr;
    const std::string* name_ = nullptr;
    std::size_t watchers_ AUTOSHARD_GUARDED_BY(partition_->mutex) = 0;
    std::size_t readers_ AUTOSHARD_GUARDED_BY(partition_->mutex) = 0;  // that are committing
    bool writer_ AUTOSHARD_GUARDED_BY(partition_->mutex) = false;      // that is committing
    bool writing_ AUTOSHARD_GUARDED_BY(partition_->mutex) =
        false;  // it has announced that nothing keeps it from writing
    std::size_t waiting_writers_ AUTOSHARD_GUARDED_BY(partition_->mutex) = 0;
    std::size_t waiting_readers_ AUTOSHARD_GUARDED_BY(partition_->mutex) = 0;
    std::uint64_t version_ AUTOSHARD_GUARDED_BY(partition_->mutex) =
        0;  // counts the commits that wrote it, while it is watched
    Known known_ AUTOSHARD_GUARDED_BY(partition_->mutex) = Known::kNothing;
    std::string value_ AUTOSHARD_GUARDED_BY(partition_->mutex);  // the newest, if known
    std::list<Key*> place_ AUTOSHARD_GUARDED_BY(
        partition_->mutex);  // this, while somebody watches it; else among the idle ones, at `idle_`
    std::list<Key*>::iterator idle_ AUTOSHARD_GUARDED_BY(partition_->mutex);
  };

  struct Watch {
    Key* key;
    std::uint64_t version;
    std::optional<bool> known;  // as `recall` answers
  };

  /// Begins to watch a key: whoever writes it from now on makes its version another. To be ended by
  /// `unwatch`. `value`, if not null: where to recall what is known of it.
  Watch watch(std::string_view name, std::string* value = nullptr) { return watch(name, hash(name), value); }
  /// `hash` is that of the name.
  Watch watch(std::string_view name, std::size_t hash, std::string* value);
  void unwatch(Key* key);

  /// What a read of the key, which is watched, would give now, if that is known: whether there is a record,
  /// and its value.
  std::optional<bool> recall(Key* key, std::string& value);
  /// Remembers what a read of the key gave (null: there is no record), unless it was written since the watch
  /// began that has this version.
  void remember(Key* key, std::uint64_t version, const std::string* value);

  /// For a commit that has only read the key. Waits for a writer that is committing, or waits to, as long as
  /// it may end without having written. False if the key has another version, or is about to.
  bool lock_shared(Key* key, std::uint64_t version);
  void unlock_shared(Key* key);

  /// For a commit that writes the key; waits for others that are committing. `version` as above, if it was
  /// read too. A transaction must lock its keys in the order of their addresses, so that none waits for each
  /// other.
  bool lock(Key* key, std::optional<std::uint64_t> version);
  /// Of a key that is locked so, once the commit has all its locks: those who have read the key need not wait
  /// to learn that it changes.
  void announce_write(Key* key);
  /// `written`: or perhaps was.
  void unlock(Key* key, bool written);
  /// Of one that was written; what it holds now (null: there is no record).
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
    /// Keys that nobody watches, the one that was used last in front.
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
  /// Tells Clang what it cannot know: that this is the key's partition, whose mutex is held.
  static void note_held(const Key& key) AUTOSHARD_THREAD_SAFETY(assert_capability(key.partition_->mutex)) {
    static_cast<void>(key);
  }

  const std::size_t partition_bytes_;
  std::array<Partition, kPartitions> partitions_;
};

}  // namespace autoshard::rocksdb_store
