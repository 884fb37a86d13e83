#pragma once

#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace autoshard {

struct RocksDbOptions {
  /// A commit is acknowledged once it is on disk. If false, a crash of the machine (not of the process) may
  /// lose the last commits.
  bool sync = true;

  /// The store refuses writes with `StoreUnavailable` if the free space of the file system is too small. It
  /// needs this number of bytes, the accepted records that are still to be written, and twice the write
  /// itself: once for the log and once for its final file. RocksDB must not meet a full disk: it may end the
  /// process.
  std::uint64_t minimum_free_bytes = std::uint64_t{256} << 20;

  /// Records are collected in memory up to this size and then written to a sorted file. RocksDB keeps up to
  /// two such buffers.
  std::size_t write_buffer_bytes = std::size_t{64} << 20;

  /// Memory for blocks of sorted files that were read.
  std::size_t block_cache_bytes = std::size_t{64} << 20;

  /// Approximate memory for the newest values of the records that transactions use most.
  std::size_t newest_values_bytes = std::size_t{16} << 20;

  /// The largest number of bytes of keys and values in one commit; a larger one is `CommitTooLarge`. RocksDB
  /// holds a commit in memory several times, and takes no value of 4 GiB.
  std::size_t largest_commit = std::size_t{1} << 30;
};

#ifdef AUTOSHARD_HAS_ROCKSDB

class RocksDbStore;
namespace rocksdb_store {  // internal
class Database;
std::unique_ptr<RocksDbStore> make_store(std::unique_ptr<Database> database);
Database& database_of(RocksDbStore& store);
}  // namespace rocksdb_store

/// A folder with a RocksDB database. One process at a time has it open. Keys have up to 8 MiB.
///
/// If a commit could not be written to the log or synced, its outcome is unknown (`OutcomeUnknown`): the
/// record may be in the log, and then takes effect when the store is opened again. Until then the outcome
/// cannot be known, so the store refuses all new reads and commits with `StoreUnavailable`; open snapshots
/// and cursors continue. After the store object is destroyed and another one opened, loads show the final
/// state.
///
/// A thread of the store compacts the places where scans pass many removed records.
class RocksDbStore final : public Store {
 public:
  using Options = RocksDbOptions;

  /// Opens the database. Creates the database and its folder if there is none; the parent folder must exist
  /// and be readable then. Throws `StoreUnavailable` if another store object has the database open, or if the
  /// path is not a writable folder, or if the folder holds something else than an AutoShard store. Throws
  /// `CorruptRecord` if the database is damaged, and `SchemaMismatch` if a newer format wrote it. Nothing in
  /// the folder has changed in these cases.
  ///
  /// The state after a power loss is not damage. If the store was written with `sync`, the last commit may be
  /// cut short or lack pages; it was not acknowledged, and is dropped. If the store was written without
  /// `sync`, whatever `sync` is now, all commits from the first incomplete one on are dropped. The last edits
  /// of RocksDB's MANIFEST may lack sectors too, if all files are there without those edits.
  explicit RocksDbStore(const std::filesystem::path& folder, const Options& options = {});

  /// Closes the database. All transactions, snapshots and cursors of the store must be destroyed before.
  ~RocksDbStore() override;

  StoreTraits traits() const override;
  std::unique_ptr<Transaction> begin() override;
  std::unique_ptr<Snapshot> snapshot() override;
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end) override;

 private:
  friend std::unique_ptr<RocksDbStore> rocksdb_store::make_store(std::unique_ptr<rocksdb_store::Database>);
  friend rocksdb_store::Database& rocksdb_store::database_of(RocksDbStore&);
  explicit RocksDbStore(std::unique_ptr<rocksdb_store::Database> database);

  std::unique_ptr<rocksdb_store::Database> database_;
};

#else

inline namespace without_rocksdb {

/// Stands in for the class in a source that is compiled without the component: any use that needs the
/// definition does not compile.
template <bool kIsLinked = false>
class RocksDbStoreWithoutComponent {
  static_assert(kIsLinked,
                "RocksDbStore is in the component rocksdb: link AutoShard::rocksdb, or compile with "
                "-DAUTOSHARD_HAS_ROCKSDB and link libautoshard_rocksdb; if the component is missing, build "
                "AutoShard with "
                "-DAUTOSHARD_ROCKSDB=ON");

 public:
  using Options = RocksDbOptions;

  explicit RocksDbStoreWithoutComponent(const std::filesystem::path&, const Options& = {});
  operator Store&() const;  // NOLINT(google-explicit-constructor): no second error
};

using RocksDbStore = RocksDbStoreWithoutComponent<>;

}  // namespace without_rocksdb

#endif

}  // namespace autoshard
