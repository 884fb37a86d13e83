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
#include "periodic.h"
#include "platform.h"
#include "store_clock.h"
#include "updates.h"

namespace autoshard::detail {

/// The largest number of entities that a call reads at once or writes in one commit.
inline constexpr std::size_t kEntitiesAtOnce = 128;

/// The parts of one mapper; each uses only the parts above it. The mapper's operations are functions that
/// take a `MapperCore`, see autoshard/detail/operations.h.
struct MapperCore {
  /// Throws `StoreUnavailable` if the store lacks an ability that a mapper needs, and `InvalidUse` for
  /// options that make no sense.
  MapperCore(Store& store, MapperOptions options);
  ~MapperCore() { stop(); }
  MapperCore(const MapperCore&) = delete;
  MapperCore& operator=(const MapperCore&) = delete;

  /// Waits for the work in progress, with its callbacks, which may still use this object.
  void stop();

  /// Ends a window of statistics, and resizes properties as the rules say. Thread-safe.
  void close_window(platform::Clock::time_point now);

  /// Returns a snapshot that includes all updates that this mapper has acknowledged.
  std::unique_ptr<Snapshot> snapshot();

  MapperContext context;
  StoreClock clock;
  Updates updates;
  Adaptation adaptation;
  Maintenance maintenance;
  std::optional<Periodic> adapting;
};

}  // namespace autoshard::detail
