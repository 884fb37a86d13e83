#include "application.h"

#include <autoshard/autoshard.h>
#include <autoshard/memcached_cache.h>
#include <autoshard/mysql_store.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "entities/strategies/flight.autoshard.h"

namespace autoshard::test {
namespace {

using airline::Flight;

constexpr auto kPatience = std::chrono::seconds(30);

void tell(int told, Told what) {
  if (write(told, &what, 1) != 1) std::abort();
}

/// Updates without tokens: what is unknown stays so.
void like_until(const std::atomic<bool>& stopped, Mapper& mapper, int told) {
  while (!stopped) {
    try {
      mapper.apply<&Flight::like>(kPlain);
      tell(told, Told::kLiked);
    } catch (const OutcomeUnknown&) {
      tell(told, Told::kUnknown);
    } catch (const Error&) {
      tell(told, Told::kRefused);
    }
  }
}

/// Each with a token, and again until it is known to be counted.
void view_until(const std::atomic<bool>& stopped, Mapper& mapper, int told, const std::string& name) {
  for (int i = 0; !stopped; ++i) {
    for (bool counted = false; !counted;) {
      try {
        mapper.apply<&Flight::view>(kNamed, token(name + std::to_string(i)));
        counted = true;
      } catch (const Error&) {
        tell(told, Told::kRefused);
      }
    }
    tell(told, Told::kViewed);
  }
}

[[noreturn]] void run(const MySqlOptions& options, const RetryPolicy& retry, std::uint16_t memcached,
                      int stop, int told) {
  MySqlStore store(options);
  MemcachedCache cache({.port = memcached});
  Mapper mapper(store, {.retry = retry, .compact_every = std::chrono::milliseconds(200), .cache = &cache});
  std::atomic<bool> stopped{false};
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreadsForEach; ++i) {
    const std::string name = std::to_string(getpid()) + "-" + std::to_string(i) + "-";
    threads.emplace_back([&] { like_until(stopped, mapper, told); });
    threads.emplace_back([&, name] { view_until(stopped, mapper, told, name); });
  }
  char nothing = 0;
  static_cast<void>(read(stop, &nothing, 1));  // until the other end is closed
  stopped = true;
  threads.clear();
  std::_Exit(EXIT_SUCCESS);
}

}  // namespace

Application::Application(const SharedThings& shared, std::size_t index) {
  std::vector<std::string> endpoints = shared.endpoints;
  std::rotate(endpoints.begin(), endpoints.begin() + static_cast<std::ptrdiff_t>(index % endpoints.size()),
              endpoints.end());
  std::string joined;
  for (const std::string& endpoint : endpoints) joined += (joined.empty() ? "" : ",") + endpoint;
  std::array<int, 2> stopping{}, telling{};
  if (pipe2(stopping.data(), O_CLOEXEC) != 0 || pipe2(telling.data(), O_CLOEXEC) != 0)
    throw std::runtime_error("no pipe");
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("no process");
  if (process_ == 0) {
    const int stop = dup(stopping[0]), told = dup(telling[1]);  // which outlive exec
    execl("/proc/self/exe", "application", "--application", joined.c_str(), shared.table.c_str(),
          std::to_string(shared.memcached).c_str(), std::to_string(shared.resolve_within.count()).c_str(),
          std::to_string(stop).c_str(), std::to_string(told).c_str(), nullptr);
    _exit(127);
  }
  close(stopping[0]);
  close(telling[1]);
  stop_ = stopping[1];
  thread_ = std::thread([this, told = telling[0]] { listen(told); });
}

Application::~Application() {
  kill();
  thread_.join();
}

void Application::listen(int told) {
  std::array<char, 256> bytes;
  for (ssize_t size; (size = read(told, bytes.data(), bytes.size())) > 0;) {
    const std::lock_guard lock(mutex_);
    for (ssize_t i = 0; i < size; ++i)
      ++counts_.at(static_cast<std::size_t>(bytes[static_cast<std::size_t>(i)]));
    has_told_.notify_all();
  }
  close(told);
  const std::lock_guard lock(mutex_);
  ended_ = true;
  has_told_.notify_all();
}

int Application::told(Told what) const {
  const std::lock_guard lock(mutex_);
  return counts_.at(static_cast<std::size_t>(what));
}

bool Application::wait_for(Told what, int times) {
  std::unique_lock lock(mutex_);
  return has_told_.wait_for(lock, kPatience,
                            [&] { return counts_.at(static_cast<std::size_t>(what)) >= times; });
}

bool Application::stop() {
  close(stop_);
  stop_ = -1;
  {
    std::unique_lock lock(mutex_);
    if (!has_told_.wait_for(lock, kPatience, [&] { return ended_; })) return false;
  }
  int status = 0;
  const bool ended = waitpid(process_, &status, 0) == process_;
  process_ = 0;
  return ended && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

void Application::kill() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = 0;
  }
  if (stop_ >= 0) close(stop_);
  stop_ = -1;
  std::unique_lock lock(mutex_);
  has_told_.wait(lock, [&] { return ended_; });
}

void Application::run_if_asked(int argc, char** argv) {
  if (argc != 8 || std::string_view(argv[1]) != "--application") return;
  MySqlOptions options;
  options.endpoints.clear();
  std::istringstream endpoints(argv[2]);
  for (std::string endpoint; std::getline(endpoints, endpoint, ',');) options.endpoints.push_back(endpoint);
  options.user = "root";
  options.table = argv[3];
  options.read_timeout = std::chrono::seconds(3);
  RetryPolicy retry;
  retry.resolve_within = std::chrono::seconds(std::stoi(argv[5]));
  run(options, retry, static_cast<std::uint16_t>(std::stoi(argv[4])), std::stoi(argv[6]), std::stoi(argv[7]));
}

}  // namespace autoshard::test
