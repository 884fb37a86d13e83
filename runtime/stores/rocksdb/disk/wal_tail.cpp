#include "wal_tail.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "logs.h"
#include "zeroed_logs.h"

// RocksDB has no function for this. A log consists of blocks of 32 KiB. A block holds fragments of records,
// and fewer than seven zeros at its end where no header fits. A fragment is a header and bytes of a record. A
// header is a masked CRC-32C of the type and the bytes, the number of bytes, both little-endian, and the
// type.

namespace autoshard::rocksdb_store {
namespace {

constexpr std::size_t kBlock = 32 << 10;
constexpr std::size_t kHeader = 7;
constexpr std::size_t kSector = 512;  // a disk writes it whole or not at all

enum class Type : std::uint8_t { kFull = 1, kFirst, kMiddle, kLast };

std::uint32_t crc32c(std::string_view bytes) {
  static constexpr auto kTable = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
      std::uint32_t rest = byte;
      for (int bit = 0; bit < 8; ++bit) rest = rest >> 1 ^ (rest & 1 ? 0x82F63B78 : 0);
      table[byte] = rest;
    }
    return table;
  }();
  std::uint32_t crc = 0xFFFFFFFF;
  for (const char byte : bytes) crc = crc >> 8 ^ kTable[(crc ^ static_cast<std::uint8_t>(byte)) & 0xFF];
  return ~crc;
}

std::uint32_t number(std::string_view little_endian) {
  std::uint32_t value = 0;
  for (std::size_t i = little_endian.size(); i-- > 0;)
    value = value << 8 | static_cast<std::uint8_t>(little_endian[i]);
  return value;
}

bool all_zeros(std::string_view bytes) { return bytes.find_first_not_of('\0') == std::string_view::npos; }

std::size_t block_end(std::string_view log, std::size_t at) {
  return std::min(log.size(), (at / kBlock + 1) * kBlock);
}

/// The header of a fragment, without its checksum.
struct Fragment {
  Type type;
  std::size_t end;
};

std::optional<Fragment> read_header(std::string_view log, std::size_t at) {
  const std::size_t limit = block_end(log, at);
  if (limit - at < kHeader) return std::nullopt;
  const std::size_t end = at + kHeader + number(log.substr(at + 4, 2));
  const auto type = static_cast<std::uint8_t>(log[at + 6]);
  if (end > limit || type < 1 || type > 4) return std::nullopt;
  return Fragment{static_cast<Type>(type), end};
}

/// Reads the header of a damaged fragment, if its checksum is there.
std::optional<Fragment> damaged_header(std::string_view log, std::size_t at) {
  return all_zeros(log.substr(at, 4)) ? std::nullopt : read_header(log, at);
}

/// Reads a fragment, if it is whole.
std::optional<Fragment> read_fragment(std::string_view log, std::size_t at) {
  const std::optional<Fragment> fragment = read_header(log, at);
  if (!fragment) return std::nullopt;
  const std::uint32_t crc = crc32c(log.substr(at + 6, fragment->end - at - 6));
  const std::uint32_t masked = (crc >> 15 | crc << 17) + 0xA282EAD8;
  return number(log.substr(at, 4)) == masked ? fragment : std::nullopt;
}

bool begins_record(Type type) { return type == Type::kFull || type == Type::kFirst; }
bool ends_record(Type type) { return type == Type::kFull || type == Type::kLast; }

/// Returns where the records end at the latest. A log that was not closed ends in zeros.
std::size_t end_of_records(std::string_view log) {
  return log.size() % kZeroedLogUnit == 0 ? log.find_last_not_of('\0') + 1 : log.size();
}

/// The beginning of a log that is not damaged.
struct Beginning {
  std::size_t end = 0;  // the first fragment that cannot be read or is out of place, or the end of the log
  std::uint64_t records = 0;
};

Beginning whole_beginning(std::string_view log) {
  const std::size_t end = end_of_records(log);
  bool within_record = false;
  Beginning whole;
  for (std::size_t at = 0; at < log.size();) {
    const std::size_t limit = block_end(log, at);
    if (limit - at < kHeader && all_zeros(log.substr(at, limit - at))) {
      at = limit;
      continue;
    }
    if (at >= end && !within_record) break;
    const std::optional<Fragment> fragment = read_fragment(log, at);
    if (!fragment || begins_record(fragment->type) == within_record) {
      whole.end = at;
      return whole;
    }
    within_record = !ends_record(fragment->type);
    if (!within_record) ++whole.records;
    at = fragment->end;
  }
  whole.end = log.size();
  return whole;
}

/// Returns whether the log may hold a commit. RocksDB begins a log with an empty batch after it has recovered
/// other logs, before these are obsolete. A log of zeros holds no acknowledged commit.
bool may_hold_commit(std::string_view log) {
  constexpr std::size_t kSequence = 8, kCount = 4;  // the beginning of a batch
  const std::size_t end = all_zeros(log) ? 0 : end_of_records(log);
  for (std::size_t at = 0; at < end;) {
    const std::optional<Fragment> fragment = read_fragment(log, at);
    if (!fragment || fragment->type != Type::kFull) return true;
    const std::string_view batch = log.substr(at + kHeader, fragment->end - at - kHeader);
    if (batch.size() != kSequence + kCount || number(batch.substr(kSequence)) != 0) return true;
    at = fragment->end;
  }
  return false;
}

bool another_record_follows(std::string_view log, std::size_t damage) {
  // The following record may be damaged as well. Then the only sign of it is that the log goes on behind the
  // end of this one.
  const std::optional<Fragment> damaged = damaged_header(log, damage);
  if (damaged && ends_record(damaged->type) && damaged->end < end_of_records(log)) return true;
  // A record may begin at any byte: the lengths in damaged fragments cannot be trusted.
  for (std::size_t at = damage; at < log.size(); ++at) {
    const auto type = at + kHeader <= log.size() ? static_cast<std::uint8_t>(log[at + 6]) : 0;
    if (type != static_cast<std::uint8_t>(Type::kFull) && type != static_cast<std::uint8_t>(Type::kFirst))
      continue;
    if (at != damage && read_fragment(log, at)) return true;
  }
  return false;
}

/// Returns whether a record lacks all its bytes in a sector. Zeros follow the record in any case. But its
/// last byte is not zero, and the checksum and the type in its header are not all zeros.
bool has_missing_sector(std::string_view log, std::size_t from) {
  std::size_t limit = end_of_records(log);
  if (limit <= from) return true;
  const std::optional<Fragment> fragment = damaged_header(log, from);
  limit = std::max(limit, fragment ? fragment->end : std::min(log.size(), from + kHeader));
  for (std::size_t at = from; at < limit;) {
    const std::size_t end = std::min(limit, (at / kSector + 1) * kSector);
    if (all_zeros(log.substr(at, end - at))) return true;
    at = end;
  }
  return false;
}

}  // namespace

std::size_t end_before_torn_record(std::string_view log) {
  const std::size_t damage = whole_beginning(log).end;
  return damage != log.size() && has_missing_sector(log, damage) ? damage : log.size();
}

bool looks_torn(std::string_view bytes) {
  static constexpr std::array<char, kSector> kZeros{};
  return bytes.find(std::string_view(kZeros.data(), kZeros.size())) != std::string_view::npos;
}

bool only_last_write_is_torn(rocksdb::Env& env, const std::filesystem::path& folder,
                             std::uint64_t first_log) {
  Logs logs;
  if (!find_logs(env.GetFileSystem().get(), folder, logs).ok()) return false;
  bool torn = false;
  bool last = true;
  for (const auto& [number_of_log, path] : logs) {
    if (number_of_log < first_log) break;
    std::string log;
    if (!rocksdb::ReadFileToString(&env, path, &log).ok()) return false;
    if (!may_hold_commit(log)) continue;
    if (const std::size_t damage = whole_beginning(log).end; damage != log.size()) {
      if (!last || another_record_follows(log, damage) || !has_missing_sector(log, damage)) return false;
      torn = true;
    }
    last = false;
  }
  return torn;
}

rocksdb::Status WholeCommits::read(rocksdb::Env& env, const std::filesystem::path& folder) {
  Logs logs;
  rocksdb::Status status = find_logs(env.GetFileSystem().get(), folder, logs);
  for (auto log = logs.begin(); status.ok() && log != logs.end(); ++log) {
    std::string bytes;
    status = rocksdb::ReadFileToString(&env, log->second, &bytes);
    if (const Beginning whole = whole_beginning(bytes); whole.end != bytes.size())
      damages_[log->first] = {whole.records, another_record_follows(bytes, whole.end)};
  }
  return status;
}

bool WholeCommits::lacks_commits() const {
  return std::any_of(damages_.lower_bound(first_log_), damages_.end(),
                     [](const auto& damage) { return damage.second.records_follow; });
}

void WholeCommits::ColumnFamilyLogNumberMap(const std::map<std::uint32_t, std::uint64_t>& first_logs,
                                            const std::map<std::string, std::uint32_t>&) {
  log_ = records_ = 0;                                               // RocksDB begins to open the database
  if (!first_logs.empty()) first_log_ = first_logs.begin()->second;  // a store has one column family
}

rocksdb::WalFilter::WalProcessingOption WholeCommits::LogRecordFound(unsigned long long log,
                                                                     const std::string&,
                                                                     const rocksdb::WriteBatch&,
                                                                     rocksdb::WriteBatch*, bool*) {
  const auto damaged = damages_.find(log);
  if (damaged == damages_.end()) return WalProcessingOption::kContinueProcessing;
  if (std::exchange(log_, log) != log) records_ = 0;
  return ++records_ <= damaged->second.whole_records ? WalProcessingOption::kContinueProcessing
                                                     : WalProcessingOption::kStopReplay;
}

}  // namespace autoshard::rocksdb_store
