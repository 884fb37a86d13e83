#pragma once

#include <autoshard/store.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "context.h"
#include "expired_records.h"
#include "failures.h"
#include "lease.h"
#include "periodic.h"
#include "store_clock.h"
#include "sweep.h"

namespace autoshard::detail {

/// The time after which another mapper takes the lease from a dead holder.
inline constexpr std::chrono::seconds kLeaseTerm(10);

/// The background thread of a mapper, see `MapperOptions::compact_every`. It periodically runs the jobs that
/// are due. No exception of a job ends the thread: a job that fails is logged once, and run again after
/// pauses that grow. Of an outage of the store only the first failure is logged.
///
/// Of all mappers on a store only one has the lease. Without the lease, no job removes entities, refreshes an
/// index or compacts. May be killed anywhere.
class Maintenance {
 public:
  /// Starts the thread, unless the options disable it. The arguments must outlive the object.
  Maintenance(MapperContext& context, StoreClock& clock);
  ~Maintenance() { stop(); }
  Maintenance(const Maintenance&) = delete;
  Maintenance& operator=(const Maintenance&) = delete;

  /// Ends the thread as soon as its job can be interrupted.
  void stop();
  /// Whether `stop` was called.
  bool is_stopping() const { return stopping_; }

  /// Returns the time since the last complete refresh of an index, of the index that waits longest; empty:
  /// none was refreshed. Thread-safe.
  std::optional<std::chrono::duration<double>> refresh_lag(platform::Clock::time_point now);

  /// Removes expired marks and tokens and returns their number. Thread-safe.
  std::uint64_t remove_expired_records();

 private:
  using Time = platform::Clock::time_point;

  static constexpr Time kNextRound{};

  struct Job {
    std::string name;             ///< unique; in messages: "compaction"
    std::function<Time()> run{};  ///< returns when the job is due again
  };

  std::vector<Job> jobs();
  void run_jobs();
  void run(const Job& job);
  bool take_lease();

  Time advance_clock();
  Time remove_expired_records_left_here();
  Time remove_expired_entities(const EntityType& type);
  Time refresh(const EntityIndex& index);
  Time sweep(const EntityType& type);
  Time compact_noted();
  void compact(const EntityType& type, EntityKeyView key, const std::function<bool()>& goes_on);

  MapperContext& context_;
  StoreClock& clock_;
  SeenMarks seen_marks_;
  std::atomic<bool> stopping_{false};

  std::atomic<Time> oldest_refresh_{
      Time::max()};  // of the last refreshes of the indexes; max: there was none

  // Used by the maintenance thread only.
  Lease lease_;
  bool is_refused_ = false;                       // another mapper has had the lease in this round
  Failures failures_;                             // of jobs, and of the objects that they process
  std::map<std::string, Time> due_;               // when a job runs next, by its name
  std::map<const EntityIndex*, Time> refreshed_;  // when the index was last refreshed completely
  std::map<const EntityType*, Sweep> sweeps_;
  std::optional<Periodic> thread_;
};

}  // namespace autoshard::detail
