#include "proxy.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>
#include <utility>

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

}  // namespace

Proxy::Proxy(std::string socket, std::string server)
    : socket_(std::move(socket)), server_(std::move(server)), listening_(new_socket()) {
  const sockaddr_un address = address_of(socket_);
  if (bind(listening_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(listening_, 8) != 0)
    throw std::runtime_error("cannot listen");
  thread_ = std::thread([this] { serve(); });
}

Proxy::~Proxy() {
  done_ = true;
  shutdown(listening_, SHUT_RDWR);
  thread_.join();
  close(listening_);
}

void Proxy::arm(std::string text, bool after) {
  text_ = std::move(text);
  after_ = after;
  armed_ = true;
}

void Proxy::serve() {
  while (!done_) {
    const int client = accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) return;
    const int server = new_socket();
    const sockaddr_un address = address_of(server_);
    if (connect(server, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0)
      carry(client, server);
    close(client);
    close(server);
  }
}

void Proxy::carry(int client, int server) {
  std::array<char, 1 << 16> bytes;
  bool break_at_answer = false;
  while (!done_) {
    std::array<pollfd, 2> sockets{pollfd{.fd = client, .events = POLLIN, .revents = 0},
                                  pollfd{.fd = server, .events = POLLIN, .revents = 0}};
    if (poll(sockets.data(), sockets.size(), 20) <= 0) continue;
    for (const auto& [from, to] : {std::pair{0, server}, std::pair{1, client}}) {
      const pollfd& ready = sockets[static_cast<std::size_t>(from)];
      if (ready.revents == 0) continue;
      const ssize_t size = recv(ready.fd, bytes.data(), bytes.size(), 0);
      if (size <= 0) return;
      const std::string_view packet(bytes.data(), static_cast<std::size_t>(size));
      if (from == 1 && break_at_answer) return;
      if (from == 0 && armed_ && packet.find(text_) != std::string_view::npos) {
        armed_ = false;
        if (!after_) return;
        break_at_answer = true;
      }
      if (!hand_on(to, packet)) return;
    }
  }
}

}  // namespace autoshard::test
