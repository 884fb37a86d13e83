#include <autoshard/activity.h>
#include <autoshard/metrics.h>
#include <autoshard/monitor.h>
#include <httplib.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <exception>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "history.h"
#include "history_json.h"
#include "page.h"
#include "periodic.h"
#include "prometheus.h"

namespace autoshard {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kHottest = 16;            // properties in /metrics
constexpr std::size_t kThreads = 4;             // for requests
constexpr std::size_t kLongestRequest = 8'192;  // bytes of its body; none is read
constexpr std::chrono::milliseconds kShortestInterval{100};
constexpr int kMissedIntervals = 10;  // then the history has stopped
constexpr const char* kJson = "application/json";
constexpr const char* kHtml = "text/html; charset=utf-8";

/// Where the page finds its data in a snapshot. The live page has `null` there.
constexpr std::string_view kDataBegin = R"(<script id="data" type="application/json">)";
constexpr std::string_view kNoData = "null";

MonitorOptions checked(const MonitorOptions& options) {
  if (options.interval.count() != 0 && options.interval < kShortestInterval)
    throw InvalidUse(
        "MonitorOptions::interval is shorter than 100 ms: give a longer time, or 0 for no thread");
  return options;
}

bool is_loopback(std::string_view address) {
  const bool is_ipv4 = address.find_first_not_of("0123456789.") == std::string_view::npos;
  return address == "localhost" || address == "::1" || (is_ipv4 && address.starts_with("127."));
}

/// Returns the host of a header `Host`, without its port and the brackets of an address.
std::string_view host_in(std::string_view header) {
  if (header.starts_with('[')) return header.substr(1, header.find(']') - 1);
  return header.substr(0, header.rfind(':'));
}

std::int64_t milliseconds_now() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// Returns a parameter of the request as a number; `otherwise` if it is absent or no number.
std::uint64_t number_in(const httplib::Request& request, const char* name, std::uint64_t otherwise) {
  const std::string text = request.get_param_value(name);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : otherwise;
}

}  // namespace

class Monitor::Implementation {
 public:
  Implementation(Mapper& mapper, const Options& options)
      : mapper_(mapper), options_(checked(options)), observer_(mapper) {
    prepare();
    listen();
    if (options_.interval.count() > 0) sampling_.emplace(options_.interval, [this] { try_to_sample(); });
  }

  ~Implementation() {
    sampling_.reset();
    server_.stop();
    if (serving_.joinable()) serving_.join();
  }

  std::uint16_t port() const { return port_; }

  std::string url() const {
    const bool is_ipv6 = options_.address.find(':') != std::string::npos;
    return "http://" + (is_ipv6 ? '[' + options_.address + ']' : options_.address) + ':' +
           std::to_string(port_) + '/';
  }

  void sample() {
    const std::lock_guard lock(mutex_);
    history_.add(observer_.next());
    sampled_ = Clock::now();
  }

 private:
  using Request = httplib::Request;
  using Response = httplib::Response;

  void prepare() {
    server_.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
    // Without SO_REUSEPORT, which lets two programs share a port without noticing.
    server_.set_socket_options([](socket_t socket) {
      const int yes = 1;
      setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
    });
    server_.set_keep_alive_timeout(1);
    server_.set_payload_max_length(kLongestRequest);
    server_.set_default_headers(
        {{"Cache-Control", "no-store"},
         {"X-Content-Type-Options", "nosniff"},
         {"Referrer-Policy", "no-referrer"},
         {"Content-Security-Policy",
          "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src 'self'; "
          "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"}});
    server_.set_pre_routing_handler([this](const Request& request, Response& response) {
      if (is_welcome(request)) return httplib::Server::HandlerResponse::Unhandled;
      response.status = 403;
      response.set_content("this monitor answers only requests to a loopback address\n", "text/plain");
      return httplib::Server::HandlerResponse::Handled;
    });
    server_.Get("/", [](const Request&, Response& response) {
      response.set_content(monitor::page().data(), monitor::page().size(), kHtml);
    });
    server_.Get("/metrics", [this](const Request&, Response& response) {
      response.set_content(metrics(), monitor::kPrometheusType);
    });
    server_.Get("/hot.json", [this](const Request& request, Response& response) {
      response.set_content(hot(part_in(request)), kJson);
    });
    server_.Get("/snapshot.html",
                [this](const Request&, Response& response) { response.set_content(snapshot(), kHtml); });
    server_.Get("/healthz", [this](const Request&, Response& response) {
      response.status = is_healthy() ? 200 : 503;
      response.set_content(is_healthy() ? "ok\n" : "the history has stopped\n", "text/plain");
    });
  }

  /// Without memory there is no next interval; `/healthz` tells.
  void try_to_sample() noexcept try { sample(); } catch (const std::exception&) {
  }

  void listen() {
    errno = 0;
    const int port = options_.port == 0 ? server_.bind_to_any_port(options_.address)
                     : server_.bind_to_port(options_.address, options_.port) ? options_.port
                                                                             : -1;
    if (port <= 0) {
      const int error = errno;
      const std::string reason = error == EADDRINUSE
                                     ? "another program has the port: choose another one, or 0 for a free one"
                                 : error != 0 ? std::strerror(error)
                                              : "it is no address of this machine";
      throw MonitorUnavailable("a monitor cannot listen on " + options_.address + ':' +
                               std::to_string(options_.port) + ": " + reason);
    }
    port_ = static_cast<std::uint16_t>(port);
    serving_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();  // `stop` before that would have no effect
  }

  /// A page of another site can make a browser send requests here, by a name that it has pointed at the
  /// loopback address.
  bool is_welcome(const Request& request) const {
    return !is_loopback(options_.address) || is_loopback(host_in(request.get_header_value("Host")));
  }

  static monitor::HistoryPart part_in(const Request& request) {
    monitor::HistoryPart part{.is_coarse = request.get_param_value("resolution") == "minute"};
    part.columns = number_in(request, "columns", part.columns);
    part.after = number_in(request, "after", part.after);
    return part;
  }

  std::string hot(const monitor::HistoryPart& part) {
    const std::lock_guard lock(mutex_);
    return monitor::history_json(history_, observer_.rules(), part, milliseconds_now());
  }

  std::string metrics() {
    std::vector<PropertyActivity> hottest;
    {
      const std::lock_guard lock(mutex_);
      for (const monitor::History::Row* row : history_.rows()) {
        if (hottest.size() < kHottest) hottest.push_back(row->latest);
      }
    }
    return monitor::prometheus_text(admin::metrics(mapper_), hottest);
  }

  /// Returns the page with the newest hour by seconds and everything by minutes.
  std::string snapshot() {
    std::string page(monitor::page());
    const std::size_t place = page.find(kDataBegin) + kDataBegin.size();
    const std::string data = "{\"second\":" + hot({.columns = 3'600}) +
                             ",\"minute\":" + hot({.is_coarse = true, .columns = 10'080}) + '}';
    return page.replace(place, kNoData.size(), monitor::for_script(data));
  }

  bool is_healthy() {
    const std::lock_guard lock(mutex_);
    return options_.interval.count() == 0 || Clock::now() - sampled_ < kMissedIntervals * options_.interval;
  }

  Mapper& mapper_;
  const Options options_;
  ActivityObserver observer_;
  std::mutex mutex_;
  monitor::History history_;                  // guarded by the mutex
  Clock::time_point sampled_ = Clock::now();  // guarded by the mutex
  httplib::Server server_;
  std::uint16_t port_ = 0;
  std::thread serving_;
  std::optional<detail::Periodic> sampling_;
};

Monitor::Monitor(Mapper& mapper, const Options& options)
    : implementation_(std::make_unique<Implementation>(mapper, options)) {}

Monitor::~Monitor() = default;

std::uint16_t Monitor::port() const { return implementation_->port(); }

std::string Monitor::url() const { return implementation_->url(); }

void Monitor::sample() { implementation_->sample(); }

}  // namespace autoshard
