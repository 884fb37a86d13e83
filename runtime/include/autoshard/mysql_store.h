#pragma once

#include <autoshard/store.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard {

struct MySqlTls {
  /// Files in PEM format. `ca` holds the authorities that may have signed the server's certificate.
  /// `certificate` and `key` are this client's own, for servers that ask for a certificate.
  std::string ca = {}, certificate = {}, key = {};
  /// Refuse to talk to a server without TLS. Implied if one of the files is given.
  bool required = false;
  /// Refuse a server whose certificate is not signed by one of `ca`, or is for another name.
  bool verify = true;
};

struct MySqlOptions {
  /// The servers of one cluster, or one server: `host`, `host:port`, `[address]:port`, or the path of a
  /// socket. All connections use the first server that can be used. Conflicting transactions cost less on one
  /// server than in a cluster, so processes that change the same entities should list the servers in the same
  /// order.
  std::vector<std::string> endpoints = {"127.0.0.1:3306"};

  /// The credentials for the database. The user needs the right to create tables, unless the tables already
  /// exist. User and password are never logged and are in no message.
  std::string user = {}, password = {};
  std::string database = "autoshard";
  /// At most 50 letters, digits and `_`. There is a second table of this name with `_reads` appended, which
  /// is always empty between transactions.
  std::string table = "autoshard";
  /// Make the tables that do not exist. If false, a missing table is `InvalidUse`, and opening the store
  /// changes nothing.
  bool create_tables = true;

  MySqlTls tls = {};

  /// The time that a call waits to be connected, for an answer, and to have a request sent. A commit whose
  /// answer takes longer is `kUnknown`. At least a second each.
  std::chrono::seconds connect_timeout{2}, read_timeout{5}, write_timeout{5};

  /// The number of concurrent reads, and of concurrent commits, each over a connection of its own. Other
  /// calls wait for a connection, for `read_timeout` at most. A server achieves more with few connections
  /// than with very many. This many idle connections are kept. Each snapshot has a further connection during
  /// its lifetime; the server must allow all of these connections.
  std::size_t connections = 16;

  /// Sends all writes of a transaction in one round trip, and its commit in another, if the server is a
  /// MariaDB and no Galera node. If false, each statement takes a round trip: for proxies that do not pass
  /// compound statements.
  bool compound_commits = true;

  /// Called with one line when a server cannot be used, and with another line when it can be used again.
  /// Called from any thread, also concurrently. Must not throw.
  std::function<void(std::string_view)> log = {};

  /// Reads the variables of the environment that are set: AUTOSHARD_MYSQL_ENDPOINTS, separated by commas,
  /// _USER, _PASSWORD, _DATABASE, _TABLE, _TLS_CA, _TLS_CERTIFICATE, _TLS_KEY, _TLS_REQUIRED and _TLS_VERIFY
  /// (0 or 1). Throws `InvalidUse` for a value that makes no sense.
  static MySqlOptions from_environment();
};

namespace mysql_store {  // internal
class Database;
}

#ifdef AUTOSHARD_HAS_MYSQL

/// One table of a server, or of a cluster of servers, that speaks MySQL's protocol. Tested on MariaDB 10.11,
/// alone and as a Galera cluster of three. Written to run on MySQL 8 too, and by its protocol on TiDB and
/// Vitess; these three are untested. Several processes may have the table open. Must not be used in a child
/// process that was forked afterwards.
///
/// Commits write a new version of each record, and validate the versions of the records that were read. On a
/// Galera cluster, transactions of different nodes are validated against each other when they are replicated
/// ("certified"). Certification sees writes, not reads. Therefore, on a Galera cluster:
/// - a transaction inserts and removes a row for each record that it has read and does not write. The row
///   refers to the record through a foreign key. Galera treats that as a reference to the record, and several
///   transactions may hold such a reference at the same time;
/// - records are replaced by removing and inserting them, never updated. Galera rejects a removal and
///   insertion beside a reference, in either order, but lets an update pass;
/// - the absence of a record is validated by inserting and removing it. This relies on Galera 4's rules (a
///   reference key conflicts with an exclusive one), and on `wsrep_sync_wait` for reads that see commits of
///   other nodes. Do not kill sessions while they commit: a node of MariaDB 10.11 has come to a standstill
///   then. Calls end all the same, and use other nodes.
///
/// Keys have up to 3,000 bytes. A record has to fit into the server's `max_allowed_packet`, which is at least
/// 64 KiB; a commit is divided into statements that fit. A larger record, or a commit beyond another limit of
/// the server (`max_binlog_cache_size`, `wsrep_max_ws_rows`, `wsrep_max_ws_size`), is `CommitTooLarge`.
///
/// Each session sets all variables that its statements depend on, whatever the server's global settings are.
/// A statement that is killed is repeated for `read_timeout`. A COMMIT that is killed is not repeated; its
/// outcome is `kUnknown`. A connection that is killed counts as a failure of its server: the call goes on
/// with another connection, of the next endpoint if there is one, and throws `StoreUnavailable` after another
/// such failure.
///
/// `kUnknown` is the answer if the connection is lost, or the answer is late, after a commit was sent. The
/// commit may still take effect later, but not once a record that it has read has changed. `StoreUnavailable`
/// is thrown if none of the endpoints can be used: unreachable, read-only, or on the smaller side of a
/// cluster. While nodes of a cluster come and go, all of them refuse for some seconds: calls try again for
/// `read_timeout`.
class MySqlStore final : public Store {
 public:
  using Options = MySqlOptions;

  /// Connects, and creates the tables that do not exist. Throws `InvalidUse` for options that make no sense,
  /// `StoreUnavailable` if no server can be reached or the table is not AutoShard's, and `SchemaMismatch` if
  /// a newer format wrote the table.
  explicit MySqlStore(const Options& options);

  /// Closes the connections. All transactions, snapshots and cursors of the store must be destroyed before.
  ~MySqlStore() override;

  StoreTraits traits() const override;
  std::unique_ptr<Transaction> begin() override;
  std::unique_ptr<Snapshot> snapshot() override;
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end) override;

 private:
  std::unique_ptr<mysql_store::Database> database_;
};

#else

inline namespace without_mysql {

/// Stands in for the class in a source that is compiled without the component: any use that needs the
/// definition does not compile.
template <bool kIsLinked = false>
class MySqlStoreWithoutComponent {
  static_assert(
      kIsLinked,
      "MySqlStore is in the component mysql: link AutoShard::mysql, or compile with "
      "-DAUTOSHARD_HAS_MYSQL and link libautoshard_mysql; if the component is missing, build AutoShard with "
      "-DAUTOSHARD_MYSQL=ON");

 public:
  using Options = MySqlOptions;

  explicit MySqlStoreWithoutComponent(const Options&);
  operator Store&() const;  // NOLINT(google-explicit-constructor): no second error
};

using MySqlStore = MySqlStoreWithoutComponent<>;

}  // namespace without_mysql

#endif

}  // namespace autoshard
