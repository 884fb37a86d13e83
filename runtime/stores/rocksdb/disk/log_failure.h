#pragma once

#include <autoshard/errors.h>
#include <rocksdb/listener.h>
#include <rocksdb/status.h>

#include <atomic>
#include <string>

#include "mutex.h"

namespace autoshard::rocksdb_store {

/// Notices that RocksDB could not write or sync its write-ahead log, and refuses all use of the database from
/// then on.
///
/// The record of the failed commit may be in the log. Then it takes effect when the database is opened again,
/// but RocksDB does not show it until then. A restart could contradict what is read after the failure.
/// RocksDB cannot repair this: it resumes only after some errors, and then it may go on with the same log,
/// whose writer ends the process. Opening the database reads the log and makes its records durable.
/// Thread-safe.
class LogFailure final : public rocksdb::EventListener {
 public:
  /// Throws `StoreUnavailable` once the log has failed.
  void check() const {
    if (!has_failed_.load(std::memory_order_acquire)) return;
    const detail::MutexLock lock(mutex_);
    throw StoreUnavailable(
        "a commit could not be written to the log of RocksDB, and only opening the store again shows whether "
        "it took effect: check the disk, then destroy the store object and make another, or restart: " +
        status_);
  }

  /// RocksDB calls this before any of the failed writes returns.
  void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* status) override {
    if (!is_of_log(reason)) return;
    const detail::MutexLock lock(mutex_);
    if (has_failed_.load(std::memory_order_relaxed)) return;
    status_ = status->ToString();
    has_failed_.store(true, std::memory_order_release);
  }

  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason reason, rocksdb::Status,
                            bool* resumes_by_itself) override {
    if (is_of_log(reason)) *resumes_by_itself = false;
  }

 private:
  static bool is_of_log(rocksdb::BackgroundErrorReason reason) {
    return reason == rocksdb::BackgroundErrorReason::kWriteCallback ||
           reason == rocksdb::BackgroundErrorReason::kMemTable;
  }

  mutable detail::Mutex mutex_;
  std::atomic<bool> has_failed_{false};
  std::string status_ AUTOSHARD_GUARDED_BY(mutex_);  // of RocksDB
};

}  // namespace autoshard::rocksdb_store
