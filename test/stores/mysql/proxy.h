#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace autoshard::test {

/// Stands between clients and the socket of a server, on a socket of its own, and does what it is told to
/// when a packet of a client holds a text. Thread-safe.
class Proxy {
 public:
  Proxy(std::string socket, std::string server);
  ~Proxy();
  Proxy(const Proxy&) = delete;
  Proxy& operator=(const Proxy&) = delete;

  /// Breaks the connection: before the packet is handed on, or after the server has answered it, in place of
  /// the answer. Once.
  void break_before(std::string text) { obey({.text = std::move(text), .action = kBreakBefore}); }
  void break_instead_of_answer(std::string text) { obey({.text = std::move(text), .action = kBreakAfter}); }
  /// Answers with an error, and the server does not get to see the packet. Once, or each time.
  void refuse(std::string text, unsigned error, bool always = false) {
    obey({.text = std::move(text), .action = kRefuse, .error = error, .always = always});
  }
  /// Sends an error, for which no client has asked, right behind the server's answer, and nothing after it.
  /// Once. `done` waits until the error is sent.
  void send_error_behind_answer(std::string text, unsigned error) {
    obey({.text = std::move(text), .action = kErrorBehind, .error = error});
  }
  /// In place of the answer to every nth such packet, from any client, the connection is broken.
  void break_every(std::size_t nth, std::string text) {
    obey({.text = std::move(text), .action = kBreakAfter, .every = nth, .always = true});
  }
  /// Keeps the packet, so that the server waits for it. Once, or each time.
  void hold(std::string text, bool always = false) {
    obey({.text = std::move(text), .action = kHold, .always = always});
  }
  /// Calls this once the server has answered, before the client gets the answer. Once.
  void call_before_answer(std::string text, std::function<void()> call) {
    obey({.text = std::move(text), .action = kCall, .call = std::move(call)});
  }
  void hand_on_everything() { obey({}); }

  /// How often it has done so since it was told to.
  std::size_t done() const;

 private:
  enum Action { kNothing, kBreakBefore, kBreakAfter, kRefuse, kHold, kCall, kErrorBehind };
  struct Order {
    std::string text = {};
    Action action = kNothing;
    unsigned error = 0;
    std::size_t every = 1;
    bool always = false;
    std::function<void()> call = {};
  };
  struct Connection {
    int client, server;
    bool break_at_answer = false;
    unsigned error_behind_answer = 0;  // 0: none
    std::function<void()> call_at_answer = {};
  };

  void obey(Order order);
  Action action_for(std::string_view packet);
  void serve();
  bool accept_client(Connection& connection) const;
  /// Hands on what is there. False: the connection is to be closed.
  bool carry_from_client(Connection& connection);
  bool carry_from_server(Connection& connection);

  const std::string socket_, server_;
  int listening_;
  mutable std::mutex mutex_;
  Order order_;
  std::size_t seen_ = 0, done_ = 0;
  std::thread thread_;
};

}  // namespace autoshard::test
