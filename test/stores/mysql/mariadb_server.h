#pragma once

#include <autoshard/mysql_store.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "support/test_store.h"

namespace autoshard::test {

/// A mariadbd of the test's own, whose data lie in a folder, and which ends with the test, however that ends.
/// Everybody may log in, unless an argument says otherwise. To be started by a thread that lives on as long
/// as it.
class MariaDbServer {
 public:
  /// Does not start it.
  MariaDbServer(const std::filesystem::path& folder, std::vector<std::string> arguments);
  ~MariaDbServer();
  MariaDbServer(const MariaDbServer&) = delete;
  MariaDbServer& operator=(const MariaDbServer&) = delete;

  /// It is started in this network, which setns() is called with.
  void set_network(int descriptor) { network_ = descriptor; }
  /// Makes its own tables, of users and the like. Without, it can do without them.
  void install() const;
  /// With further arguments. Does not wait for it.
  void start(const std::vector<std::string>& arguments = {});
  /// Waits until `question` gives `answer`. Throws with the end of its log if it ends, or does not get there.
  void wait_until(const std::string& question, const std::string& answer);
  /// Waits until it answers, and has a database `autoshard`.
  void wait_until_ready();
  /// Waits until it has ended by itself.
  void wait_for_end();
  void signal(int number) const;
  /// SIGKILL, and waits for the end. Its data stay.
  void kill();

  pid_t process() const { return process_; }
  std::filesystem::path data() const { return folder_ / "data"; }
  /// Its own, for a server that starts removes the temporary tables of all that share its folder.
  std::filesystem::path temporary() const { return folder_ / "temporary"; }
  std::string socket() const { return (folder_ / "socket").string(); }
  /// What it has said.
  std::string log(const std::string& file = "log") const;
  /// What a statement gives: the last column of the first row. Throws `std::runtime_error`.
  std::string ask(const std::string& sql) const;

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& file = "log") const;

  const std::filesystem::path folder_;
  const std::vector<std::string> arguments_;
  int network_ = -1;  // that of this process
  pid_t process_ = -1;
};

/// A server in a temporary folder of its own, without TLS, and with everybody let in. Is ready when it is
/// made.
class RunningServer {
 public:
  explicit RunningServer(std::vector<std::string> arguments = {});
  MariaDbServer& operator*() { return server_; }
  MariaDbServer* operator->() { return &server_; }

 private:
  TemporaryFolder folder_;
  MariaDbServer server_;
};

/// One for all tests of a program. Starts it when it is first asked for.
MariaDbServer& open_server();

/// Makes a folder that servers can use, who are another user where this process is root.
void make_server_folder(const std::filesystem::path& folder);

/// Options for a table that nobody else has.
MySqlOptions options_of_a_new_table(std::vector<std::string> endpoints);

/// A port of 127.0.0.1 that is free now.
std::uint16_t free_port();

}  // namespace autoshard::test
