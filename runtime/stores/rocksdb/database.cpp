#include "database.h"

#include <autoshard/errors.h>

#include <optional>

#include "disk/wal_tail.h"

namespace autoshard::rocksdb_store {

namespace {

/// Returns the options, or throws `InvalidUse`.
const RocksDbOptions& valid(const RocksDbOptions& options) {
  if (options.largest_commit == 0)
    throw InvalidUse("RocksDbOptions::largest_commit is 0, so no commit fits: give a number of bytes");
  return options;
}

void put_log_data(rocksdb::WriteBatch& batch, const rocksdb::Slice& text) {
  const rocksdb::Status status = batch.PutLogData(text);
  // unreachable: a batch without a limit takes any text
  if (!status.ok()) throw StoreUnavailable("RocksDB cannot write: " + status.ToString());
}

}  // namespace

bool found(const rocksdb::Status& status) {
  if (status.ok()) return true;
  if (status.IsNotFound()) return false;
  if (status.IsCorruption()) {
    throw CorruptRecord("RocksDB has found a damaged file, restore the store from a backup: " +
                        status.ToString());
  }
  throw StoreUnavailable("RocksDB cannot read: " + status.ToString());
}

Database::Database(const std::filesystem::path& folder, const RocksDbOptions& options, rocksdb::Env& env)
    : db_(open_database(folder, valid(options), env, log_failure_)),
      locks_(options.newest_values_bytes),
      free_space_(env, folder, options.minimum_free_bytes, [this] { return outstanding_bytes(); }),
      largest_commit_(options.largest_commit),
      removals_(*db_, free_space_) {
  write_options_.sync = options.sync;
}

bool Database::get(std::string_view key, std::string& value) {
  return found(db_->Get(rocksdb::ReadOptions(), slice(key), &value));
}

CommitOutcome Database::write(rocksdb::WriteBatch& batch) {
  const FreeSpace::Writing writing(free_space_, batch.GetDataSize());
  free_space_.require(batch.GetDataSize());
  if (failed_.load(std::memory_order_acquire)) resume();
  // All memory is allocated before the first write: an exception means that nothing was written.
  std::optional<rocksdb::WriteBatch> whole;
  if (write_options_.sync) {
    put_log_data(batch, {&kEndOfWrite, 1});
    // Adds a record to the log, and nothing else.
    if (looks_torn(batch.Data())) put_log_data(whole.emplace(), "whole");
  }
  rocksdb::Status written = db_->Write(write_options_, &batch);
  if (written.ok() && whole) written = db_->Write(write_options_, &*whole);
  if (written.ok()) return CommitOutcome::kCommitted;
  failed_.store(true, std::memory_order_release);
  return CommitOutcome::kUnknown;  // the log may hold the write
}

/// One thread at a time. After another thread has resumed, a write may have failed in the log.
void Database::resume() {
  const detail::MutexLock lock(resuming_);
  // unreachable: no test can have another thread resume between the look at it in `write` and the lock
  if (!failed_.load(std::memory_order_acquire)) return;
  check_log();  // RocksDB must not resume after a failure of the log
  const rocksdb::Status resumed = db_->Resume();
  if (!resumed.ok())
    throw StoreUnavailable("RocksDB refuses writes since an earlier write failed: " + resumed.ToString());
  failed_.store(false, std::memory_order_release);
}

/// Returns how many bytes of accepted records RocksDB still has to write: from memory to files, and from
/// files to files.
std::uint64_t Database::outstanding_bytes() {
  std::uint64_t bytes = 0;
  for (const std::string& property : {rocksdb::DB::Properties::kCurSizeAllMemTables,
                                      rocksdb::DB::Properties::kEstimatePendingCompactionBytes}) {
    std::uint64_t value = 0;
    db_->GetIntProperty(property, &value);
    bytes += value;
  }
  return bytes;
}

}  // namespace autoshard::rocksdb_store
