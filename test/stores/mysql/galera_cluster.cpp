#include "galera_cluster.h"

#include <signal.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace autoshard::test {
namespace {

constexpr const char* kProvider = GALERA;

/// Ports that are free on 127.0.0.1 are so in the networks that the nodes may have to themselves.
std::string new_address(const GaleraPlace& place) {
  return place.address + ':' + std::to_string(free_port());
}

/// "uuid:number"
long long number_in(const std::string& position) {
  return std::stoll(position.substr(position.rfind(':') + 1));
}

/// A node that was killed does not count as one to begin with, which here is the test's decision.
void allow_to_begin(const std::filesystem::path& data) {
  const std::filesystem::path file = data / "grastate.dat";
  std::string text;
  {
    std::ifstream in(file);
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const std::string no = "safe_to_bootstrap: 0";
  if (const std::size_t at = text.find(no); at != std::string::npos) text[at + no.size() - 1] = '1';
  std::ofstream(file) << text;
}

}  // namespace

GaleraCluster::GaleraCluster(const std::filesystem::path& folder, const std::vector<GaleraPlace>& places,
                             const std::vector<std::string>& arguments) {
  make_server_folder(folder);
  for (const GaleraPlace& place : places) {
    const std::string group = new_address(place);
    std::vector<std::string> words = {
        "--skip-grant-tables", "--port=" + std::to_string(free_port()), "--wsrep-on=ON",
        std::string("--wsrep-provider=") + kProvider, "--wsrep-node-address=" + place.address,
        "--wsrep-sst-method=rsync", "--wsrep-sst-receive-address=" + new_address(place),
        "--wsrep-slave-threads=2",
        // A node that is silent is given up within seconds, and not within a quarter of a minute. Who is in
        // the cluster is the test's decision.
        "--wsrep-provider-options=gmcast.listen_addr=tcp://" + group +
            ";ist.recv_addr=" + new_address(place) +
            ";gcache.size=16M;pc.recovery=no;evs.keepalive_period=PT0.5S;evs.suspect_timeout=PT2S;"
            "evs.inactive_timeout=PT4S"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    nodes_.push_back(
        {group, std::make_unique<MariaDbServer>(folder / std::to_string(nodes_.size()), std::move(words))});
    nodes_.back().server->set_network(place.network);
  }
  // With all the server's own tables, which the other nodes get from the first one: a cluster without them
  // can come to a standstill.
  node(0).install();
  begin(0, {});
  node(0).wait_until_ready();
  for (std::size_t i = 1; i < size(); ++i) start(i);
}

void GaleraCluster::begin(std::size_t index, const std::string& position) {
  std::vector<std::string> arguments = {"--wsrep-cluster-address=gcomm://"};
  if (!position.empty()) arguments.push_back("--wsrep-start-position=" + position);
  node(index).start(arguments);
  wait_until_in_step(index);
}

void GaleraCluster::start(std::size_t index) {
  std::string others;
  for (const Node& other : nodes_) {
    if (&other != &nodes_[index]) others += (others.empty() ? "" : ",") + other.group_address;
  }
  node(index).start({"--wsrep-cluster-address=gcomm://" + others});
  wait_until_in_step(index);
}

void GaleraCluster::begin_anew() {
  std::size_t furthest = 0;
  std::vector<std::string> positions;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    positions.push_back(recovered_position(i));
    if (number_in(positions[i]) > number_in(positions[furthest])) furthest = i;
  }
  allow_to_begin(node(furthest).data());
  begin(furthest, positions[furthest]);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i != furthest) start(i);
  }
}

std::string GaleraCluster::recovered_position(std::size_t index) {
  node(index).start({"--wsrep-recover", "--wsrep-cluster-address=gcomm://"});
  node(index).wait_for_end();
  const std::string log = node(index).log(), before = "WSREP: Recovered position: ";
  const std::size_t at = log.rfind(before);
  if (at == std::string::npos) throw std::runtime_error("a node does not know how far it has got");
  const std::size_t begin = at + before.size();
  return log.substr(begin, log.find_first_of(", \n", begin) - begin);
}

void GaleraCluster::wait_until_in_step(std::size_t index) {
  node(index).wait_until("SHOW STATUS LIKE 'wsrep_local_state_comment'", "Synced");
  node(index).wait_until("SELECT 1", "1");
}

void GaleraCluster::wait_until_powerless(std::size_t index) {
  node(index).wait_until("SHOW STATUS LIKE 'wsrep_cluster_status'", "non-Primary");
}

void GaleraCluster::wait_until_seen(std::size_t by, std::size_t nodes) {
  node(by).wait_until("SHOW STATUS LIKE 'wsrep_cluster_size'", std::to_string(nodes));
}

std::vector<std::string> GaleraCluster::sockets() const {
  std::vector<std::string> sockets;
  for (const Node& node : nodes_) sockets.push_back(node.server->socket());
  return sockets;
}

}  // namespace autoshard::test
