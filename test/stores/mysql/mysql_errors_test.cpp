// What a MySqlStore makes of what servers answer, error by error, and of those that do not let it in.

#include <autoshard/errors.h>
#include <autoshard/mysql_store.h>
#include <gmock/gmock.h>
#include <mariadb/mysqld_error.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "mariadb_server.h"
#include "proxy.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

struct Answer {
  unsigned error;
  const char* name;
  CommitOutcome always;        // in place of each statement; kUnknown stands for `StoreUnavailable`
  CommitOutcome after_commit;  // once, in place of the COMMIT
};

class MySqlErrors : public ::testing::TestWithParam<Answer> {
 protected:
  /// Of a transaction that has read nothing.
  CommitOutcome put() {
    const auto transaction = store_.begin();
    transaction->put("the key", "value");
    return transaction->commit();
  }
  std::string get() {
    std::string value;
    return store_.begin()->get("the key", value) ? value : "absent";
  }

  TemporaryFolder folder_;
  Proxy proxy_{(folder_.path() / "proxy").string(), open_server().socket()};
  MySqlStore store_{[this] {
    MySqlOptions options = options_of_a_new_table({(folder_.path() / "proxy").string()});
    options.read_timeout = std::chrono::seconds(1);  // so long it tries again
    return options;
  }()};
};

TEST_P(MySqlErrors, ThatPassAreNotSeen) {
  proxy_.refuse("the key", GetParam().error);
  if (GetParam().error == ER_ERROR_DURING_COMMIT) {  // which no statement should have
    EXPECT_THROW(put(), StoreUnavailable);
    return;
  }
  EXPECT_EQ(put(), CommitOutcome::kCommitted);
  EXPECT_EQ(proxy_.done(), 1u);
  EXPECT_EQ(get(), "value");
}

TEST_P(MySqlErrors, OfEachStatementAreAConflictOrNoStore) {
  proxy_.refuse("the key", GetParam().error, true);
  if (GetParam().always == CommitOutcome::kUnknown) {
    EXPECT_THROW(put(), StoreUnavailable);
  } else {
    EXPECT_EQ(put(), GetParam().always);
  }
  proxy_.hand_on_everything();
  EXPECT_EQ(get(), "absent");
  EXPECT_EQ(put(), CommitOutcome::kCommitted) << "afterwards";
}

TEST_P(MySqlErrors, OfTheCommitLeaveItUnknownUnlessItIsKnown) {
  proxy_.refuse("\3COMMIT", GetParam().error);
  EXPECT_EQ(put(), GetParam().after_commit);
  EXPECT_EQ(proxy_.done(), 1u);
  EXPECT_EQ(get(), GetParam().after_commit == CommitOutcome::kCommitted ? "value" : "absent");
  EXPECT_EQ(put(), CommitOutcome::kCommitted) << "afterwards";
}

TEST_P(MySqlErrors, OfAReadAreNoStore) {
  EXPECT_EQ(put(), CommitOutcome::kCommitted);
  proxy_.refuse("the key", GetParam().error, true);
  EXPECT_THROW(get(), StoreUnavailable);
  proxy_.hand_on_everything();
  EXPECT_EQ(get(), "value") << "afterwards";
}

constexpr CommitOutcome kCommitted = CommitOutcome::kCommitted, kConflict = CommitOutcome::kConflict,
                        kUnknown = CommitOutcome::kUnknown;

INSTANTIATE_TEST_SUITE_P(
    Answers, MySqlErrors,
    ::testing::Values(Answer{ER_LOCK_DEADLOCK, "Deadlock1213", kConflict, kCommitted},
                      Answer{ER_LOCK_WAIT_TIMEOUT, "LockWait1205", kConflict, kUnknown},
                      Answer{ER_UNKNOWN_COM_ERROR, "NotPrimary1047", kUnknown, kUnknown},
                      Answer{ER_OPTION_PREVENTS_STATEMENT, "ReadOnlyOption1290", kUnknown, kUnknown},
                      Answer{ER_READ_ONLY_MODE, "ReadOnlyMode1836", kUnknown, kUnknown},
                      Answer{ER_CONNECTION_KILLED, "ConnectionKilled1927", kUnknown, kUnknown},
                      Answer{ER_QUERY_INTERRUPTED, "Interrupted1317", kUnknown, kUnknown},
                      Answer{ER_STATEMENT_TIMEOUT, "TimedOut1969", kUnknown, kUnknown},
                      Answer{ER_ROW_IS_REFERENCED, "Referenced1217", kConflict, kUnknown},
                      Answer{ER_ROW_IS_REFERENCED_2, "Referenced1451", kConflict, kUnknown},
                      Answer{ER_NO_REFERENCED_ROW, "NotReferenced1216", kConflict, kUnknown},
                      Answer{ER_NO_REFERENCED_ROW_2, "NotReferenced1452", kConflict, kUnknown},
                      Answer{ER_CHECKREAD, "Changed1020", kConflict, kUnknown},
                      Answer{ER_ERROR_DURING_COMMIT, "DuringCommit1180", kUnknown, kUnknown}),
    [](const auto& tested) { return tested.param.name; });

// 2013, a connection lost before the answer, and 2006, one that is found closed, are the client's own.
using MySqlLostConnections = MySqlErrors;

TEST_F(MySqlLostConnections, BeforeTheCommitAreMadeAgain) {
  proxy_.break_instead_of_answer("the key");  // 2013
  EXPECT_EQ(put(), CommitOutcome::kCommitted);
  EXPECT_EQ(proxy_.done(), 1u);
  proxy_.break_before("the key");
  EXPECT_EQ(get(), "value");
  EXPECT_EQ(proxy_.done(), 1u);
}

TEST_F(MySqlLostConnections, AtTheCommitLeaveItUnknown) {
  proxy_.break_instead_of_answer("\3COMMIT");  // 2013
  EXPECT_EQ(put(), CommitOutcome::kUnknown);
  EXPECT_EQ(get(), "value");
}

TEST_F(MySqlLostConnections, ThatTheServerHasClosedMeanwhileAreMadeAgain) {
  EXPECT_EQ(put(), CommitOutcome::kCommitted);
  open_server().ask(
      "BEGIN NOT ATOMIC FOR other IN (SELECT id FROM information_schema.processlist WHERE id <> "
      "CONNECTION_ID() AND command <> 'Daemon') DO KILL CONNECTION other.id; END FOR; END");  // 2006
  EXPECT_EQ(put(), CommitOutcome::kCommitted);
}

using MySqlSnapshots = MySqlErrors;

TEST_F(MySqlSnapshots, PrepareAStatementAgainOnceTheServerHasRoom) {
  EXPECT_EQ(put(), CommitOutcome::kCommitted);
  const auto other = store_.snapshot();     // has the connection of the commit
  const auto snapshot = store_.snapshot();  // has a new one, without statements that it could give up
  constexpr char kPrepare = 22;             // begins a packet of the protocol
  proxy_.refuse(kPrepare + std::string("SELECT v"), ER_MAX_PREPARED_STMT_COUNT_REACHED);
  std::string value;
  EXPECT_TRUE(snapshot->get("the key", value));
  EXPECT_EQ(proxy_.done(), 1U);
  EXPECT_EQ(value, "value");
}

TEST_F(MySqlSnapshots, RunAStatementThatIsInterruptedAgainForAsLongAsTheOptionsSay) {
  EXPECT_EQ(put(), CommitOutcome::kCommitted);
  const auto begin = std::chrono::steady_clock::now();
  proxy_.refuse("the key", ER_QUERY_INTERRUPTED, true);
  std::string value;
  EXPECT_THAT([&] { store_.snapshot()->get("the key", value); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("(1317)")));
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  EXPECT_GT(proxy_.done(), 1U);
  proxy_.hand_on_everything();
  EXPECT_TRUE(store_.snapshot()->get("the key", value)) << "afterwards";
}

/// The state of the snapshot is gone with the connection.
TEST_F(MySqlSnapshots, RunNoStatementAgainOnceTheServerHasClosedTheConnection) {
  EXPECT_EQ(put(), CommitOutcome::kCommitted);
  proxy_.send_error_behind_answer("START TRANSACTION WITH CONSISTENT SNAPSHOT", ER_CONNECTION_KILLED);
  const auto snapshot = store_.snapshot();
  EXPECT_EQ(proxy_.done(), 1U);
  std::string value;
  EXPECT_THAT([&] { snapshot->get("the key", value); }, ThrowsMessage<StoreUnavailable>(HasSubstr("(1927)")));
  EXPECT_TRUE(store_.snapshot()->get("the key", value)) << "afterwards";
}

/// Lets in who has a password, some of them over TLS only.
class MySqlLogin : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    make_server_folder(folder_->path());
    for (const char* name : {"ca", "other"}) make_certificate(name, true);
    for (const char* name : {"server", "client"}) make_certificate(name, false);
    server_ = std::make_unique<MariaDbServer>(
        folder_->path() / "server",
        std::vector<std::string>{"--port=" + std::to_string(port_ = free_port()),
                                 "--ssl-ca=" + file("ca.pem"), "--ssl-cert=" + file("server.pem"),
                                 "--ssl-key=" + file("server.key")});
    server_->install();
    server_->start();
    server_->wait_until_ready();
    server_->ask("CREATE USER Ursula@'%' IDENTIFIED BY 'Geheim'");
    server_->ask("CREATE USER Theo@'%' IDENTIFIED BY 'Geheim' REQUIRE SSL");
    server_->ask("GRANT ALL ON autoshard.* TO Ursula@'%'");
    server_->ask("GRANT ALL ON autoshard.* TO Theo@'%'");
    server_->ask("CREATE USER Xaver@'%' IDENTIFIED BY 'Geheim' REQUIRE X509");
    server_->ask("GRANT ALL ON autoshard.* TO Xaver@'%'");
  }
  static void TearDownTestSuite() {
    server_.reset();
    folder_.reset();
  }

  static std::string file(const std::string& name) { return (folder_->path() / name).string(); }

  static void run(const std::string& command) {
    // NOLINTNEXTLINE(bugprone-command-processor): the command is the test's own
    if (std::system((command + " >/dev/null 2>&1").c_str()) != 0) throw std::runtime_error(command);
  }

  /// Signed by itself, or by the authority `ca`.
  static void make_certificate(const std::string& name, bool by_itself) {
    run("openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=" + name +
        " -addext subjectAltName=IP:127.0.0.1 -keyout " + file(name + ".key") + " -out " +
        file(name + ".pem") +
        (by_itself
             ? ""
             : " -addext basicConstraints=CA:FALSE -CA " + file("ca.pem") + " -CAkey " + file("ca.key")));
    run("chmod a+r " + file(name + ".key"));
  }

  static MySqlOptions options(const std::string& user, const std::string& password,
                              const MySqlTls& tls = {}) {
    MySqlOptions options = options_of_a_new_table({"127.0.0.1:" + std::to_string(port_)});
    options.user = user;
    options.password = password;
    options.tls = tls;
    return options;
  }

  /// Empty if it lets itself be opened.
  static std::string refusal(const MySqlOptions& options) {
    try {
      const MySqlStore store(options);
      return {};
    } catch (const StoreUnavailable& error) {
      return error.what();
    }
  }

  static std::unique_ptr<TemporaryFolder> folder_;
  static std::unique_ptr<MariaDbServer> server_;
  static std::uint16_t port_;
};

std::unique_ptr<TemporaryFolder> MySqlLogin::folder_;
std::unique_ptr<MariaDbServer> MySqlLogin::server_;
std::uint16_t MySqlLogin::port_ = 0;

TEST_F(MySqlLogin, NeedsThePassword) {
  EXPECT_EQ(refusal(options("Ursula", "Geheim")), "");
  const std::string message = refusal(options("Ursula", "Falsch"));
  EXPECT_THAT(message, HasSubstr("wrong user or password"));
  for (const char* secret : {"Ursula", "Geheim", "Falsch"}) EXPECT_THAT(message, Not(HasSubstr(secret)));
}

// Who may only read, reads; and what it may not do is told without its name.
TEST_F(MySqlLogin, OfAUserWhoMayOnlyReadIsEnoughToRead) {
  server_->ask("CREATE USER Rosa@'%' IDENTIFIED BY 'Geheim'");
  server_->ask("GRANT SELECT ON autoshard.* TO Rosa@'%'");
  MySqlOptions writer = options("Ursula", "Geheim"), reader = writer;
  reader.user = "Rosa";
  EXPECT_NE(refusal(reader), "") << "there is no table yet";
  EXPECT_THAT(refusal(reader), Not(HasSubstr("Rosa")));
  MySqlStore written(writer);
  const auto transaction = written.begin();
  transaction->put("key", "value");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  MySqlStore read(reader);
  std::string value;
  EXPECT_TRUE(read.begin()->get("key", value));
  const auto writing = read.begin();
  writing->put("key", "other");
  try {
    writing->commit();
    ADD_FAILURE() << "it may not";
  } catch (const StoreUnavailable& error) {
    EXPECT_THAT(error.what(), HasSubstr("this user lacks a privilege"));
    EXPECT_THAT(error.what(), Not(HasSubstr("Rosa")));
  }
}

TEST_F(MySqlLogin, IsOverTlsWhereThatIsAskedFor) {
  EXPECT_NE(refusal(options("Theo", "Geheim")), "") << "the user is let in over TLS only";
  EXPECT_EQ(refusal(options("Theo", "Geheim", {.ca = file("ca.pem")})), "");
  EXPECT_EQ(refusal(options("Theo", "Geheim", {.required = true, .verify = false})), "");
}

TEST_F(MySqlLogin, ShowsTheCertificateOfTheClient) {
  EXPECT_NE(refusal(options("Xaver", "Geheim", {.ca = file("ca.pem")})), "") << "no certificate is shown";
  EXPECT_EQ(refusal(options("Xaver", "Geheim",
                            {.certificate = file("client.pem"), .key = file("client.key"), .verify = false})),
            "");
}

/// A user whose privileges for single columns do not suffice.
TEST_F(MySqlLogin, OfAUserWhoMayNotReadAColumnIsRefused) {
  const MySqlOptions writer = options("Ursula", "Geheim");
  ASSERT_EQ(refusal(writer), "");
  MySqlOptions reader = writer;
  reader.user = "Karl";
  server_->ask("CREATE USER Karl@'%' IDENTIFIED BY 'Geheim'");
  server_->ask("GRANT SELECT (k) ON autoshard." + writer.table + " TO Karl@'%'");
  EXPECT_THAT(refusal(reader), HasSubstr("this user lacks a privilege"));
  EXPECT_THAT(refusal(reader), Not(HasSubstr("Karl")));
}

TEST_F(MySqlLogin, RefusesAServerThatItsAuthoritiesDoNotKnow) {
  EXPECT_NE(refusal(options("Theo", "Geheim", {.ca = file("other.pem")})), "");
}

TEST_F(MySqlLogin, RefusesAServerWithoutTlsWhereItIsRequired) {
  MySqlOptions options = options_of_a_new_table({open_server().socket()});
  EXPECT_EQ(refusal(options), "");
  options.tls.required = true;
  EXPECT_NE(refusal(options), "");
  options.tls = {.key = file("client.key")};
  EXPECT_NE(refusal(options), "") << "a key is of use with TLS alone";
}

}  // namespace
}  // namespace autoshard::test
