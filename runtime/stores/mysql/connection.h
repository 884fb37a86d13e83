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

/// The address of a server.
struct Endpoint {
  std::string name;  // as the option has it
  std::string host;
  unsigned port = 0;
  std::string socket;  // the path of a socket; there is no host then

  /// Throws `InvalidUse` if the name is no address.
  static Endpoint parse(const std::string& name);
};

/// An error of the server, or of the client library.
class ServerError : public std::runtime_error {
 public:
  ServerError(unsigned number, std::string state, const std::string& text, bool executed)
      : std::runtime_error(text), number_(number), state_(std::move(state)), executed_(executed) {}

  unsigned number() const { return number_; }
  const std::string& state() const { return state_; }
  /// Whether the statement may have been executed. False if it was not sent.
  bool executed() const { return executed_; }
  /// Whether another server may succeed.
  bool is_of_endpoint() const;
  /// Whether an administrator or a time limit has ended the statement or the session. The statement did
  /// nothing, and may be tried again.
  bool is_interruption() const;
  /// Whether the server refuses the size of the statement or of its transaction. For errors before the
  /// COMMIT.
  bool is_too_large() const;
  /// Whether a cluster refuses the size of the transaction. For errors of the COMMIT, too.
  bool is_too_large_for_cluster() const;
  /// Whether the server has as many connections or prepared statements as it allows. It may allow another one
  /// soon.
  bool is_of_crowd() const;
  /// Whether the server has as many prepared statements as it allows, though this connection has closed its
  /// own. The statement did nothing.
  bool is_of_statements() const;
  /// Whether a node of a cluster is not, or not yet, connected with the other nodes, or too far behind them.
  /// This may pass within seconds.
  bool is_of_cluster() const;

 private:
  unsigned number_;
  std::string state_;
  bool executed_;
};

/// A session with a server, with the settings that the store needs. For one thread at a time. After an error,
/// the session may be used only if the caller knows that the error leaves it intact.
class Connection {
 public:
  using Parameter = std::variant<std::uint64_t, std::string_view>;
  using Row = std::vector<std::string>;  // numbers are in decimal

  /// Throws `ServerError`.
  Connection(const MySqlOptions& options, const Endpoint& endpoint);

  const Endpoint& endpoint() const { return endpoint_; }
  bool is_mariadb() const { return is_mariadb_; }
  bool is_galera() const { return is_galera_; }
  bool is_durable() const { return is_durable_; }
  /// A number that no other connection of any process has.
  std::uint64_t lane() const { return lane_; }
  std::uint64_t longest_packet() const { return longest_packet_; }

  /// Returns false if the server is known to have closed the connection.
  bool is_open() const;

  /// Runs a statement without parameters and rows. Its text is a constant: values are parameters.
  void run(const std::string& sql);

  /// Runs a statement, and keeps it prepared for the next time. Calls `row`, if it is not empty, with each
  /// row of the result. Returns the number of rows of the result, or else of affected rows.
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
