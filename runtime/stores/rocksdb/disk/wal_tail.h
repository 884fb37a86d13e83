#pragma once

#include <rocksdb/env.h>
#include <rocksdb/wal_filter.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace autoshard::rocksdb_store {

/// Returns whether the damage in RocksDB's write-ahead logs is what a loss of power leaves of the last write:
/// pages of the last record that did not reach the disk, and read as zeros. That record was not acknowledged:
/// a commit with `sync` is acknowledged, and the next one begun, only once all its pages are on disk.
///
/// Returns false if another record, whole or damaged, follows the damaged one; if the record holds wrong
/// bytes instead of zeros; if a log cannot be read; or if there is no damage.
///
/// `first_log`: the first log that RocksDB needs. Earlier logs may be there again after a loss of power.
bool only_last_write_is_torn(rocksdb::Env& env, const std::filesystem::path& folder,
                             std::uint64_t first_log = 0);

/// Returns where the first record begins that lacks all its bytes in a sector, in a file in the format of a
/// log. Returns the size of the file if there is none, or if damage of another kind comes first.
std::size_t end_before_torn_record(std::string_view log);

/// The last byte of each write. It shows that zeros at the end of a record are missing bytes.
inline constexpr char kEndOfWrite = 1;

/// Returns whether the bytes hold zeros that could be taken for a sector that did not reach the disk. Another
/// record must follow such a record before it is acknowledged.
bool looks_torn(std::string_view bytes);

/// Keeps RocksDB from reading commits behind the first damage in a log. RocksDB by itself takes a lost sector
/// at the beginning of a record for the end of a block, and goes on with the next block.
class WholeCommits final : public rocksdb::WalFilter {
 public:
  /// Reads the logs in the folder. Logs that are begun later are not filtered.
  rocksdb::Status read(rocksdb::Env& env, const std::filesystem::path& folder);

  /// Returns whether commits follow a damaged one in a log that RocksDB needs. To be called once a database
  /// was opened with this filter.
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
    std::uint64_t whole_records = 0;  // before the damage
    bool records_follow = false;
  };
  std::map<std::uint64_t, Damage> damages_;  // by the numbers of logs
  std::uint64_t first_log_ = 0;
  std::uint64_t log_ = 0, records_ = 0;  // what RocksDB has read: the log, and records of it
};

}  // namespace autoshard::rocksdb_store
