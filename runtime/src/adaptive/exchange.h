#pragma once

#include <autoshard/shared_cache.h>

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "platform.h"
#include "window.h"

namespace autoshard::detail {

/// Statistics of all processes that share a cache. For one thread.
///
/// Each process has a random name, and puts its last window under `usage/NAME`, which lives for some windows.
/// The names are in one list, `usage`: a cache cannot be searched. Whoever finds its own name missing there
/// adds it; whoever finds that there is no window under a name takes that out. The list is changed by
/// compare-and-swap. All of it may be lost or be nonsense at any time: within a window or two it is right
/// again, and meanwhile some processes are not counted.
class Exchange {
 public:
  /// What happened in all processes, as far as it is known.
  struct Shared {
    Window all;
    Window news;              ///< without what was in the result of the call before already
    bool is_partial = false;  ///< the cache does not work, or is too slow to ask about all processes
  };

  using Log = std::function<void(std::string_view)>;
  using Clock = std::function<platform::Clock::time_point()>;

  /// `cache` must outlive it. A process that has not called `share` for `lifetime` is gone; a call takes a
  /// sixth of that at most, and two calls of the cache.
  Exchange(SharedCache& cache, std::chrono::milliseconds lifetime, Log log,
           Clock clock = platform::Clock::now);

  /// Tells the other processes what happened here; returns that, and what happened there last. That the cache
  /// does not work is logged when it begins and when it ends.
  Shared share(const Window& own);

  /// Takes part no longer.
  void leave();

 private:
  enum class State { kShares, kAlone };

  std::vector<std::string> members_in(const std::string& list);
  void change_list(const std::vector<std::string>& gone, bool enter);
  void note(State state);
  void note_nonsense();

  SharedCache& cache_;
  const std::chrono::milliseconds lifetime_;
  const Log log_;
  const Clock clock_;
  const std::string name_;
  State state_ = State::kShares;
  std::map<std::string, SharedCache::Version> seen_;  // windows of other processes
  bool nonsense_ = false;                             // when statistics were shared last
  bool nonsense_seen_ = false;                        // now
};

}  // namespace autoshard::detail
