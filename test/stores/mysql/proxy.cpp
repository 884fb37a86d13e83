#include "proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>
#include <vector>

namespace autoshard::test {
namespace {

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) throw std::runtime_error("a path that is too long");
  std::copy(path.begin(), path.end(), address.sun_path);
  return address;
}

int new_socket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

bool hand_on(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(to, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

/// Of the protocol: length, number in the conversation, 0xFF, number of the error, state, text.
std::string error_packet(unsigned error) {
  const std::string state = error == 1213 ? "40001" : "HY000";
  std::string body = "\xFF";
  body += static_cast<char>(error & 0xFF);
  body += static_cast<char>(error >> 8);
  body += '#' + state + "told by the proxy";
  return std::string{static_cast<char>(body.size()), 0, 0, 1} + body;
}

/// What is there; empty at the end.
std::string_view receive(int from, std::array<char, 1 << 16>& bytes) {
  const ssize_t size = recv(from, bytes.data(), bytes.size(), 0);
  return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

}  // namespace

Proxy::Proxy(std::string socket, std::string server)
    : socket_(std::move(socket)), server_(std::move(server)), listening_(new_socket()) {
  const sockaddr_un address = address_of(socket_);
  if (bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listening_, 64) != 0)
    throw std::runtime_error("cannot listen");
  thread_ = std::thread([this] { serve(); });
}

Proxy::~Proxy() {
  shutdown(listening_, SHUT_RDWR);
  thread_.join();
  close(listening_);
}

void Proxy::obey(Order order) {
  const std::lock_guard lock(mutex_);
  order_ = std::move(order);
  seen_ = done_ = 0;
}

std::size_t Proxy::done() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

Proxy::Action Proxy::action_for(std::string_view packet) {
  const std::lock_guard lock(mutex_);
  if (order_.action == kNothing || (done_ > 0 && !order_.always)) return kNothing;
  if (packet.find(order_.text) == std::string_view::npos || ++seen_ % order_.every != 0) return kNothing;
  ++done_;
  return order_.action;
}

bool Proxy::accept_client(Connection& connection) const {
  connection.client = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  if (connection.client < 0) return false;
  connection.server = new_socket();
  const sockaddr_un address = address_of(server_);
  // Where nobody is there, the first packet finds out.
  static_cast<void>(connect(connection.server, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  return true;
}

bool Proxy::carry_from_client(Connection& connection) {
  std::array<char, 1 << 16> bytes;
  const std::string_view packet = receive(connection.client, bytes);
  if (packet.empty()) return false;
  switch (action_for(packet)) {
    case kBreakBefore:
      return false;
    case kRefuse: {
      const std::lock_guard lock(mutex_);
      return hand_on(connection.client, error_packet(order_.error));
    }
    case kHold:
      return true;
    case kBreakAfter:
      connection.break_at_answer = true;
      break;
    case kCall: {
      const std::lock_guard lock(mutex_);
      connection.call_at_answer = order_.call;
      break;
    }
    case kErrorBehind: {
      const std::lock_guard lock(mutex_);
      connection.error_behind_answer = order_.error;
      break;
    }
    case kNothing:
      break;
  }
  return hand_on(connection.server, packet);
}

bool Proxy::carry_from_server(Connection& connection) {
  std::array<char, 1 << 16> bytes;
  const std::string_view packet = receive(connection.server, bytes);
  if (connection.call_at_answer) std::exchange(connection.call_at_answer, nullptr)();
  if (connection.error_behind_answer != 0) {
    const std::lock_guard lock(mutex_);
    const bool is_sent =
        hand_on(connection.client,
                std::string(packet) + error_packet(std::exchange(connection.error_behind_answer, 0)));
    shutdown(connection.client, SHUT_WR);
    return is_sent;
  }
  return !packet.empty() && !connection.break_at_answer && hand_on(connection.client, packet);
}

void Proxy::serve() {
  std::vector<Connection> connections;
  for (bool listens = true; listens;) {
    std::vector<pollfd> sockets = {{.fd = listening_, .events = POLLIN, .revents = 0}};
    for (const Connection& connection : connections) {
      sockets.push_back({.fd = connection.client, .events = POLLIN, .revents = 0});
      sockets.push_back({.fd = connection.server, .events = POLLIN, .revents = 0});
    }
    poll(sockets.data(), sockets.size(), -1);
    std::vector<Connection> left;
    for (std::size_t i = 0; i < connections.size(); ++i) {
      Connection& connection = connections[i];
      if ((sockets[2 * i + 1].revents == 0 || carry_from_client(connection)) &&
          (sockets[2 * i + 2].revents == 0 || carry_from_server(connection))) {
        left.push_back(connection);
        continue;
      }
      close(connection.client);
      close(connection.server);
    }
    connections = std::move(left);
    if (sockets.front().revents == 0) continue;
    Connection added{};
    listens = accept_client(added);
    if (listens) connections.push_back(added);
  }
  for (const Connection& connection : connections) {
    close(connection.client);
    close(connection.server);
  }
}

}  // namespace autoshard::test
