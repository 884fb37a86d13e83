#pragma once

#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace autoshard {

struct RocksDbOptions {
  /// A commit is acknowledged once it is on disk. Without, a crash of the machine (not of the process) may
  /// take the last commits with it.
  bool sync = true;

  /// Writes are refused with `StoreUnavailable` while the file system has less free space than this plus what
  /// is still to be written of records already accepted plus twice the write itself: once for the log and
  /// once for the file that it ends up in. RocksDB must not meet a full disk: it may end the process.
  std::uint64_t minimum_free_bytes = std::uint64_t{256} << 20;

  /// Records are collected in memory up to this size before they go to a sorted file; RocksDB keeps up to two
  /// such.
  std::size_t write_buffer_bytes = std::size_t{64} << 20;

  /// Memory for blocks of sorted files that were read.
  std::size_t block_cache_bytes = std::size_t{64} << 20;

  /// Memory for the newest values of the records that transactions use most, about.
  std::size_t newest_values_bytes = std::size_t{16} << 20;

  /// Bytes of keys and values that one commit writes, at most; more are `CommitTooLarge`. RocksDB holds a
  /// commit in memory several times, and takes no value of 4 GiB.
  std::size_t largest_commit = std::size_t{1} << 30;
};

class RocksDbDatabase;  // internal

#ifdef AUTOSHARD_HAS_ROCKSDB

/// A folder with a RocksDB database in it. One process at a time has it open. Keys have up to 8 MiB.
///
/// A commit whose record could not be written to the log, or not be synced, has an unknown outcome
/// (`OutcomeUnknown`): the record may be in the log, and takes effect then when the store is opened again.
/// Until then nothing could tell, so the store refuses all new reads and commits with `StoreUnavailable`;
/// open snapshots and cursors go on. After the store object is destroyed and another one opened, what is
/// loaded is what stays.
class RocksDbStore final : public Store {
 public:
  using Options = RocksDbOptions;

  /// Opens the database, or makes it, and its folder, if there is none; the parent folder must exist, and be
  /// readable then.
  /// Throws `StoreUnavailable` where another store object has it open, where the path is no folder that can
  /// be written or holds something else than an AutoShard store; `CorruptRecord` where it is damaged;
  /// `SchemaMismatch` where a newer format wrote it. Nothing in the folder has changed then.
  ///
  /// What a loss of power leaves is no damage: of a store written with `sync`, a last commit that is cut
  /// short or lacks pages, and that was therefore not acknowledged; it is dropped. Of one written without,
  /// whatever `sync` is now, anything: all commits from the first one on that is not whole are dropped.
  /// The last edits of RocksDB's MANIFEST may lack sectors, too, if all files are there without them.
  explicit RocksDbStore(const std::filesystem::path& folder, const Options& options = {});

  /// For the runtime's own tests: a store on a database that is open already.
  explicit RocksDbStore(std::unique_ptr<RocksDbDatabase> database);

  /// Closes the database. No transaction, snapshot or cursor of it may be left.
  ~RocksDbStore() override;

  StoreTraits traits() const override;
  std::unique_ptr<Transaction> begin() override;
  std::unique_ptr<Snapshot> snapshot() override;
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end) override;
  void reclaim(std::string_view begin, std::string_view end) override;

 private:
  std::unique_ptr<RocksDbDatabase> database_;
};

#else

inline namespace without_rocksdb {

/// What the name means in a program that does not link the component: a constructor that does not compile.
class RocksDbStore {
 public:
  using Options = RocksDbOptions;

  template <bool kIsLinked = false>
  explicit RocksDbStore(const std::filesystem::path&, const Options& = {}) {
    static_assert(
        kIsLinked,
        "RocksDbStore is in the component rocksdb: link AutoShard::rocksdb, or compile with "
        "-DAUTOSHARD_HAS_ROCKSDB and link libautoshard_rocksdb; where there is none, build AutoShard with "
        "-DAUTOSHARD_ROCKSDB=ON");
  }
  operator Store&() const;  // NOLINT(google-explicit-constructor): no second error
};

}  // namespace without_rocksdb

#endif

}  // namespace autoshard
