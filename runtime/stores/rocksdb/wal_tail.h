#pragma once

#include <rocksdb/env.h>
#include <rocksdb/wal_filter.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace autoshard::rocksdb_store {

/// Whether the damage in RocksDB's write-ahead logs is what a loss of power leaves of the last write: pages
/// of the last record that never reached the disk and read as zeros. That record was not acknowledged then,
/// for a commit with `sync` is acknowledged, and the next one begun, only once all its pages are on disk.
///
/// False for anything else: where another record, also a damaged one, follows the damaged one; where the
/// record holds other bytes instead of missing ones; where a log cannot be read; where there is no damage.
///
/// `first_log`: RocksDB does not need the logs before it any more. They may be there again after a loss of
/// power.
bool only_last_write_is_torn(rocksdb::Env& env, const std::filesystem::path& folder,
                             std::uint64_t first_log = 0);

/// Where the first record of a file in the format of a log begins that lacks all its bytes in a sector. The
/// size of the file if there is none, or if another kind of damage comes first.
std::size_t end_before_torn_record(std::string_view log);

/// What the last byte of each write must be, so that zeros at the end of a record are none of its own.
inline constexpr char kEndOfWrite = 1;

/// Whether what is written by these bytes holds zeros that could be taken for a sector that never reached the
/// disk. Such a record must be followed by another before it is acknowledged.
bool looks_torn(std::string_view bytes);

/// Has RocksDB read no commit behind the first damage in a log. By itself it takes a lost sector that begins
/// where a record does for the end of a block, and goes on with the next one.
class WholeCommits final : public rocksdb::WalFilter {
 public:
  /// Looks at the logs in the folder. Those that are begun later are not filtered.
  rocksdb::Status read(rocksdb::Env& env, const std::filesystem::path& folder);

  /// Whether commits follow a damaged one in a log that RocksDB needs; for a database that was opened with
  /// this filter.
  bool lacks_commits() const;
  /// The first log that RocksDB needs, once it has opened the database with this filter; 0 without logs.
  std::uint64_t first_log() const { return first_log_; }

  const char* Name() const override { return "AutoShardWholeCommits"; }
  void ColumnFamilyLogNumberMap(const std::map<std::uint32_t, std::uint64_t>& first_logs,
                                const std::map<std::string, std::uint32_t>& ids) override;
  WalProcessingOption LogRecordFound(unsigned long long log, const std::string& name,
                                     const rocksdb::WriteBatch& batch, rocksdb::WriteBatch* new_batch,
                                     bool* batch_changed) override;

 private:
  struct Damage {
    std::uint64_t whole_records = 0;  // in front of it
    bool records_follow = false;
  };
  std::map<std::uint64_t, Damage> damages_;  // by the log
  std::uint64_t first_log_ = 0;
  std::uint64_t log_ = 0, records_ = 0;  // that were read
};

}  // namespace autoshard::rocksdb_store
