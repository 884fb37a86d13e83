#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <thread>

namespace autoshard::test {

/// Stands between a client and the socket of a server, on a socket of its own, and breaks off what it is told
/// to. One connection at a time is carried.
class Proxy {
 public:
  Proxy(std::string socket, std::string server);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  /// Once a packet of the client holds `text`, the connection is broken: before it is handed on, or after the
  /// server has answered it, in place of the answer. Once.
  void break_before(std::string text) { arm(std::move(text), false); }
  void break_instead_of_answer(std::string text) { arm(std::move(text), true); }
  bool has_broken() const { return !armed_; }

 private:
  void arm(std::string text, bool after);
  void serve();
  void carry(int client, int server);

  const std::string socket_, server_;
  int listening_;
  std::atomic<bool> armed_{false}, done_{false};
  std::string text_;  // set before `armed_`
  bool after_ = false;
  std::thread thread_;
};

}  // namespace autoshard::test
