#pragma once

#include <autoshard/store.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pool.h"
#include "statement_limits.h"

namespace autoshard::mysql_store {

/// An open table, and the state that its transactions share. Thread-safe.
class Database {
 public:
  explicit Database(const MySqlOptions& options);

  Pool& pool() { return pool_; }
  const std::string& table() const { return table_; }
  const std::string& reads_table() const { return reads_table_; }
  bool is_durable() const { return durable_; }
  bool compound_commits() const { return compound_commits_; }

  struct Record {
    std::uint64_t version;
    std::string value;
  };
  /// Reads the record that was committed last.
  std::optional<Record> get(std::string_view key);
  using Records = std::map<std::string, std::optional<Record>, std::less<>>;
  /// Adds the record of each of these keys that was committed last.
  void get(std::span<const std::string_view> keys, Records& records);

  /// Whether the server that answered first is a node of a Galera cluster.
  bool is_galera() const { return galera_; }

  /// Returns a number that no other call returns, in any process.
  std::uint64_t unique_number() { return next_number_.fetch_add(1, std::memory_order_relaxed); }

 private:
  void open(Connection& connection);
  void remove_left_references(Connection& connection) const;
  bool exists(Connection& connection, const std::string& table) const;
  void check_format(Connection& connection) const;

  const std::string table_, reads_table_, get_;
  const bool compound_commits_, create_tables_;
  bool durable_ = false, galera_ = false;
  std::atomic<std::uint64_t> next_number_;
  Pool pool_;
};

/// Begins a transaction that sees one state: the newest one at its beginning.
inline constexpr const char* kStartSnapshot = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

std::unique_ptr<Transaction> begin_transaction(Database& database);
std::unique_ptr<Snapshot> open_snapshot(Database& database);
/// Scans the newest state.
std::unique_ptr<Cursor> scan_once(Database& database, std::string_view begin, std::string_view end);

}  // namespace autoshard::mysql_store
