#include "connection.h"

#include <autoshard/errors.h>
#include <mariadb/errmsg.h>
#include <mariadb/mysqld_error.h>
#include <poll.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <mutex>
#include <new>

#include "session.h"

namespace autoshard::mysql_store {
namespace {

// An application uses few shapes of statements.
constexpr std::size_t kMostStatements = 64;
// The error of MySQL's `max_execution_time`.
constexpr unsigned kMySqlQueryTimeout = 3024;
// Longer values are fetched in a second step.
constexpr std::size_t kUsualColumn = 512;

unsigned seconds(std::chrono::seconds time) {
  return static_cast<unsigned>(std::clamp<std::chrono::seconds::rep>(time.count(), 1, 86'400));
}

/// Returns the text of an error. A server's text may have the name of the user.
std::string text_of(unsigned number, const char* text) {
  const std::string behind = " (" + std::to_string(number) + ")";
  switch (number) {
    case ER_ACCESS_DENIED_ERROR:
    case ER_ACCESS_DENIED_NO_PASSWORD_ERROR:
      return "wrong user or password" + behind;
    case ER_DBACCESS_DENIED_ERROR:
      return "this user has no access to the database" + behind;
    case ER_TABLEACCESS_DENIED_ERROR:
    case ER_COLUMNACCESS_DENIED_ERROR:
    case ER_SPECIFIC_ACCESS_DENIED_ERROR:
      return "this user lacks a privilege" + behind;
    case ER_USER_LIMIT_REACHED:
    case ER_TOO_MANY_USER_CONNECTIONS:
      return "this user has reached its limit of connections or statements" + behind;
    default:
      return text + behind;
  }
}

std::string lower(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return name;
}

const char* or_null(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

}  // namespace

Endpoint Endpoint::parse(const std::string& name) {
  if (name.starts_with('/')) return {.name = name, .host = {}, .port = 0, .socket = name};
  Endpoint endpoint{.name = name, .host = name, .port = 3306, .socket = {}};
  const std::size_t bracket = name.rfind(']');
  const std::size_t colon = name.find(':', bracket == std::string::npos ? 0 : bracket);
  if (colon != std::string::npos) {
    const char* const end = name.data() + name.size();
    const auto [last, error] = std::from_chars(name.data() + colon + 1, end, endpoint.port);
    if (error != std::errc() || last != end || endpoint.port == 0 || endpoint.port > 65'535)
      throw InvalidUse("the MySQL endpoint \"" + name + "\" has an invalid port: choose 1 to 65535");
    endpoint.host.resize(colon);
  }
  if (endpoint.host.starts_with('[') && endpoint.host.ends_with(']'))
    endpoint.host = endpoint.host.substr(1, endpoint.host.size() - 2);
  if (endpoint.host.empty())
    throw InvalidUse("the MySQL endpoint \"" + name + "\" has no host: write host:port");
  return endpoint;
}

bool ServerError::is_of_endpoint() const {
  switch (number_) {
    case ER_UNKNOWN_COM_ERROR:  // a Galera node that is not, or not yet, in the primary component
    case ER_CON_COUNT_ERROR:
    case ER_SERVER_SHUTDOWN:
    case ER_LOCK_WAIT_TIMEOUT:  // of a read: the node is too far behind, or has lost the others
    case ER_OPTION_PREVENTS_STATEMENT:
    case ER_READ_ONLY_MODE:
      return true;
    default:
      return number_ >= CR_MIN_ERROR && number_ <= CR_MAX_ERROR && number_ != CR_NET_PACKET_TOO_LARGE;
  }
}

bool ServerError::is_interruption() const {
  switch (number_) {
    case ER_QUERY_INTERRUPTED:
    case ER_CONNECTION_KILLED:
    case ER_STATEMENT_TIMEOUT:
    case kMySqlQueryTimeout:
      return true;
    default:
      return false;
  }
}

bool ServerError::is_too_large() const {
  switch (number_) {
    case ER_NET_PACKET_TOO_LARGE:
    case CR_NET_PACKET_TOO_LARGE:
    case ER_TRANS_CACHE_FULL:  // `max_binlog_cache_size`
    case ER_LOCK_TABLE_FULL:   // of InnoDB, in its buffer pool
    case ER_TOO_BIG_ROWSIZE:   // of InnoDB, in its log
      return true;
    default:
      return is_too_large_for_cluster();
  }
}

bool ServerError::is_too_large_for_cluster() const {
  const std::string_view text = what();  // other errors have these numbers, too
  return (number_ == ER_ERROR_DURING_COMMIT && text.find("wsrep_max_ws_rows exceeded") != text.npos) ||
         (number_ == ER_UNKNOWN_ERROR && text.find("Maximum writeset size exceeded") != text.npos);
}

bool ServerError::is_of_crowd() const {
  return number_ == ER_CON_COUNT_ERROR || number_ == ER_USER_LIMIT_REACHED ||
         number_ == ER_TOO_MANY_USER_CONNECTIONS || is_of_statements();
}

bool ServerError::is_of_statements() const { return number_ == ER_MAX_PREPARED_STMT_COUNT_REACHED; }

bool ServerError::is_of_cluster() const {
  return number_ == ER_UNKNOWN_COM_ERROR || number_ == ER_LOCK_WAIT_TIMEOUT;
}

Connection::Connection(const MySqlOptions& options, const Endpoint& endpoint) : endpoint_(endpoint) {
  static std::once_flag initialised;
  std::call_once(initialised, [] { mysql_library_init(0, nullptr, nullptr); });
  connection_.reset(mysql_init(nullptr));
  if (!connection_) throw std::bad_alloc();  // unreachable: no test takes all memory from mysql_init
  MYSQL* const connection = connection_.get();

  const unsigned connect = seconds(options.connect_timeout), read = seconds(options.read_timeout),
                 write = seconds(options.write_timeout), none = 0;
  const unsigned long any_packet = 1UL << 30;
  mysql_options(connection, MYSQL_OPT_CONNECT_TIMEOUT, &connect);
  mysql_options(connection, MYSQL_OPT_READ_TIMEOUT, &read);
  mysql_options(connection, MYSQL_OPT_WRITE_TIMEOUT, &write);
  mysql_options(connection, MYSQL_OPT_LOCAL_INFILE, &none);  // or a server could ask for files
  mysql_options(connection, MYSQL_OPT_MAX_ALLOWED_PACKET, &any_packet);
  mysql_options(connection, MYSQL_SET_CHARSET_NAME, "binary");
  const MySqlTls& tls = options.tls;
  if (tls.required || !tls.ca.empty() || !tls.certificate.empty() || !tls.key.empty()) {
    const my_bool yes = 1, verify = tls.verify ? 1 : 0;
    mysql_ssl_set(connection, or_null(tls.key), or_null(tls.certificate), or_null(tls.ca), nullptr, nullptr);
    mysql_options(connection, MYSQL_OPT_SSL_ENFORCE, &yes);
    mysql_options(connection, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verify);
  }
  const unsigned tcp = MYSQL_PROTOCOL_TCP;  // or `localhost` would be a socket, whatever the port
  if (!endpoint.host.empty()) mysql_options(connection, MYSQL_OPT_PROTOCOL, &tcp);
  if (!mysql_real_connect(connection, or_null(endpoint.host), options.user.c_str(), options.password.c_str(),
                          options.database.c_str(), endpoint.port, or_null(endpoint.socket), 0))
    fail(false);

  is_mariadb_ = mariadb_connection(connection) != 0;
  set_up_session(options);
}

/// Replaces the settings that an administrator has made for all sessions.
void Connection::set_up_session(const MySqlOptions& options) {
  run(begin_session(is_mariadb_));
  Variables variables;
  execute(select_variables(), {}, [&](Row& row) { variables[lower(row[0])] = row[1]; });
  statements_.clear();  // the last statement is not needed again
  if (const std::string why_not = objection(variables); !why_not.empty())
    throw ServerError(0, {}, why_not, false);
  is_galera_ = value_of(variables, "wsrep_on") == "ON";
  is_durable_ = value_of(variables, "innodb_flush_log_at_trx_commit") == "1";
  longest_packet_ = std::stoull(value_of(variables, "max_allowed_packet"));
  const std::string settings = set_variables(variables, options);
  if (settings.empty()) return;
  try {
    run(settings);
  } catch (const ServerError& error) {
    throw ServerError(error.number(), error.state(), settings + ": " + error.what(), error.executed());
  }
}

bool Connection::is_open() const {
  // Between two statements a server sends nothing, unless it closes the connection.
  pollfd socket{.fd = static_cast<int>(mysql_get_socket(connection_.get())), .events = POLLIN, .revents = 0};
  return socket.fd >= 0 && poll(&socket, 1, 0) == 0;
}

void Connection::run(const std::string& sql) {
  MYSQL* const connection = connection_.get();
  if (mysql_real_query(connection, sql.data(), sql.size()) != 0) fail(true);
}

MYSQL_STMT* Connection::prepare(const std::string& sql) {
  if (const auto found = statements_.find(sql); found != statements_.end()) return found->second.get();
  if (statements_.size() >= kMostStatements) statements_.clear();
  Statement statement(mysql_stmt_init(connection_.get()));
  if (!statement) throw std::bad_alloc();  // unreachable: no test takes all memory from mysql_stmt_init
  while (mysql_stmt_prepare(statement.get(), sql.data(), sql.size()) != 0) {
    // The server has as many statements as it allows: this connection closes its own.
    const bool is_full = mysql_stmt_errno(statement.get()) == ER_MAX_PREPARED_STMT_COUNT_REACHED;
    if (!is_full || statements_.empty()) fail(statement.get(), false);
    statements_.clear();
  }
  return statements_.emplace(sql, std::move(statement)).first->second.get();
}

std::uint64_t Connection::execute(const std::string& sql, std::span<const Parameter> parameters,
                                  const std::function<void(Row&)>& row) {
  MYSQL_STMT* const statement = prepare(sql);
  std::vector<MYSQL_BIND> binds(parameters.size());
  std::vector<unsigned long> lengths(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    // The library takes pointers to mutable data, and only reads them.
    if (const auto* number = std::get_if<std::uint64_t>(&parameters[i])) {
      binds[i].buffer_type = MYSQL_TYPE_LONGLONG;
      binds[i].buffer = const_cast<std::uint64_t*>(number);
      binds[i].is_unsigned = 1;
    } else {
      const auto& bytes = std::get<std::string_view>(parameters[i]);
      binds[i].buffer_type = MYSQL_TYPE_BLOB;
      binds[i].buffer = const_cast<char*>(bytes.empty() ? "" : bytes.data());  // null would be NULL
      binds[i].buffer_length = lengths[i] = bytes.size();
      binds[i].length = &lengths[i];
    }
  }
  // unreachable: the statement is prepared, and the library takes parameters of these types
  if (mysql_stmt_bind_param(statement, binds.data()) != 0) fail(statement, false);
  if (mysql_stmt_execute(statement) != 0) fail(statement, true);
  if (mysql_stmt_field_count(statement) > 0) return fetch(statement, row);
  return mysql_stmt_affected_rows(statement);
}

std::uint64_t Connection::fetch(MYSQL_STMT* statement, const std::function<void(Row&)>& row) {
  if (mysql_stmt_store_result(statement) != 0) fail(statement, true);
  const unsigned columns = mysql_stmt_field_count(statement);
  Row values(columns);
  std::vector<MYSQL_BIND> binds(columns);
  std::vector<unsigned long> lengths(columns);
  std::vector<char> space(columns * kUsualColumn);
  for (unsigned i = 0; i < columns; ++i) {
    binds[i].buffer_type = MYSQL_TYPE_BLOB;
    binds[i].buffer = space.data() + i * kUsualColumn;
    binds[i].buffer_length = kUsualColumn;
    binds[i].length = &lengths[i];
  }
  // unreachable: the statement has just given these columns, and the library can fetch any column as bytes
  if (mysql_stmt_bind_result(statement, binds.data()) != 0) fail(statement, true);
  std::uint64_t rows = 0;
  for (;; ++rows) {
    const int fetched = mysql_stmt_fetch(statement);
    if (fetched == MYSQL_NO_DATA) break;
    // unreachable: the client has stored all rows, and fetches them from its memory
    if (fetched == 1) fail(statement, true);
    if (!row) continue;
    for (unsigned i = 0; i < columns; ++i) {
      if (lengths[i] <= kUsualColumn) {
        values[i].assign(space.data() + i * kUsualColumn, lengths[i]);
        continue;
      }
      values[i].resize(lengths[i]);
      MYSQL_BIND whole = binds[i];
      whole.buffer = values[i].data();
      whole.buffer_length = lengths[i];
      // unreachable: this row has just been fetched, and has this column
      if (mysql_stmt_fetch_column(statement, &whole, i, 0) != 0) fail(statement, true);
    }
    row(values);
  }
  mysql_stmt_free_result(statement);
  return rows;
}

void Connection::fail(bool executed) const {
  MYSQL* const connection = connection_.get();
  const unsigned number = mysql_errno(connection);
  throw ServerError(number, mysql_sqlstate(connection), text_of(number, mysql_error(connection)), executed);
}

void Connection::fail(MYSQL_STMT* statement, bool executed) const {
  const unsigned number = mysql_stmt_errno(statement);
  throw ServerError(number, mysql_stmt_sqlstate(statement), text_of(number, mysql_stmt_error(statement)),
                    executed);
}

}  // namespace autoshard::mysql_store
