/// What monitoring reads of a mapper: its metrics, and the activity of its properties.

#include <autoshard/activity.h>
#include <autoshard/errors.h>
#include <autoshard/mapper.h>
#include <autoshard/metrics.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "keys.h"
#include "layout.h"
#include "mapper_core.h"

namespace autoshard {
namespace {

using detail::Activity;
using detail::MapperContext;

PropertyActivity activity_of(const detail::PropertyId& id, const Activity& seen) {
  PropertyActivity activity{.entity = detail::describe(id.entity),
                            .property = id.property,
                            .is_sharded = seen.type != nullptr,
                            .shards = seen.shards,
                            .most = seen.most,
                            .writers = seen.writers,
                            .updates = seen.puts,
                            .commits = seen.commits,
                            .conflicts = seen.conflicts,
                            .retries = seen.retries,
                            .loads = seen.gets,
                            .waiting = seen.waited};
  if (!seen.type) return activity;
  if (const auto place = detail::find_sharded(*seen.type, id.property)) {
    const Shards::Kind kind = seen.type->sharded[*place].shards.kind;
    activity.is_adaptive = kind == Shards::Kind::kAdaptive;
    activity.is_group = kind == Shards::Kind::kGroup;
  }
  return activity;
}

}  // namespace

std::uint64_t Histogram::count() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

ActivityObserver::ActivityObserver(Mapper& mapper) : mapper_(mapper) {
  if (!detail::core_of(mapper).context.observation.begin(detail::platform::Clock::now()))
    throw InvalidUse("ActivityObserver: the mapper has an observer already, such as a Monitor");
}

ActivityObserver::~ActivityObserver() { detail::core_of(mapper_).context.observation.end(); }

ActivityInterval ActivityObserver::next() {
  auto seen = detail::core_of(mapper_).context.observation.take(detail::platform::Clock::now());
  ActivityInterval interval{.end = detail::platform::SystemClock::now(), .length = seen.length};
  interval.properties.reserve(seen.window.size());
  for (const auto& [id, activity] : seen.window) interval.properties.push_back(activity_of(id, activity));
  std::ranges::stable_sort(interval.properties, std::greater<>(),
                           [](const PropertyActivity& one) { return one.updates + one.conflicts; });
  for (detail::ObservedChange& change : seen.changes) {
    interval.changes.push_back({.time = change.time,
                                .entity = detail::describe(change.id.entity),
                                .property = std::move(change.id.property),
                                .from = change.from,
                                .to = change.to,
                                .why = std::move(change.why)});
  }
  return interval;
}

const AdaptiveRules& ActivityObserver::rules() const { return detail::core_of(mapper_).adaptation.rules(); }

namespace admin {

Metrics metrics(const Mapper& mapper) {
  using Seconds = std::chrono::duration<double>;
  detail::MapperCore& core = detail::core_of(mapper);
  MapperContext& context = core.context;
  const detail::Counters& counters = context.counters;
  const auto now = detail::platform::Clock::now();
  const auto reads = context.loaded.reads();
  const auto backlog = context.compactable.backlog();
  const auto refresh_lag = core.maintenance.refresh_lag(now);
  const detail::Combiner* combiner = core.updates.combiner();
  Metrics metrics{
      .commits = counters.commits.value(),
      .conflicts = counters.conflicts.value(),
      .unknown_outcomes = counters.unknown_outcomes.value(),
      .resolved_outcomes = context.writers.resolved(),
      .commit_seconds = counters.commit_microseconds.histogram(1e-6),
      .updates = counters.updates.value(),
      .saves = counters.saves.value(),
      .retries = counters.retries.value(),
      .contentions = counters.contentions.value(),
      .lost_updates = counters.lost_updates.value(),
      .unknown_updates = counters.unknown_updates.value(),
      .batch_updates = counters.batch_updates.histogram(1),
      .waiting_callers = combiner ? combiner->waiting() : 0,
      .updates_in_flight = combiner ? combiner->in_flight() : 0,
      .held_up = combiner ? combiner->held_up() : 0,
      .cache_hits = reads.hits,
      .cache_misses = reads.misses,
      .shared_cache_hits = counters.shared_cache_hits.value(),
      .shared_cache_misses = counters.shared_cache_misses.value(),
      .shard_increases = counters.shard_increases.value(),
      .shard_decreases = counters.shard_decreases.value(),
      .compactions = counters.compactions.value(),
      .compaction_failures = counters.compaction_failures.value(),
      .compacted_records = counters.compacted_records.value(),
      .compactable_entities = backlog.entities,
      .compaction_lag_seconds = backlog.since ? Seconds(now - *backlog.since).count() : 0,
      .refreshed_entities = counters.refreshed_entities.value(),
      .outage_failures = context.outages.failures(),
  };
  if (refresh_lag) metrics.refresh_lag_seconds = refresh_lag->count();
  return metrics;
}

}  // namespace admin
}  // namespace autoshard
