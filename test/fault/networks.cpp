#include "networks.h"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace autoshard::test {
namespace {

constexpr const char* kOwnNetwork = "/proc/thread-self/ns/net";

void ip(const std::string& arguments) {
  const std::string command = "PATH=$PATH:/usr/sbin:/sbin ip " + arguments;
  // NOLINTNEXTLINE(bugprone-command-processor): the command is the test's own
  if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
}

void enter(int network) {
  if (setns(network, CLONE_NEWNET) != 0) throw std::runtime_error("cannot enter a network");
}

}  // namespace

std::optional<Networks> Networks::make(std::size_t number) {
  if (unshare(CLONE_NEWNET) != 0) return std::nullopt;
  ip("link set lo up");
  ip("link add join type bridge");
  ip("link set join up");
  Networks networks;
  for (std::size_t i = 0; i < number; ++i) networks.add(i);
  return networks;
}

void Networks::add(std::size_t index) {
  const int joining = open(kOwnNetwork, O_RDONLY | O_CLOEXEC);
  if (unshare(CLONE_NEWNET) != 0) throw std::runtime_error("cannot make a network");
  const int added = open(kOwnNetwork, O_RDONLY | O_CLOEXEC);
  enter(joining);
  const std::string outside = "outside" + std::to_string(index), inside = "inside" + std::to_string(index);
  ip("link add " + outside + " type veth peer name " + inside);
  ip("link set " + outside + " master join up");
  ip("link set " + inside + " netns /proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(added));
  enter(added);
  ip("link set lo up");
  ip("addr add " + address(index) + "/24 dev " + inside);
  ip("link set " + inside + " up");
  enter(joining);
  close(joining);
  descriptors_.push_back(added);
}

void Networks::set(std::size_t index, const std::string& state) {
  ip("link set outside" + std::to_string(index) + ' ' + state);
}

}  // namespace autoshard::test
