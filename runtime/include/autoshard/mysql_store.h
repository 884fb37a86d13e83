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
  /// Files in PEM format. `ca` holds the authorities that may have signed the server's certificate;
  /// `certificate` and `key` are this client's own, for servers that ask for one.
  std::string ca = {}, certificate = {}, key = {};
  /// Refuse to talk to a server without TLS. Also where one of the files is given.
  bool required = false;
  /// Refuse servers whose certificate is not signed by one of `ca`, or is for another name.
  bool verify = true;
};

struct MySqlOptions {
  /// Servers of one cluster, or one server: `host`, `host:port`, `[address]:port`, or the path of a socket.
  /// The first one that can be used is used for all; the next ones where it cannot. Transactions that meet on
  /// one server cost less than those that meet in the cluster: let processes that change the same entities
  /// have the same order.
  std::vector<std::string> endpoints = {"127.0.0.1:3306"};

  /// Of the database. The user may create tables in it, unless they are there already; never logged, and in
  /// no message.
  std::string user = {}, password = {};
  std::string database = "autoshard";
  /// Letters, digits and `_`. There is a second one of this name with `_reads` behind it, in which nothing
  /// ever stays.
  std::string table = "autoshard";

  MySqlTls tls = {};

  /// How long a call waits: to be connected, for an answer, and to have a request sent. A commit whose answer
  /// takes longer is `kUnknown`. At least a second each.
  std::chrono::seconds connect_timeout{2}, read_timeout{5}, write_timeout{5};

  /// So many reads, and so many commits, are under way at a time, each over a connection of its own; others
  /// wait for their turn, for `read_timeout` at most. A server gets through more with few connections than
  /// with very many. So many are kept when nobody uses them. Each snapshot has another one as long as it
  /// lives: all of these the server must allow.
  std::size_t connections = 16;

  /// Writes all of a transaction in one round trip, and commits it in another, where the server is a MariaDB,
  /// and no Galera node. Without, each statement takes its own: for proxies that do not let compound
  /// statements through.
  bool compound_commits = true;

  /// Called with one line when a server cannot be used, and with one when it can be again. From any thread,
  /// also several at a time; must not throw.
  std::function<void(std::string_view)> log = {};

  /// From the environment, as far as it is there: AUTOSHARD_MYSQL_ENDPOINTS, with commas between them,
  /// _USER, _PASSWORD, _DATABASE, _TABLE, _TLS_CA, _TLS_CERTIFICATE, _TLS_KEY, _TLS_REQUIRED and _TLS_VERIFY
  /// (0 or 1). Throws `InvalidUse` for a value that makes no sense.
  static MySqlOptions from_environment();
};

class MySqlDatabase;  // internal

#ifdef AUTOSHARD_HAS_MYSQL

/// One table of a server that speaks MySQL's protocol, or of a cluster of such. Tested on MariaDB 10.11,
/// alone and as a Galera cluster of three; made to run on MySQL 8, and by its protocol on TiDB and Vitess,
/// all of which are untested. Several processes may have it open. Not to be used in a child that was forked
/// since.
///
/// Commits write a new version of each record, and validate the versions of what was read. On a Galera
/// cluster, transactions of different nodes are validated against each other when they are replicated
/// ("certified"), and that sees what is written, not what is read. So there
/// - a transaction inserts, and removes, a row that refers to each record which it has read and does not
///   write, through a foreign key: to Galera a reference to that record, which others may have at the
///   same time;
/// - records are replaced by removing and inserting them, which Galera does not let pass beside a reference
///   to them, in either order, and never updated, which it does;
/// - the absence of a record is validated by inserting and removing it.
/// It rests on Galera 4's rules (a reference key conflicts with an exclusive one), and on `wsrep_sync_wait`
/// for reads that see what was committed on another node. Do not kill sessions while they commit: a node of
/// MariaDB 10.11 has come to a standstill then (see the README). Calls end all the same, and other nodes are
/// asked.
///
/// Keys have up to 3,000 bytes. A record has to fit into the server's `max_allowed_packet`, which is 64 KiB
/// at least; a commit is divided into statements that do. What is larger, or more than another limit of the
/// server allows (`max_binlog_cache_size`, `wsrep_max_ws_rows`, `wsrep_max_ws_size`), is `CommitTooLarge`.
///
/// Each session sets all variables that its statements depend on, whatever the server's administrator has set
/// for all (stores/mysql/session.cpp). A statement that is killed is made again for `read_timeout`, but for a
/// COMMIT, which is `kUnknown` then.
///
/// `kUnknown` is answered where the connection is lost, or the answer late, after a commit was sent. It may
/// still take effect later, but not once something that it has read has changed. `StoreUnavailable` is thrown
/// when none of the endpoints can be used: unreachable, read-only, or on the smaller side of a cluster. While
/// nodes of a cluster come and go, all of them refuse for some seconds: calls try again for `read_timeout`.
class MySqlStore final : public Store {
 public:
  using Options = MySqlOptions;

  /// Connects, and makes the table if there is none. Throws `InvalidUse` for options that make no
  /// sense; `StoreUnavailable` where no server can be reached or the table is none of AutoShard's;
  /// `SchemaMismatch` where a newer format wrote it.
  explicit MySqlStore(const Options& options);

  /// Closes the connections. No transaction, snapshot or cursor of it may be left.
  ~MySqlStore() override;

  StoreTraits traits() const override;
  std::unique_ptr<Transaction> begin() override;
  std::unique_ptr<Snapshot> snapshot() override;
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end) override;

 private:
  std::unique_ptr<MySqlDatabase> database_;
};

#else

inline namespace without_mysql {

/// What the name means in a program that does not link the component: a constructor that does not compile.
class MySqlStore {
 public:
  using Options = MySqlOptions;

  template <bool kIsLinked = false>
  explicit MySqlStore(const Options&) {
    static_assert(
        kIsLinked,
        "MySqlStore is in the component mysql: link AutoShard::mysql, or compile with "
        "-DAUTOSHARD_HAS_MYSQL and link libautoshard_mysql; where there is none, build AutoShard with "
        "-DAUTOSHARD_MYSQL=ON");
  }
  operator Store&() const;  // NOLINT(google-explicit-constructor): no second error
};

}  // namespace without_mysql

#endif

}  // namespace autoshard
