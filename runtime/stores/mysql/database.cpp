#include "database.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>
#include <mariadb/mysqld_error.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <random>
#include <vector>

namespace autoshard::mysql_store {
namespace {

constexpr std::uint64_t kFormat = 1;
constexpr std::string_view kFormatKey("\0\0autoshard", 11);

/// Returns a first number. Sequences that begin anywhere in 64 bits do not meet while their processes live.
std::uint64_t random_number() {
  std::random_device device;
  return std::uint64_t{device()} << 32 | device();
}

const std::string& checked_table(const std::string& table) {
  const bool plain = std::all_of(table.begin(), table.end(), [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
           byte == '_';
  });
  if (!plain || table.empty() || table.size() > 50)
    throw InvalidUse("MySqlOptions::table is \"" + table +
                     "\": choose a name of at most 50 letters, digits and '_'");
  return table;
}

}  // namespace

Database::Database(const MySqlOptions& options)
    : table_('`' + checked_table(options.table) + '`'),
      reads_table_('`' + options.table + "_reads`"),
      get_("SELECT version, v FROM " + table_ + " WHERE k = ?"),
      compound_commits_(options.compound_commits),
      create_tables_(options.create_tables),
      next_number_(random_number()),
      pool_(options) {
  pool_.read([this](Connection& connection) {
    open(connection);
    return true;
  });
}

void Database::open(Connection& connection) {
  durable_ = connection.is_durable();
  galera_ = connection.is_galera();
  if (!create_tables_) {
    for (const std::string& table : {table_, reads_table_}) {
      if (!exists(connection, table))
        throw InvalidUse("there is no table " + table + " in the database: is its name right?");
    }
    return check_format(connection);
  }
  // The store asks first: in a cluster, CREATE TABLE IF NOT EXISTS makes all nodes wait.
  if (!exists(connection, table_)) {
    connection.run("CREATE TABLE IF NOT EXISTS " + table_ + " (k VARBINARY(" + std::to_string(kLongestKey) +
                   ") NOT NULL PRIMARY KEY, version BIGINT UNSIGNED NOT NULL, v LONGBLOB NOT NULL) "
                   "ENGINE = InnoDB ROW_FORMAT = DYNAMIC");
  }
  check_format(connection);  // before anything else is made
  if (!exists(connection, reads_table_)) {
    connection.run("CREATE TABLE IF NOT EXISTS " + reads_table_ +
                   " (id BIGINT UNSIGNED NOT NULL, k VARBINARY(" + std::to_string(kLongestKey) +
                   ") NOT NULL, PRIMARY KEY (id, k), KEY (k), FOREIGN KEY (k) REFERENCES " + table_ +
                   " (k)) ENGINE = InnoDB ROW_FORMAT = DYNAMIC");
  }
  remove_left_references(connection);
}

/// Removes references that an earlier version of AutoShard may have left after a statement was killed.
/// Committed references belong to no transaction under way.
void Database::remove_left_references(Connection& connection) const {
  std::vector<Connection::Row> left;
  connection.execute("SELECT id, k FROM " + reads_table_, {},
                     [&](Connection::Row& row) { left.push_back(row); });
  for (const Connection::Row& row : left) {
    const std::array<Connection::Parameter, 2> key = {std::stoull(row[0]), std::string_view(row[1])};
    connection.execute("DELETE FROM " + reads_table_ + " USING " + reads_table_ +
                           " FORCE INDEX (PRIMARY) WHERE id = ? AND k = ?",
                       key);
  }
}

bool Database::exists(Connection& connection, const std::string& table) const {
  try {
    connection.execute("SELECT 1 FROM " + table + " LIMIT 0", {});
    return true;
  } catch (const ServerError& error) {
    if (error.number() == ER_NO_SUCH_TABLE) return false;
    throw;
  }
}

/// Checks the format of the table. Writes it if there are no records yet and the store may create tables.
void Database::check_format(Connection& connection) const {
  std::string record;
  const auto read = [&] {
    const std::array<Connection::Parameter, 1> key = {kFormatKey};
    connection.execute("SELECT v FROM " + table_ + " WHERE k = ?", key,
                       [&](Connection::Row& row) { record = std::move(row[0]); });
  };
  try {
    read();
    if (record.empty() && create_tables_) {
      std::string format;
      Encoder(format).natural(kFormat);
      const std::array<Connection::Parameter, 2> insertion = {kFormatKey, std::string_view(format)};
      connection.execute("INSERT IGNORE INTO " + table_ +
                             " (k, version, v) SELECT ?, 0, ? FROM (SELECT 1 AS one) AS one WHERE NOT EXISTS "
                             "(SELECT 1 FROM " +
                             table_ + ")",
                         insertion);
      read();
    }
  } catch (const ServerError& error) {
    if (error.number() != ER_BAD_FIELD_ERROR) throw;
  }
  if (record.empty())
    throw StoreUnavailable("the MySQL table " + table_ + " was not made by AutoShard: choose another name");
  Decoder in(kFormatKey, record);
  if (const std::uint64_t format = in.natural(); format != kFormat) {
    throw SchemaMismatch("the store in the MySQL table " + table_ + " has format " + std::to_string(format) +
                         ", and this version of AutoShard reads format " + std::to_string(kFormat) +
                         ": use a newer version");
  }
}

std::optional<Database::Record> Database::get(std::string_view key) {
  return pool_.read([&](Connection& connection) {
    std::optional<Record> record;
    const std::array<Connection::Parameter, 1> parameters = {key};
    connection.execute(get_, parameters, [&](Connection::Row& row) {
      record = Record{std::stoull(row[0]), std::move(row[1])};
    });
    return record;
  });
}

/// One statement is prepared for each power of two. It repeats the last key until it has that many.
void Database::get(std::span<const std::string_view> keys, Records& records) {
  in_parts(keys, kMostKeyBytes, std::mem_fn(&std::string_view::size), [&](auto some) {
    const std::size_t number = std::bit_ceil(some.size());
    std::string sql = "SELECT k, version, v FROM " + table_ + " FORCE INDEX (PRIMARY) WHERE k IN (";
    std::vector<Connection::Parameter> parameters;
    for (std::size_t i = 0; i < number; ++i) {
      sql += i == 0 ? "?" : ", ?";
      parameters.emplace_back(some[std::min(i, some.size() - 1)]);
    }
    sql += ')';
    Records found = pool_.read([&](Connection& connection) {
      Records there;
      for (const std::string_view key : some) there.try_emplace(std::string(key));
      connection.execute(sql, parameters, [&](Connection::Row& row) {
        there[row[0]] = Record{std::stoull(row[1]), std::move(row[2])};
      });
      return there;
    });
    records.merge(found);
  });
}

}  // namespace autoshard::mysql_store
