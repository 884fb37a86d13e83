// Sessions are set as the store needs them, on servers of every kind.

#include "mysql/session.h"

#include <gmock/gmock.h>

namespace autoshard {
namespace {

using mysql_store::begin_session;
using mysql_store::objection;
using mysql_store::set_variables;
using mysql_store::Variables;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(MySqlSession, SetsNoVariableThatOnlyMariaDbHas) {
  EXPECT_THAT(begin_session(true), HasSubstr("max_statement_time"));
  EXPECT_THAT(begin_session(false), Not(HasSubstr("max_statement_time")));
  EXPECT_THAT(begin_session(false), HasSubstr("sql_select_limit"));
}

TEST(MySqlSession, SetsTheVariablesThatDifferAndNoOthers) {
  const std::string sql =
      set_variables({{"autocommit", "OFF"}, {"completion_type", "CHAIN"}, {"foreign_key_checks", "ON"}}, {});
  EXPECT_THAT(sql, HasSubstr("autocommit = ON"));
  EXPECT_THAT(sql, HasSubstr("completion_type = 'NO_CHAIN'"));
  EXPECT_THAT(sql, Not(HasSubstr("foreign_key_checks")));
  EXPECT_EQ(set_variables({{"autocommit", "ON"}}, {}), "");
}

TEST(MySqlSession, RefusesANodeThatKeepsWritesToItself) {
  Variables variables = {{"max_allowed_packet", "16777216"}};
  EXPECT_EQ(objection(variables), "");
  variables["wsrep_provider"] = "none";
  EXPECT_EQ(objection(variables), "");
  variables["wsrep_provider"] = "libgalera_smm.so";
  EXPECT_THAT(objection(variables), HasSubstr("set its variable wsrep_on to ON"));
  variables["wsrep_on"] = "ON";
  EXPECT_EQ(objection(variables), "");
  variables["max_allowed_packet"] = "1024";
  EXPECT_THAT(objection(variables), HasSubstr("max_allowed_packet of the server is below"));
}

TEST(MySqlSession, RefusesABinaryLogOfStatements) {
  Variables variables = {{"max_allowed_packet", "16777216"}, {"binlog_format", "STATEMENT"}};
  EXPECT_EQ(objection(variables), "");
  variables["log_bin"] = "ON";
  EXPECT_THAT(objection(variables), HasSubstr("set it to ROW"));
  variables["binlog_format"] = "MIXED";
  EXPECT_EQ(objection(variables), "");
}

}  // namespace
}  // namespace autoshard
