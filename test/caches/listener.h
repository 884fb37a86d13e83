#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace autoshard::test {

/// A port on which something listens that is no memcached.
class Listener {
 public:
  Listener() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (socket_ < 0 || bind(socket_, generic, size) != 0 || listen(socket_, 64) != 0 ||
        getsockname(socket_, generic, &size) != 0)
      throw std::runtime_error("cannot listen");
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { close(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  std::uint16_t port() const { return port_; }

  /// Answers one question of one caller with this.
  void answer(std::string_view text) {
    const int caller = accept(socket_, nullptr, nullptr);
    char question[1000];
    if (read(caller, question, sizeof(question)) < 0 || write(caller, text.data(), text.size()) < 0)
      throw std::runtime_error("cannot answer");
    ::close(caller);
  }

  void close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }

 private:
  int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  std::uint16_t port_ = 0;
};

}  // namespace autoshard::test
