#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "mariadb_server.h"

namespace autoshard::test {

/// Where a node of a cluster is.
struct GaleraPlace {
  std::string address = "127.0.0.1";
  int network = -1;  // see `MariaDbServer::set_network`
};

/// Nodes that form a Galera cluster, all of them in step when a call is done.
class GaleraCluster {
 public:
  /// In a folder of its own. `arguments`: more of them for each server.
  GaleraCluster(const std::filesystem::path& folder, const std::vector<GaleraPlace>& places,
                const std::vector<std::string>& arguments = {});
  GaleraCluster(const std::filesystem::path& folder, std::size_t nodes,
                const std::vector<std::string>& arguments = {})
      : GaleraCluster(folder, std::vector<GaleraPlace>(nodes), arguments) {}

  MariaDbServer& node(std::size_t index) { return *nodes_[index].server; }
  std::size_t size() const { return nodes_.size(); }
  std::vector<std::string> sockets() const;

  /// Starts a node that was killed; it joins those that there are.
  void start(std::size_t index);
  /// After all were killed: begins the cluster anew with the node that has got furthest, and starts the
  /// others.
  void begin_anew();
  /// Waits until a node is one of those that may write, and has what they have.
  void wait_until_in_step(std::size_t index);
  /// Waits until a node has noticed that it is with less than a majority, and so may not write.
  void wait_until_powerless(std::size_t index);
  /// Waits until a node sees so many in the cluster, itself included. One that stood still itself takes a
  /// while to notice that it is out.
  void wait_until_seen(std::size_t by, std::size_t nodes);

 private:
  struct Node {
    std::string group_address;
    std::unique_ptr<MariaDbServer> server;
  };

  void begin(std::size_t index, const std::string& position);
  std::string recovered_position(std::size_t index);

  std::vector<Node> nodes_;
};

}  // namespace autoshard::test
