// Addresses of servers, and what errors of servers mean.

#include <autoshard/errors.h>
#include <gmock/gmock.h>
#include <mariadb/errmsg.h>
#include <mariadb/mysqld_error.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "mysql/connection.h"

namespace autoshard {
namespace {

using mysql_store::Endpoint;
using mysql_store::ServerError;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;
using Numbers = std::initializer_list<unsigned>;  // of errors

TEST(MySqlEndpoint, IsAHostAndAPortOrASocket) {
  struct Case {
    const char *name, *host;
    unsigned port;
    const char* socket;
  };
  for (const auto& [name, host, port, socket] :
       {Case{"db", "db", 3306, ""}, Case{"db:1", "db", 1, ""}, Case{"10.0.0.1:65535", "10.0.0.1", 65'535, ""},
        Case{"[::1]", "::1", 3306, ""}, Case{"[fe80::1]:3307", "fe80::1", 3307, ""},
        Case{"[db", "[db", 3306, ""}, Case{"/run/my:sql", "", 0, "/run/my:sql"}}) {
    const Endpoint endpoint = Endpoint::parse(name);
    EXPECT_EQ(endpoint.name, name);
    EXPECT_EQ(endpoint.host, host) << name;
    EXPECT_EQ(endpoint.port, port) << name;
    EXPECT_EQ(endpoint.socket, socket) << name;
  }
}

TEST(MySqlEndpoint, IsRefusedIfItIsNoAddress) {
  for (const char* name : {"db:", "db:x", "db:1x", "db:-1", "db:0", "db:65536", "db:99999999999", "::1",
                           "[::1", "[::1]:", "[::1]:x"}) {
    EXPECT_THAT([&] { Endpoint::parse(name); }, ThrowsMessage<InvalidUse>(HasSubstr("invalid port"))) << name;
  }
  for (const char* name : {"", ":1", "[]", "[]:1"})
    EXPECT_THAT([&] { Endpoint::parse(name); }, ThrowsMessage<InvalidUse>(HasSubstr("no host"))) << name;
}

/// The questions about an error whose answer is yes.
std::vector<std::string> meanings(unsigned number, const std::string& text = "") {
  const ServerError error(number, "HY000", text, true);
  std::vector<std::string> meanings;
  if (error.is_of_endpoint()) meanings.emplace_back("endpoint");
  if (error.is_interruption()) meanings.emplace_back("interruption");
  if (error.is_too_large()) meanings.emplace_back("too large");
  if (error.is_too_large_for_cluster()) meanings.emplace_back("too large for a cluster");
  if (error.is_of_crowd()) meanings.emplace_back("crowd");
  if (error.is_of_statements()) meanings.emplace_back("statements");
  if (error.is_of_cluster()) meanings.emplace_back("cluster");
  return meanings;
}

TEST(MySqlServerError, OfAServerThatCannotBeUsedIsOfItsEndpoint) {
  for (const unsigned number :
       Numbers{ER_SERVER_SHUTDOWN, ER_OPTION_PREVENTS_STATEMENT, ER_READ_ONLY_MODE, CR_MIN_ERROR,
               CR_UNKNOWN_ERROR, CR_SERVER_GONE_ERROR, CR_SERVER_LOST, CR_MAX_ERROR})
    EXPECT_THAT(meanings(number), ElementsAre("endpoint")) << number;
  for (const unsigned number : Numbers{ER_UNKNOWN_COM_ERROR, ER_LOCK_WAIT_TIMEOUT})
    EXPECT_THAT(meanings(number), ElementsAre("endpoint", "cluster")) << number;
  for (const unsigned number : Numbers{0, ER_DUP_ENTRY, ER_LOCK_DEADLOCK, CR_MIN_ERROR - 1, CR_MAX_ERROR + 1})
    EXPECT_THAT(meanings(number), IsEmpty()) << number;
}

TEST(MySqlServerError, OfAStatementThatWasEndedIsAnInterruption) {
  constexpr unsigned kQueryTimeoutOfMySql = 3024;
  for (const unsigned number :
       Numbers{ER_QUERY_INTERRUPTED, ER_CONNECTION_KILLED, ER_STATEMENT_TIMEOUT, kQueryTimeoutOfMySql})
    EXPECT_THAT(meanings(number), ElementsAre("interruption")) << number;
}

TEST(MySqlServerError, OfALimitOfBytesOrRowsIsOfTheSize) {
  for (const unsigned number : Numbers{ER_NET_PACKET_TOO_LARGE, CR_NET_PACKET_TOO_LARGE, ER_TRANS_CACHE_FULL,
                                       ER_LOCK_TABLE_FULL, ER_TOO_BIG_ROWSIZE})
    EXPECT_THAT(meanings(number), ElementsAre("too large")) << number;
  const std::string rows = "wsrep_max_ws_rows exceeded", bytes = "Maximum writeset size exceeded by 5";
  EXPECT_THAT(meanings(ER_ERROR_DURING_COMMIT, rows), ElementsAre("too large", "too large for a cluster"));
  EXPECT_THAT(meanings(ER_UNKNOWN_ERROR, bytes), ElementsAre("too large", "too large for a cluster"));
  EXPECT_THAT(meanings(ER_ERROR_DURING_COMMIT, bytes), IsEmpty()) << "another error of this number";
  EXPECT_THAT(meanings(ER_UNKNOWN_ERROR, rows), IsEmpty()) << "another error of this number";
}

TEST(MySqlServerError, OfALimitOfConnectionsOrStatementsIsOfACrowd) {
  EXPECT_THAT(meanings(ER_CON_COUNT_ERROR), ElementsAre("endpoint", "crowd"));
  for (const unsigned number : Numbers{ER_USER_LIMIT_REACHED, ER_TOO_MANY_USER_CONNECTIONS})
    EXPECT_THAT(meanings(number), ElementsAre("crowd")) << number;
  EXPECT_THAT(meanings(ER_MAX_PREPARED_STMT_COUNT_REACHED), ElementsAre("crowd", "statements"));
}

}  // namespace
}  // namespace autoshard
