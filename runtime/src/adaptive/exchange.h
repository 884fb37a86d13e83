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

/// Statistics of all processes that share a cache. Used by one thread at a time.
///
/// Each process has a random name. It puts its last window under `usage/NAME`, with a lifetime of some
/// windows. A cache cannot be searched, so one list, `usage`, holds the names. A process adds its own name if
/// the list lacks it, and removes a name without a window. The list is changed by compare-and-swap. All of
/// this may be lost or damaged at any time: it is right again within a window or two, and meanwhile some
/// processes are not counted.
class Exchange {
 public:
  /// The activity in all processes, as far as it is known.
  struct Shared {
    Window all;
    Window news;              ///< without the activity that the previous call already returned
    bool is_partial = false;  ///< the cache fails, or is too slow to ask about all processes
  };

  using Log = std::function<void(std::string_view)>;
  using Clock = std::function<platform::Clock::time_point()>;

  /// `cache` must outlive the object. A process that has not called `share` for `lifetime` counts as gone. A
  /// call takes at most a sixth of `lifetime` and two calls of the cache.
  Exchange(SharedCache& cache, std::chrono::milliseconds lifetime, Log log,
           Clock clock = platform::Clock::now);

  /// Publishes this process's window. Returns it together with the last windows of the other processes. Logs
  /// when the cache begins to fail and when it works again.
  Shared share(const Window& own);

  /// Leaves the exchange.
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
  bool nonsense_ = false;                             // in the previous call
  bool nonsense_seen_ = false;                        // in the present call
};

}  // namespace autoshard::detail
