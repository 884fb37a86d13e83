#pragma once

#include <autoshard/detail/operations.h>
#include <autoshard/options.h>
#include <autoshard/store.h>

#include <cstddef>
#include <memory>
#include <optional>

#include "adaptation.h"
#include "context.h"
#include "maintenance.h"
#include "mutex.h"
#include "periodic.h"
#include "platform.h"
#include "store_clock.h"
#include "updates.h"

namespace autoshard::detail {

/// How many entities a call that takes many of them reads at once, or writes in one commit, at most.
inline constexpr std::size_t kEntitiesAtOnce = 128;

/// The parts of one mapper; each uses only those above it. The mapper's operations are functions of it, see
/// autoshard/detail/operations.h.
struct MapperCore {
  /// Throws `StoreUnavailable` if the store lacks what a mapper needs, and `InvalidUse` for options that make
  /// no sense.
  MapperCore(Store& store, MapperOptions options);
  ~MapperCore() { stop(); }
  MapperCore(const MapperCore&) = delete;
  MapperCore& operator=(const MapperCore&) = delete;

  /// Waits for what is under way, with its callbacks, which may still use this.
  void stop();

  /// Ends a window of statistics, and resizes properties as the rules say. Thread-safe.
  void close_window(platform::Clock::time_point now);

  /// A state with all that this mapper has acknowledged.
  std::unique_ptr<Snapshot> snapshot();

  MapperContext context;
  StoreClock clock;
  Updates updates;
  Mutex adapt_mutex;  // of the one who closes a window
  Adaptation adaptation;
  Maintenance maintenance;
  std::optional<Periodic> adapting;
};

}  // namespace autoshard::detail
