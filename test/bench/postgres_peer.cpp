#include <fmt/format.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <stdexcept>
#include <string>

#include "contestants.h"
#include "machine.h"
#include "process.h"
#include "support/server.h"

namespace autoshard::bench {
namespace {

struct Free {
  void operator()(PGconn* connection) const { PQfinish(connection); }
  void operator()(PGresult* result) const { PQclear(result); }
};
using Connection = std::unique_ptr<PGconn, Free>;
using Result = std::unique_ptr<PGresult, Free>;

/// The folder of the newest server's programs; empty if there is none. Debian keeps them out of the PATH.
std::filesystem::path programs() {
  if (const auto program = test::find_program("initdb")) return program->parent_path();
  std::filesystem::path newest;
  int version = 0;
  std::error_code none;
  for (const auto& folder : std::filesystem::directory_iterator("/usr/lib/postgresql", none)) {
    const std::string name = folder.path().filename();
    int number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    if (number > version && std::filesystem::exists(folder.path() / "bin/initdb")) {
      version = number;
      newest = folder.path() / "bin";
    }
  }
  return newest;
}

/// PostgreSQL refuses to run as root: the user that its package has made.
const passwd* other_user() { return geteuid() == 0 ? getpwnam("postgres") : nullptr; }

std::vector<std::string> as_other_user(std::vector<std::string> command) {
  if (const passwd* const user = other_user()) {
    const auto setpriv = test::find_program("setpriv");
    if (!setpriv) throw std::runtime_error("no setpriv, to run PostgreSQL as another user than root");
    const std::vector<std::string> prefix = {setpriv->string(),
                                             fmt::format("--reuid={}", user->pw_uid),
                                             fmt::format("--regid={}", user->pw_gid),
                                             "--init-groups",
                                             "--pdeathsig=INT",
                                             "--"};
    command.insert(command.begin(), prefix.begin(), prefix.end());
  }
  return command;
}

/// Makes a folder that the server may write to.
void make_folder(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  const passwd* const user = other_user();
  if (user && chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0)
    throw std::runtime_error("cannot give away " + folder.string());
}

class Postgres final : public Counters {
 public:
  Postgres(const Setting& setting, unsigned slots)
      : slots_(slots), server_(command(setting), setting.folder, SIGINT) {
    server_.wait_until([this] {
      const Connection connection(PQconnectdb(address().c_str()));
      return PQstatus(connection.get()) == CONNECTION_OK;
    });
    const Connection connection = connect();
    // Room on each page, so that an update need not touch the index.
    query(*connection,
          "CREATE TABLE IF NOT EXISTS votes (entity int, slot int, n bigint NOT NULL, PRIMARY KEY (entity, "
          "slot)) "
          "WITH (fillfactor = 50)");
    query(*connection,
          fmt::format("INSERT INTO votes SELECT entity, slot, 0 FROM generate_series(0, {}) entity, "
                      "generate_series(0, {}) slot ON CONFLICT DO NOTHING",
                      setting.entities - 1, slots - 1));
  }

  void run(Lap& lap) override {
    const Connection connection = connect();
    check(*connection,
          Result(PQprepare(connection.get(), "vote",
                           "UPDATE votes SET n = n + 1 WHERE entity = $1 AND slot = $2", 0, nullptr)));
    run_blocking(lap, [&](int entity) {
      const std::string first = std::to_string(entity),
                        second = std::to_string(slots_ == 1 ? 0 : lap.random(slots_));
      const char* const parameters[] = {first.c_str(), second.c_str()};
      check(*connection,
            Result(PQexecPrepared(connection.get(), "vote", 2, parameters, nullptr, nullptr, 0)));
      return true;
    });
  }

  std::uint64_t total() override {
    const Connection connection = connect();
    return std::stoull(PQgetvalue(query(*connection, "SELECT sum(n) FROM votes").get(), 0, 0));
  }

 private:
  std::string address() const {
    return fmt::format("host={} user=postgres dbname=postgres options='-c client_min_messages=warning'",
                       sockets_.path().string());
  }

  std::vector<std::string> command(const Setting& setting) const {
    const std::filesystem::path data = setting.folder / "data";
    if (!std::filesystem::exists(data)) {
      make_folder(data);
      run_process(as_other_user({(programs() / "initdb").string(), "-D", data.string(), "-U", "postgres",
                                 "-A", "trust", "--locale=C", "--no-sync"}),
                  "/", setting.folder / "initdb.log");
    }
    make_folder(sockets_.path());
    return as_other_user({(programs() / "postgres").string(), "-D", data.string(), "-k",
                          sockets_.path().string(), "-c", "listen_addresses=", "-c",
                          fmt::format("max_connections={}", setting.threads + 10), "-c",
                          fmt::format("fsync={}", setting.sync ? "on" : "off")});
  }

  Connection connect() const {
    Connection connection(PQconnectdb(address().c_str()));
    if (PQstatus(connection.get()) != CONNECTION_OK)
      throw std::runtime_error(PQerrorMessage(connection.get()));
    return connection;
  }

  static Result check(PGconn& connection, Result result) {
    const ExecStatusType status = PQresultStatus(result.get());
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
      throw std::runtime_error(PQerrorMessage(&connection));
    return result;
  }
  static Result query(PGconn& connection, const std::string& text) {
    return check(connection, Result(PQexec(&connection, text.c_str())));
  }

  const unsigned slots_;
  const WorkFolder sockets_{std::filesystem::temp_directory_path()};
  test::Server server_;
};

}  // namespace

std::vector<Contestant> postgres_peers() {
  if (programs().empty() || (geteuid() == 0 && !other_user())) return {};
  const auto with_slots = [](unsigned slots) {
    return [slots](const Setting& setting) -> std::unique_ptr<Counters> {
      return std::make_unique<Postgres>(setting, slots);
    };
  };
  return {{"peer-postgres", "PostgreSQL UPDATE, one row", with_slots(1)},
          {"peer-postgres-64", "PostgreSQL UPDATE, 64 rows", with_slots(64)}};
}

}  // namespace autoshard::bench
