#pragma once

#include <rocksdb/env.h>
#include <rocksdb/wal_filter.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace autoshard {

/// Whether the damage in RocksDB's write-ahead logs is what a loss of power leaves of the last write: pages
/// of the last record that never reached the disk and read as zeros. That record was not acknowledged then,
/// for a commit with `sync` is acknowledged, and the next one begun, only once all its pages are on disk.
///
/// False for anything else: where another record, also a damaged one, follows the damaged one; where the
/// record holds other bytes instead of missing ones; where a log cannot be read; where there is no damage.
bool only_last_write_is_torn(rocksdb::Env& env, const std::filesystem::path& folder);

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

  const char* Name() const override { return "AutoShardWholeCommits"; }
  WalProcessingOption LogRecordFound(unsigned long long log, const std::string& name,
                                     const rocksdb::WriteBatch& batch, rocksdb::WriteBatch* new_batch,
                                     bool* batch_changed) override;

 private:
  std::map<std::uint64_t, std::uint64_t> whole_records_;  // in front of the damage, by the log that has some
  std::uint64_t log_ = 0, records_ = 0;                   // that were read
};

}  // namespace autoshard
