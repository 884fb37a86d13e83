#pragma once

#include <autoshard/rocksdb_store.h>
#include <autoshard/store.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "disk/free_space.h"
#include "disk/log_failure.h"
#include "key_locks.h"
#include "mutex.h"
#include "removals.h"

namespace autoshard::rocksdb_store {

/// The default environment of stores with these options. It is never destroyed.
rocksdb::Env& default_env(const RocksDbOptions& options);

/// The longest key, in bytes. RocksDB's authors recommend no longer keys.
inline constexpr std::size_t kLongestKey = 8 << 20;

/// The options of RocksDB that make it fast.
rocksdb::Options tuned_options(const RocksDbOptions& options);

/// Opens a RocksDB database as the constructor of `RocksDbStore` promises it. All access to files goes
/// through `env`, which must outlive the database. `listener` is told of errors.
std::unique_ptr<rocksdb::DB> open_database(const std::filesystem::path& folder, const RocksDbOptions& options,
                                           rocksdb::Env& env,
                                           std::shared_ptr<rocksdb::EventListener> listener);

/// Returns true if the database has the format of this version, and false if it is empty. Throws
/// `StoreUnavailable` or `SchemaMismatch` otherwise.
bool check_format(rocksdb::DB& db, const std::filesystem::path& folder);

/// An open database, and the state that its transactions share. Thread-safe.
class Database {
 public:
  Database(const std::filesystem::path& folder, const RocksDbOptions& options)
      : Database(folder, options, default_env(options)) {}
  /// Opens the database on the file system of `env`, which must outlive the database.
  Database(const std::filesystem::path& folder, const RocksDbOptions& options, rocksdb::Env& env);

  rocksdb::DB& db() { return *db_; }
  KeyLocks& locks() { return locks_; }
  Removals& removals() { return removals_; }
  bool sync() const { return write_options_.sync; }
  std::size_t largest_commit() const { return largest_commit_; }

  /// Throws `StoreUnavailable` if the log has failed, because a restart may contradict what is read now. To
  /// be called before each read and each write.
  void check_log() const { log_failure_->check(); }

  /// Reads the newest value. Returns false if there is no record.
  bool get(std::string_view key, std::string& value);

  /// Returns `kCommitted` or `kUnknown`. Throws `StoreUnavailable` if nothing was written.
  CommitOutcome write(rocksdb::WriteBatch& batch);

 private:
  void resume();
  std::uint64_t outstanding_bytes();

  const std::shared_ptr<LogFailure> log_failure_ = std::make_shared<LogFailure>();
  const std::unique_ptr<rocksdb::DB> db_;
  KeyLocks locks_;
  FreeSpace free_space_;
  const std::size_t largest_commit_;
  rocksdb::WriteOptions write_options_;
  // A write has failed, for another reason than the log. RocksDB refuses writes until `resume` succeeds.
  std::atomic<bool> failed_{false};
  detail::Mutex resuming_;  // held while one thread tells RocksDB to resume
  Removals removals_;
};

std::unique_ptr<Transaction> begin_transaction(Database& database);

/// Makes a store on a database that is already open.
std::unique_ptr<RocksDbStore> make_store(std::unique_ptr<Database> database);

/// Returns the database of a store, which owns it.
Database& database_of(RocksDbStore& store);

inline rocksdb::Slice slice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }

/// Returns whether a read has found a record. Throws if the read has failed.
bool found(const rocksdb::Status& status);

}  // namespace autoshard::rocksdb_store
