#pragma once

#include <autoshard/errors.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

namespace autoshard {

class Mapper;

/// The options of a monitor.
struct MonitorOptions {
  /// The address to listen on. Every client that reaches it can read the names and ids of hot entities, so an
  /// address other than that of the loopback belongs behind a firewall or a proxy that asks for a password.
  std::string address = "127.0.0.1";
  /// The port; 0: a free one, see `Monitor::port`.
  std::uint16_t port = 9464;
  /// The length of an interval of the history, at least 100 ms. 0: an interval ends only when
  /// `Monitor::sample` is called. The comments below assume a second.
  std::chrono::milliseconds interval{1'000};
};

/// A monitor cannot listen on its address. The message names the address and the reason.
class MonitorUnavailable : public Error {
 public:
  using Error::Error;
};

#ifdef AUTOSHARD_HAS_MONITOR

/// Shows the work of a mapper over HTTP, to Prometheus and in a browser:
///
/// - `/`: a live page that shows which properties are hot, since when, and what to do about them.
/// - `/metrics`: `admin::metrics`, and the rates of the 16 hottest properties, for Prometheus.
/// - `/hot.json`: the history of the hottest properties; the guide to the monitor explains it.
/// - `/snapshot.html`: the page with its data, as a file to keep.
/// - `/healthz`: `ok`, or status 503 if the history has stopped.
///
/// It reads only: nothing that it serves changes the mapper or the store. While it listens on a loopback
/// address, it refuses requests that name another host, so that no page of another site can read it through
/// the user's browser.
///
/// The history has the 64 hottest properties: two hours by seconds and a week by minutes. It takes at most
/// 20 MB. A property that gets hotter than the least hot one of them takes its place.
///
/// The monitor has a thread for the history and a few for requests. They end with the object. Thread-safe.
class Monitor {
 public:
  using Options = MonitorOptions;

  /// Begins to observe and to listen. The mapper must outlive the monitor. Throws `MonitorUnavailable` if the
  /// address cannot be listened on, for instance because another program has the port, and `InvalidUse` if
  /// the mapper has an observer or an option makes no sense.
  explicit Monitor(Mapper& mapper, const Options& options = {});

  /// Stops listening, and waits for requests in progress: for a second, or for as long as a client takes to
  /// send or receive one, at most five.
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  std::uint16_t port() const;
  /// The address of the page: `http://127.0.0.1:9464/`.
  std::string url() const;

  /// Ends an interval of the history now. For tests, and for applications that set `interval` to 0.
  void sample();

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

#else

inline namespace without_monitor {

/// Stands in for the class in a source that is compiled without the component: any use that needs the
/// definition does not compile.
template <bool kIsLinked = false>
class MonitorWithoutComponent {
  static_assert(kIsLinked,
                "Monitor is in the component monitor: link AutoShard::monitor, or compile with "
                "-DAUTOSHARD_HAS_MONITOR and link libautoshard_monitor; if the component is missing, build "
                "AutoShard with -DAUTOSHARD_MONITOR=ON");

 public:
  using Options = MonitorOptions;

  explicit MonitorWithoutComponent(Mapper&, const Options& = {});
};

using Monitor = MonitorWithoutComponent<>;

}  // namespace without_monitor

#endif

}  // namespace autoshard
