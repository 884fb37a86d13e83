#include "session.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "statement_limits.h"

namespace autoshard::mysql_store {
namespace {

constexpr const char *kMostRows = "18446744073709551615", *kMostMemory = "9223372036854775807";

/// A variable of a session with the value that the store needs.
struct Setting {
  const char* name;
  std::string value;
  bool is_text = false;
};

/// The settings of the store. Variables that the server does not have are not set. Variables that affect only
/// plans, memory or texts of messages are not listed.
std::vector<Setting> settings(const MySqlOptions& options) {
  const auto read = std::clamp<std::chrono::seconds::rep>(options.read_timeout.count(), 1, 86'400);
  // A waiting commit must end before the client gives it up.
  const std::string wait = std::to_string(std::max<std::chrono::seconds::rep>(1, read / 2));
  return {
      // The meaning of SQL. A table is made with InnoDB, or not at all.
      {"sql_mode", "STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION", true},
      {"character_set_client", "binary", true},
      {"character_set_connection", "binary", true},
      {"character_set_results", "binary", true},
      {"resultset_metadata", "FULL", true},
      // When a transaction begins and ends, and which state it sees.
      {"autocommit", "ON"},
      {"completion_type", "NO_CHAIN", true},
      {"tx_isolation", "REPEATABLE-READ", true},
      {"transaction_isolation", "REPEATABLE-READ", true},
      {"tx_read_only", "OFF"},
      {"transaction_read_only", "OFF"},
      {"foreign_key_checks", "ON"},
      {"unique_checks", "ON"},
      // How many rows and bytes a statement may read.
      {"sql_select_limit", kMostRows},
      {"max_join_size", kMostRows},
      {"sql_big_selects", "ON"},
      {"sql_safe_updates", "OFF"},
      {"max_sort_length", "4096"},  // more than a key has
      {"max_session_mem_used", kMostMemory},
      // How long statements, pauses between them and locks may last. A client that stalls in a commit must
      // not keep other clients from its records. A snapshot may be read slowly.
      {"max_statement_time", "0.000000"},
      {"max_execution_time", "0"},
      {"innodb_lock_wait_timeout", wait},
      {"lock_wait_timeout", wait},
      {"idle_transaction_timeout", "0"},
      {"idle_readonly_transaction_timeout", "0"},
      {"idle_write_transaction_timeout", std::to_string(read)},
      {"wait_timeout", "28800"},
      // Reads show the last commit of any node. Tables are made on all nodes.
      {"query_cache_type", "OFF"},
      {"wsrep_dirty_reads", "OFF"},
      {"wsrep_sync_wait", "1"},
      {"wsrep_trx_fragment_size", "0"},
      {"wsrep_osu_method", "TOI", true},
  };
}

/// Variables that the store only reads.
constexpr const char* kAlsoRead[] = {"wsrep_on", "wsrep_provider", "max_allowed_packet",
                                     "log_bin",  "binlog_format",  "innodb_flush_log_at_trx_commit"};

}  // namespace

std::string value_of(const Variables& variables, const std::string& name) {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

std::string begin_session(bool is_mariadb) {
  // One statement: if a time limit ends the first one of two, a server may leave the second one unanswered.
  std::string sql = "SET NAMES binary, SESSION sql_big_selects = ON";
  const auto add = [&](const char* name, const char* value) {
    sql += std::string(", SESSION ") + name + " = " + value;
  };
  add("sql_select_limit", kMostRows);
  add("max_join_size", kMostRows);
  if (is_mariadb) {
    add("max_statement_time", "0");
    add("max_session_mem_used", kMostMemory);
  }
  return sql;
}

std::string select_variables() {
  std::string sql = "SHOW SESSION VARIABLES WHERE Variable_name IN (";
  for (const Setting& setting : settings({})) sql += "'" + std::string(setting.name) + "', ";
  for (const char* name : kAlsoRead) sql += (name == kAlsoRead[0] ? "'" : ", '") + std::string(name) + "'";
  return sql + ")";
}

std::string set_variables(const Variables& variables, const MySqlOptions& options) {
  std::string sql;
  for (const Setting& setting : settings(options)) {
    const auto found = variables.find(setting.name);
    if (found == variables.end() || found->second == setting.value) continue;
    sql += sql.empty() ? "SET SESSION " : ", SESSION ";
    sql += setting.name;
    sql += setting.is_text ? " = '" + setting.value + "'" : " = " + setting.value;
  }
  return sql;
}

std::string objection(const Variables& variables) {
  const std::string provider = value_of(variables, "wsrep_provider");
  if (!provider.empty() && provider != "none" && value_of(variables, "wsrep_on") != "ON")
    return "the server is a node of a cluster and does not replicate writes: set its variable wsrep_on to ON";
  if (std::stoull(value_of(variables, "max_allowed_packet")) < kLeastPacket)
    return "the variable max_allowed_packet of the server is below " + std::to_string(kLeastPacket) +
           ": raise it";
  if (value_of(variables, "log_bin") == "ON" && value_of(variables, "binlog_format") == "STATEMENT")
    return "the variable binlog_format of the server is STATEMENT, which does not allow the commits of this "
           "store: set it to ROW";
  return {};
}

}  // namespace autoshard::mysql_store
