// Single connections to a server, and the pool of them.

#include "connection.h"

#include <autoshard/errors.h>
#include <gmock/gmock.h>
#include <mariadb/errmsg.h>
#include <mariadb/mysqld_error.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mariadb_server.h"
#include "pool.h"
#include "proxy.h"
#include "session.h"

namespace autoshard::test {
namespace {

using mysql_store::Connection;
using mysql_store::Endpoint;
using mysql_store::Pool;
using mysql_store::ServerError;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

class MySqlConnection : public ::testing::Test {
 protected:
  /// The error of a call; none: the call has succeeded.
  template <class Call>
  static std::optional<ServerError> error_of(Call call) {
    try {
      call();
      return std::nullopt;
    } catch (const ServerError& error) {
      return error;
    }
  }

  TemporaryFolder folder_;
  const std::string socket_ = (folder_.path() / "proxy").string();
  Proxy proxy_{socket_, open_server().socket()};
  MySqlOptions options_ = [this] {
    MySqlOptions options = options_of_a_new_table({socket_});
    options.read_timeout = std::chrono::seconds(1);
    return options;
  }();
  const Endpoint endpoint_ = Endpoint::parse(socket_);
};

TEST_F(MySqlConnection, TellsErrorsOfUsersInItsOwnWords) {
  Connection connection(options_, endpoint_);
  const std::string login = "wrong user or password", database = "this user has no access to the database",
                    privilege = "this user lacks a privilege",
                    limit = "this user has reached its limit of connections or statements",
                    server = "told by the proxy";
  for (const auto& [number, text] :
       std::vector<std::pair<unsigned, std::string>>{{ER_ACCESS_DENIED_ERROR, login},
                                                     {ER_ACCESS_DENIED_NO_PASSWORD_ERROR, login},
                                                     {ER_DBACCESS_DENIED_ERROR, database},
                                                     {ER_TABLEACCESS_DENIED_ERROR, privilege},
                                                     {ER_COLUMNACCESS_DENIED_ERROR, privilege},
                                                     {ER_SPECIFIC_ACCESS_DENIED_ERROR, privilege},
                                                     {ER_USER_LIMIT_REACHED, limit},
                                                     {ER_TOO_MANY_USER_CONNECTIONS, limit},
                                                     {ER_DUP_ENTRY, server}}) {
    proxy_.refuse("SELECT 7", number);
    const std::optional<ServerError> error = error_of([&] { connection.run("SELECT 7"); });
    ASSERT_TRUE(error) << number;
    EXPECT_EQ(error->number(), number);
    EXPECT_EQ(error->what(), text + " (" + std::to_string(number) + ")");
    EXPECT_TRUE(error->executed());
  }
  EXPECT_TRUE(connection.is_open());
}

TEST_F(MySqlConnection, CountsTheRowsThatNobodyReads) {
  Connection connection(options_, endpoint_);
  EXPECT_EQ(connection.execute("SELECT seq FROM seq_1_to_3", {}), 3U);
}

TEST_F(MySqlConnection, GivesNoRowOfAStatementThatFailsAmongItsRows) {
  Connection connection(options_, endpoint_);
  std::vector<std::string> rows;
  const auto read = [&](Connection::Row& row) { rows.push_back(row[0]); };
  // The first row has a value, and the second one has two.
  const std::optional<ServerError> error = error_of([&] {
    connection.execute("SELECT (SELECT t.seq FROM seq_1_to_2 AS t WHERE t.seq <= s.seq) FROM seq_1_to_2 AS s",
                       {}, read);
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->number(), static_cast<unsigned>(ER_SUBQUERY_NO_1_ROW));
  EXPECT_TRUE(rows.empty());
  connection.execute("SELECT 7", {}, read);
  EXPECT_THAT(rows, ElementsAre("7"));
}

TEST_F(MySqlConnection, IsNotOpenOnceItIsLost) {
  Connection connection(options_, endpoint_);
  EXPECT_EQ(connection.execute("SELECT 7", {}), 1U);
  EXPECT_TRUE(connection.is_open());
  proxy_.break_before("SELECT 8");
  std::optional<ServerError> error = error_of([&] { connection.run("SELECT 8"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->number(), static_cast<unsigned>(CR_SERVER_LOST));
  EXPECT_FALSE(connection.is_open());
  error = error_of([&] { connection.execute("SELECT 7", {}); });
  ASSERT_TRUE(error) << "the statement was prepared for the lost connection";
  EXPECT_TRUE(error->is_of_endpoint()) << error->number();
}

TEST_F(MySqlConnection, SetsNothingInASessionThatIsAsItShouldBe) {
  Connection connection(options_, endpoint_);
  mysql_store::Variables variables;
  connection.execute("SHOW GLOBAL VARIABLES", {}, [&](Connection::Row& row) { variables[row[0]] = row[1]; });
  // SET SESSION name = value, SESSION name = value, ...
  std::string settings = mysql_store::set_variables(variables, options_);
  ASSERT_TRUE(settings.starts_with("SET SESSION "));
  for (std::size_t at = 0; (at = settings.find("SESSION", at)) != std::string::npos;)
    settings.replace(at, std::string("SESSION").size(), "GLOBAL");
  RunningServer server;
  server->ask(settings);
  Proxy proxy((folder_.path() / "other").string(), server->socket());
  proxy.refuse("SET SESSION", ER_PARSE_ERROR, true);
  const Endpoint endpoint = Endpoint::parse((folder_.path() / "other").string());
  EXPECT_NO_THROW(Connection(options_, endpoint).run("SELECT 7"));
  EXPECT_EQ(proxy.done(), 0U);
  server->ask("SET GLOBAL autocommit = OFF");
  EXPECT_THROW(Connection(options_, endpoint), ServerError);
  EXPECT_EQ(proxy.done(), 1U) << "a setting that differs";
}

class MySqlPool : public MySqlConnection {};

TEST_F(MySqlPool, ACallWaitsForItsTurnAsLongAsTheOptionsSay) {
  options_.connections = 1;
  Pool pool(options_);
  const Pool::Lease reading = pool.take(Pool::For::kRead);
  EXPECT_THAT([&] { pool.take(Pool::For::kRead); },
              ThrowsMessage<StoreUnavailable>(
                  HasSubstr("1 reads from MySQL servers are under way, and none ended within 1 s")));
  const Pool::Lease committing = pool.take(Pool::For::kCommit);
  EXPECT_THAT([&] { pool.take(Pool::For::kCommit); },
              ThrowsMessage<StoreUnavailable>(
                  HasSubstr("1 commits to MySQL servers are under way, and none ended within 1 s")));
}

TEST_F(MySqlPool, AServerThatIsFullIsAskedAgainForAsLongAsTheOptionsSay) {
  const std::string away = (folder_.path() / "away").string();
  options_.endpoints = {socket_, away, socket_};
  Pool pool(options_);
  const auto begin = std::chrono::steady_clock::now();
  proxy_.refuse("SET NAMES", ER_USER_LIMIT_REACHED, true);
  EXPECT_THAT(
      [&] { pool.take(Pool::For::kRead); },
      ThrowsMessage<StoreUnavailable>(AllOf(
          HasSubstr("no MySQL server can be used: " + socket_ + ": this user has reached its limit"),
          HasSubstr("; " + socket_ + ": this user has reached its limit"), HasSubstr("; " + away + ": "))));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, options_.read_timeout);
  EXPECT_GT(proxy_.done(), 2U);
  proxy_.refuse("SET NAMES", ER_USER_LIMIT_REACHED);
  EXPECT_NO_THROW(pool.take(Pool::For::kRead)) << "it has room again";
}

TEST_F(MySqlPool, AConnectionThatTheServerHasClosedIsNotUsedAgain) {
  Pool pool(options_);
  const std::uint64_t lane = [&] {
    Pool::Lease lease = pool.take(Pool::For::kRead);
    proxy_.send_error_behind_answer("SET @a = 7", ER_CONNECTION_KILLED);
    lease->run("SET @a = 7");
    EXPECT_EQ(proxy_.done(), 1U);
    const std::uint64_t lane_of_closed = lease->lane();
    lease.give_back();
    return lane_of_closed;
  }();
  const Pool::Lease lease = pool.take(Pool::For::kRead);
  EXPECT_NE(lease->lane(), lane);
  EXPECT_EQ(lease->execute("SELECT 7", {}), 1U);
}

TEST_F(MySqlPool, AServerThatRefusesForAnotherReasonIsAskedOnce) {
  Pool pool(options_);
  proxy_.refuse("SET NAMES", ER_READ_ONLY_MODE, true);
  EXPECT_THAT([&] { pool.take(Pool::For::kRead); }, ThrowsMessage<StoreUnavailable>(HasSubstr("(1836)")));
  EXPECT_EQ(proxy_.done(), 1U);
}

}  // namespace
}  // namespace autoshard::test
