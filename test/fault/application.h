#pragma once

#include <sys/types.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace autoshard::test {

/// What the processes of an application share.
struct SharedThings {
  std::vector<std::string> endpoints;  // of the database; each process has its own order
  std::string table;
  std::uint16_t memcached = 0;              // its port
  std::chrono::seconds resolve_within{30};  // see `RetryPolicy`
};

/// What a process tells, a byte each.
enum class Told : char {
  kLiked = 0,    // an update of `kPlain` was acknowledged
  kUnknown = 1,  // nobody knows whether one was counted
  kViewed = 2,   // an update of `kNamed`, which has a token and is repeated until it is acknowledged
  kRefused = 3,  // an update failed, and was not counted
};
inline constexpr std::size_t kTold = 4;

/// The flights that they update.
inline constexpr int kPlain = 1, kNamed = 2;

/// Threads of each process that update one of them.
inline constexpr int kThreadsForEach = 2;

/// A process of its own that updates flights through a mapper until it is stopped. This program again.
class Application {
 public:
  Application(const SharedThings& shared, std::size_t index);
  ~Application();
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  int told(Told what) const;
  /// Waits until it has told this so often. False: not within half a minute.
  bool wait_for(Told what, int times);
  /// Its threads finish what they are at, and then it ends. False if it did not within half a minute, or
  /// fell.
  bool stop();
  /// SIGKILL, in the middle of whatever it does.
  void kill();

  /// Where this program was started as one. Does not return then.
  static void run_if_asked(int argc, char** argv);

 private:
  void listen(int told);

  pid_t process_ = 0;
  int stop_ = -1;
  mutable std::mutex mutex_;
  std::condition_variable has_told_;
  std::array<int, kTold> counts_{};
  bool ended_ = false;  // it tells no more
  std::thread thread_;
};

}  // namespace autoshard::test
