#pragma once

#include <autoshard/mysql_store.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "test_store.h"

namespace autoshard::test {

/// A mariadbd of the test's own, whose data lie in a folder, and which ends with the test, however that ends.
/// Everybody may log in. To be started by a thread that lives on as long as it.
class MariaDbServer {
 public:
  /// Does not start it.
  MariaDbServer(const std::filesystem::path& folder, std::vector<std::string> arguments);
  ~MariaDbServer();
  MariaDbServer(const MariaDbServer&) = delete;
  MariaDbServer& operator=(const MariaDbServer&) = delete;

  /// With further arguments. Does not wait for it.
  void start(const std::vector<std::string>& arguments = {});
  /// Throws with the end of its log if it ends, or does not get there.
  void wait_until_ready();
  void signal(int number) const;
  /// SIGKILL, and waits for the end. Its data stay.
  void kill();

  std::string socket() const { return (folder_ / "socket").string(); }
  /// What a statement gives: the last column of the first row. Throws `std::runtime_error`.
  std::string ask(const std::string& sql) const;

 private:
  [[noreturn]] void fail(const std::string& what) const;

  const std::filesystem::path folder_;
  const std::vector<std::string> arguments_;
  pid_t process_ = -1;
};

/// Nodes on 127.0.0.1 that form a Galera cluster.
class GaleraCluster {
 public:
  explicit GaleraCluster(std::size_t nodes);

  MariaDbServer& node(std::size_t index) { return *nodes_[index].server; }
  std::size_t size() const { return nodes_.size(); }
  /// Starts a node that joins those that there are, or, `bootstrap`, begins the cluster anew with its data.
  void start(std::size_t index, bool bootstrap = false);
  std::vector<std::string> sockets() const;

 private:
  struct Node {
    std::string group_address;
    std::unique_ptr<MariaDbServer> server;
  };

  TemporaryFolder folder_;
  std::vector<Node> nodes_;
};

/// Options for a table that nobody else has.
MySqlOptions options_of_a_new_table(std::vector<std::string> endpoints);

/// A port of 127.0.0.1 that is free now.
std::uint16_t free_port();

}  // namespace autoshard::test
