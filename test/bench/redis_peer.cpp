#include <fmt/format.h>
#include <hiredis/hiredis.h>
#include <signal.h>

#include <memory>
#include <stdexcept>

#include "contestants.h"
#include "machine.h"
#include "support/server.h"

namespace autoshard::bench {
namespace {

struct Free {
  void operator()(redisContext* connection) const { redisFree(connection); }
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Connection = std::unique_ptr<redisContext, Free>;
using Reply = std::unique_ptr<redisReply, Free>;

/// Debian's package of tools has the server, too, but not under its name: it is one program that goes by the
/// name that it is called by.
std::filesystem::path redis_program(const std::filesystem::path& folder) {
  if (const auto server = test::find_program("redis-server")) return *server;
  const auto program = test::find_program("redis-check-rdb");
  if (!program) return {};
  std::filesystem::path link = folder / "redis-server";
  if (!std::filesystem::exists(link)) std::filesystem::create_symlink(*program, link);
  return link;
}

class Redis final : public Counters {
 public:
  explicit Redis(const Setting& setting)
      : entities_(setting.entities), server_(command(setting), setting.folder, SIGTERM) {
    server_.wait_until([this] {
      const Connection connection(redisConnectUnix(socket().c_str()));
      if (!connection || connection->err != 0) return false;
      const Reply reply(static_cast<redisReply*>(redisCommand(connection.get(), "PING")));
      return reply && reply->type == REDIS_REPLY_STATUS;  // an error while it reads its file
    });
  }

  void run(Lap& lap) override {
    const Connection connection = connect();
    run_blocking(lap, [&](int entity) {
      number(*connection, fmt::format("INCR votes:{}", entity));
      return true;
    });
  }

  std::uint64_t total() override {
    const Connection connection = connect();
    std::uint64_t sum = 0;
    for (int entity = 0; entity < entities_; ++entity)
      sum += number(*connection, fmt::format("INCRBY votes:{} 0", entity));
    return sum;
  }

 private:
  std::string socket() const { return (sockets_.path() / "redis").string(); }

  std::vector<std::string> command(const Setting& setting) const {
    std::filesystem::create_directories(setting.folder);
    // Without sync: written to the file before the answer, as RocksDB does it.
    return {redis_program(setting.folder).string(),
            "--port",
            "0",
            "--unixsocket",
            socket(),
            "--dir",
            setting.folder.string(),
            "--save",
            "",
            "--appendonly",
            "yes",
            "--appendfsync",
            setting.sync ? "always" : "no"};
  }

  Connection connect() const {
    Connection connection(redisConnectUnix(socket().c_str()));
    if (!connection || connection->err != 0) throw std::runtime_error("cannot connect to Redis");
    return connection;
  }

  static std::uint64_t number(redisContext& connection, const std::string& command) {
    const Reply reply(static_cast<redisReply*>(redisCommand(&connection, command.c_str())));
    if (!reply) throw std::runtime_error(connection.errstr);
    if (reply->type != REDIS_REPLY_INTEGER) throw std::runtime_error(std::string(reply->str, reply->len));
    return static_cast<std::uint64_t>(reply->integer);
  }

  const int entities_;
  const WorkFolder sockets_{std::filesystem::temp_directory_path()};
  test::Server server_;
};

}  // namespace

std::vector<Contestant> redis_peers() {
  if (!test::find_program("redis-server") && !test::find_program("redis-check-rdb")) return {};
  return {
      {"peer-redis", "Redis INCR, append-only file",
       [](const Setting& setting) -> std::unique_ptr<Counters> { return std::make_unique<Redis>(setting); }}};
}

}  // namespace autoshard::bench
