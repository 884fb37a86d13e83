#pragma once

#include <autoshard/memcached_cache.h>
#include <signal.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "support/server.h"
#include "support/test_store.h"

namespace autoshard::test {

/// A memcached of the test's own, on a port of 127.0.0.1 that it finds, or on this one.
class MemcachedServer {
 public:
  static bool is_installed() { return find_program("memcached").has_value(); }

  explicit MemcachedServer(std::uint16_t port = 0) : server_(command(port), folder_.path(), SIGKILL) {
    unsetenv(kPortFile);
    server_.wait_until([&] {
      std::ifstream file(folder_.path() / "port");
      std::string tcp, inet;
      if (port == 0) return static_cast<bool>(file >> tcp >> inet >> port_);
      port_ = port;
      return MemcachedCache({.port = port, .timeout = std::chrono::seconds(1)}).erase("none");
    });
  }

  std::uint16_t port() const { return port_; }

 private:
  static constexpr const char* kPortFile = "MEMCACHED_PORT_FILENAME";

  std::vector<std::string> command(std::uint16_t port) const {
    setenv(kPortFile, (folder_.path() / "port").c_str(), 1);
    std::vector<std::string> words = {find_program("memcached").value().string(), "--listen=127.0.0.1",
                                      "--port=" + (port == 0 ? "-1" : std::to_string(port)), "--udp-port=0",
                                      "--threads=1"};
    if (geteuid() == 0) words.push_back("--user=root");
    return words;
  }

  TemporaryFolder folder_;
  Server server_;
  std::uint16_t port_ = 0;
};

}  // namespace autoshard::test
