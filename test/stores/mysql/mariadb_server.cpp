#include "mariadb_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <mariadb/mysql.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kServer = MARIADBD;

/// Who runs servers where this process is root, as which they do not run. Null otherwise.
const passwd* server_user() { return geteuid() == 0 ? getpwnam("mysql") : nullptr; }

}  // namespace

void make_server_folder(const fs::path& folder) {
  fs::create_directories(folder);
  const passwd* const user = server_user();
  if (user && chown(folder.c_str(), user->pw_uid, user->pw_gid) != 0)
    throw std::runtime_error("cannot give a folder to the server");
}

MariaDbServer::MariaDbServer(const fs::path& folder, std::vector<std::string> arguments)
    : folder_(folder), arguments_(std::move(arguments)) {
  make_server_folder(folder_);
  make_server_folder(data());
  make_server_folder(data() / "mysql");
  make_server_folder(temporary());
}

MariaDbServer::~MariaDbServer() { kill(); }

void MariaDbServer::install() const {
  const std::string command =
      "mariadb-install-db --no-defaults --skip-test-db --innodb-log-file-size=16M "
      "--auth-root-authentication-method=normal " +
      std::string(server_user() ? "--user=mysql " : "") + "--datadir=" + data().string() +
      " --tmpdir=" + temporary().string() + " >" + (folder_ / "install.log").string() + " 2>&1";
  // NOLINTNEXTLINE(bugprone-command-processor): the command is the test's own
  if (std::system(command.c_str()) != 0) fail("cannot make a database", "install.log");
}

void MariaDbServer::start(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {kServer,
                                    "--no-defaults",
                                    "--skip-name-resolve",
                                    "--performance-schema=OFF",
                                    "--datadir=" + data().string(),
                                    "--tmpdir=" + temporary().string(),
                                    "--socket=" + socket(),
                                    "--pid-file=" + (folder_ / "pid").string(),
                                    "--bind-address=127.0.0.1",
                                    "--binlog-format=ROW",
                                    "--innodb-autoinc-lock-mode=2",
                                    "--innodb-flush-log-at-trx-commit=1",
                                    "--innodb-buffer-pool-size=16M",
                                    "--innodb-log-file-size=16M",
                                    "--innodb-data-file-path=ibdata1:12M:autoextend",
                                    "--innodb-temp-data-file-path=ibtmp1:4M:autoextend"};
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string log = (folder_ / "log").string();
  const passwd* const user = server_user();
  fs::remove(socket());
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot start a process");
  if (process_ > 0) return;
  if (network_ >= 0 && setns(network_, CLONE_NEWNET) != 0) _exit(126);
  // Before the signal of the parent's death is set, for a change of users unsets that.
  if (user && (setgid(user->pw_gid) != 0 || setuid(user->pw_uid) != 0)) _exit(126);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  setpgid(0, 0);
  const int out = open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  execv(kServer, pointers.data());
  _exit(127);
}

void MariaDbServer::wait_until(const std::string& question, const std::string& answer) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  std::string last;
  for (;;) {
    try {
      last = ask(question);
      if (last == answer) return;
    } catch (const std::runtime_error& error) {
      last = error.what();
    }
    if (waitpid(process_, nullptr, WNOHANG) == process_) {
      process_ = -1;
      fail("mariadbd has ended");
    }
    if (std::chrono::steady_clock::now() > deadline)
      fail("mariadbd answers " + last + " and not " + answer + " to " + question);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

void MariaDbServer::wait_until_ready() {
  wait_until("SELECT 1", "1");
  ask("CREATE DATABASE IF NOT EXISTS autoshard");
}

void MariaDbServer::wait_for_end() {
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

void MariaDbServer::signal(int number) const {
  if (process_ > 0) ::kill(process_, number);
}

void MariaDbServer::kill() {
  if (process_ < 0) return;
  signal(SIGKILL);
  wait_for_end();
}

std::string MariaDbServer::ask(const std::string& sql) const {
  const std::unique_ptr<MYSQL, void (*)(MYSQL*)> connection(mysql_init(nullptr), mysql_close);
  const unsigned patience = 20;
  mysql_options(connection.get(), MYSQL_OPT_READ_TIMEOUT, &patience);
  if (!mysql_real_connect(connection.get(), nullptr, "root", "", nullptr, 0, socket().c_str(), 0) ||
      mysql_query(connection.get(), sql.c_str()) != 0)
    throw std::runtime_error(mysql_error(connection.get()));
  const std::unique_ptr<MYSQL_RES, void (*)(MYSQL_RES*)> result(mysql_store_result(connection.get()),
                                                                mysql_free_result);
  MYSQL_ROW row = result ? mysql_fetch_row(result.get()) : nullptr;
  return row ? row[mysql_num_fields(result.get()) - 1] : "";
}

std::string MariaDbServer::log(const std::string& file) const {
  std::ifstream in(folder_ / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void MariaDbServer::fail(const std::string& what, const std::string& file) const {
  const std::string text = log(file);
  throw std::runtime_error(what + ": " + text.substr(text.size() - std::min<std::size_t>(text.size(), 3000)));
}

RunningServer::RunningServer(std::vector<std::string> arguments)
    : server_(folder_.path() / "server", [&] {
        arguments.insert(arguments.end(), {"--skip-networking", "--skip-grant-tables"});
        return std::move(arguments);
      }()) {
  make_server_folder(folder_.path());
  server_.start();
  server_.wait_until_ready();
}

MariaDbServer& open_server() {
  static RunningServer server;
  return *server;
}

MySqlOptions options_of_a_new_table(std::vector<std::string> endpoints) {
  static std::atomic<int> tables{0};
  MySqlOptions options;
  options.endpoints = std::move(endpoints);
  options.user = "root";
  options.table = "t" + std::to_string(++tables);
  return options;
}

std::uint16_t free_port() {
  std::random_device random;
  // Linux gives the ports above to connections: a server that is begun anew could find its own taken by one.
  std::uniform_int_distribution<std::uint16_t> ports(10'000, 32'767);
  for (int attempts = 0; attempts < 1000; ++attempts) {
    const std::uint16_t port = ports(random);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const bool bound = bind(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    close(socket);
    if (bound) return port;
  }
  throw std::runtime_error("no free port");
}

}  // namespace autoshard::test
