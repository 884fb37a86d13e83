#pragma once

#include <autoshard/mysql_store.h>
#include <mariadb/mysql.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "random.h"

namespace autoshard::mysql_store {

/// A server, as an option names it.
struct Endpoint {
  std::string name;  // as given
  std::string host;
  unsigned port = 0;
  std::string socket;  // its path, and no host

  /// Throws `InvalidUse`.
  static Endpoint parse(const std::string& name);
};

/// What the server, or the client library, answered instead.
class ServerError : public std::runtime_error {
 public:
  ServerError(unsigned number, std::string state, const std::string& text, bool executed)
      : std::runtime_error(text), number_(number), state_(std::move(state)), executed_(executed) {}

  unsigned number() const { return number_; }
  const std::string& state() const { return state_; }
  /// Whether the statement may have been executed. False if it was not sent.
  bool executed() const { return executed_; }
  /// Whether another server might do better.
  bool is_of_endpoint() const;
  /// Whether an administrator, or a limit of time, has ended the statement, or the session, which did nothing
  /// then: it may be tried again.
  bool is_interruption() const;
  /// Whether it is the size of a statement, or of its transaction, that the server does not take. To be asked
  /// of an error before the COMMIT.
  bool is_too_large() const;
  /// Whether it is the size of a transaction that a cluster does not take. The COMMIT may say so, too.
  bool is_too_large_for_cluster() const;
  /// Whether the server has as many connections as it allows, or prepared statements: it may allow another
  /// soon.
  bool is_of_crowd() const;
  /// Whether it is prepared statements that the server has as many of as it allows, though this connection
  /// has given up its own. The statement did nothing.
  bool is_of_statements() const;
  /// Whether that is what a node of a cluster answers while it is not, or not yet, with the others, or too
  /// far behind them: it may pass within seconds.
  bool is_of_cluster() const;

 private:
  unsigned number_;
  std::string state_;
  bool executed_;
};

/// A session with a server, set up as the store needs it. For one thread at a time. After an error it is not
/// to be used any more, unless the statement says otherwise.
class Connection {
 public:
  using Parameter = std::variant<std::uint64_t, std::string_view>;
  using Row = std::vector<std::string>;  // numbers in decimal

  /// Throws `ServerError`.
  Connection(const MySqlOptions& options, const Endpoint& endpoint);

  const Endpoint& endpoint() const { return endpoint_; }
  bool is_mariadb() const { return is_mariadb_; }
  bool is_galera() const { return is_galera_; }
  bool is_durable() const { return is_durable_; }
  /// A number that no other connection has, of whichever process.
  std::uint64_t lane() const { return lane_; }
  std::uint64_t longest_packet() const { return longest_packet_; }

  /// False if the server has closed it, as far as this side knows.
  bool is_open() const;

  /// A statement without parameters and rows: a constant, for what changes is always a parameter.
  void run(const std::string& sql);

  /// A prepared statement. Calls `row`, if any, with each row that comes back. Returns how many rows there
  /// were, or how many were affected. The statement is kept for the next time.
  std::uint64_t execute(const std::string& sql, std::span<const Parameter> parameters,
                        const std::function<void(Row&)>& row = {});

 private:
  struct Close {
    void operator()(MYSQL* connection) const { mysql_close(connection); }
    void operator()(MYSQL_STMT* statement) const { mysql_stmt_close(statement); }
  };
  using Statement = std::unique_ptr<MYSQL_STMT, Close>;

  void set_up_session(const MySqlOptions& options);
  MYSQL_STMT* prepare(const std::string& sql);
  std::uint64_t fetch(MYSQL_STMT* statement, const std::function<void(Row&)>& row);
  [[noreturn]] void fail(bool executed) const;
  [[noreturn]] void fail(MYSQL_STMT* statement, bool executed) const;

  const Endpoint& endpoint_;
  std::unique_ptr<MYSQL, Close> connection_;
  std::unordered_map<std::string, Statement> statements_;
  const std::uint64_t lane_ = detail::random_bits();
  bool is_mariadb_ = false, is_galera_ = false, is_durable_ = false;
  std::uint64_t longest_packet_ = 0;
};

}  // namespace autoshard::mysql_store
