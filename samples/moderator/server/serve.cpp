#include "serve.h"

#include <autoshard/autoshard.h>
#include <autoshard/monitor.h>
#include <fmt/format.h>
#include <httplib.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <thread>

#include "feed.h"
#include "forum.h"
#include "json.h"
#include "open_store.h"
#include "routes.h"

namespace moderator {
namespace {

constexpr std::size_t kRequestThreads = 32;  // besides a thread for each viewer

/// Keeps the signals that end the program for `wait`, in this thread and all that it starts.
class EndSignals {
 public:
  EndSignals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }
  void wait() const {
    int signal = 0;
    sigwait(&signals_, &signal);
  }

 private:
  sigset_t signals_;
};

/// Sets limits, so that no client keeps a thread for long.
void limit(httplib::Server& server, int max_viewers) {
  server.new_task_queue = [max_viewers] {
    return new httplib::ThreadPool(kRequestThreads + static_cast<std::size_t>(max_viewers));
  };
  server.set_read_timeout(5);
  server.set_write_timeout(5);
  server.set_keep_alive_timeout(2);
  server.set_keep_alive_max_count(1000);
  server.set_tcp_nodelay(true);
  // The library's default lets a second server take the same port, which then gets some of the requests.
  server.set_socket_options([](int socket) {
    const int yes = 1, buffer = 64 * 1024;  // of unsent bytes, for each viewer who reads slowly
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);  // connections inherit it
  });
}

/// Returns the port, or nothing if it cannot be used.
std::optional<int> bind(httplib::Server& server, const ServeOptions& options) {
  if (options.port != 0) {
    if (server.bind_to_port(options.address, options.port)) return options.port;
  } else if (const int port = server.bind_to_any_port(options.address); port > 0) {
    return port;
  }
  return std::nullopt;
}

/// Listens in a thread of its own until it goes out of scope. Then it finishes the requests that have begun.
class Listener {
 public:
  explicit Listener(httplib::Server& server)
      : server_(server), thread_([this] {
          server_.listen_after_bind();
          has_ended_ = true;
          kill(getpid(), SIGTERM);  // also if the library stops listening by itself
        }) {
    while (!server_.is_running() && !has_ended_) std::this_thread::yield();  // `stop` would do nothing before
  }
  ~Listener() { server_.stop(); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

 private:
  httplib::Server& server_;
  std::atomic<bool> has_ended_ = false;
  std::jthread thread_;
};

}  // namespace

bool serve(const ServeOptions& options) try {
  const EndSignals signals;
  httplib::Server server;
  limit(server, options.max_viewers);
  const auto port = bind(server, options);
  if (!port) {
    fmt::print(stderr, "moderator: port {} of {} cannot be used: choose another with --port\n", options.port,
               options.address);
    return false;
  }

  const std::unique_ptr<autoshard::Store> store = open_store(options.store);
  autoshard::Mapper mapper{*store};
  Forum forum{mapper, options.max_questions};
  std::optional<autoshard::Monitor> monitor;
  if (options.monitor_port)
    monitor.emplace(mapper,
                    autoshard::MonitorOptions{.address = options.address, .port = *options.monitor_port});
  Feed feed{[&forum] { return to_json(forum.ranking()).dump(); }, options.max_viewers};
  add_routes(server, forum, feed, monitor ? monitor->port() : std::uint16_t{0});
  {
    const Listener listener{server};
    fmt::print("The vote is open at http://{}:{}/ and ends with Ctrl-C.\n", options.address, *port);
    if (monitor) fmt::print("The map of hot spots is at {}\n", monitor->url());
    std::fflush(stdout);
    signals.wait();
    feed.close();  // the viewers' requests end
  }
  fmt::print("The server has stopped. Every vote that it has confirmed is stored.\n");
  return true;
} catch (const autoshard::MonitorUnavailable& error) {
  fmt::print(stderr, "moderator: {}: choose another with --monitor-port\n", error.what());
  return false;
}

}  // namespace moderator
