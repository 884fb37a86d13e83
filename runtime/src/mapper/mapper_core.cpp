#include "mapper_core.h"

#include <autoshard/errors.h>

#include <string>
#include <utility>
#include <variant>

namespace autoshard::detail {
namespace {

/// Returns the rules with the store's own limits where the options have none.
AdaptiveRules rules_for(const Store& store, AdaptiveRules rules) {
  if (rules.sustained_writes == 0) rules.sustained_writes = store.traits().sustained_writes_per_record;
  return rules;
}

/// Returns the store if a mapper can use it; throws otherwise.
Store& suitable(Store& store) {
  const StoreTraits traits = store.traits();
  if (traits.atomic_scope == StoreTraits::AtomicScope::kStore && traits.snapshot_reads) return store;
  throw StoreUnavailable("a mapper needs a store with transactions over several records and with snapshots");
}

/// Returns the options, or throws `InvalidUse`.
MapperOptions valid(MapperOptions options) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw InvalidUse(std::string("MapperOptions::") + what);
  };
  const RetryPolicy& retry = options.retry;
  require(retry.initial_backoff.count() >= 0, "retry.initial_backoff is negative: give a time, or 0");
  require(retry.max_backoff.count() >= 0, "retry.max_backoff is negative: give a time, or 0");
  require(retry.deadline.count() >= 0, "retry.deadline is negative: give the time in which attempts begin");
  require(retry.resolve_within.count() >= 0, "retry.resolve_within is negative: give a time, or 0");
  const auto* buffered = std::get_if<durability::buffered>(&options.durability);
  require(!buffered || buffered->within.count() >= 0,
          "durability is buffered within a negative time: give the time after which updates are committed");
  require(options.max_in_flight > 0, "max_in_flight is 0: at least one update must be in flight");
  require(options.compact_every.count() >= 0,
          "compact_every is negative: give an interval, or 0 for no thread");
  require(options.token_lifetime.count() >= 0,
          "token_lifetime is negative: give the time for which tokens are remembered");
  return options;
}

}  // namespace

MapperCore::MapperCore(Store& store, MapperOptions options)
    : context(suitable(store), valid(std::move(options))),
      clock(context.store),
      updates(context, clock),
      adaptation(rules_for(context.store, context.options.adaptive), context.usage, context.options.cache,
                 context.options.log, platform::Clock::now()),
      maintenance(context, clock) {
  if (context.options.adaptive.window.count() > 0)
    adapting.emplace(context.options.adaptive.window, [this] { close_window(platform::Clock::now()); });
}

void MapperCore::stop() {
  maintenance.stop();
  adapting.reset();
  updates.stop();  // callbacks may still use this object
  context.writers.remove_marks();
}

std::unique_ptr<Snapshot> MapperCore::snapshot() {
  updates.commit_buffered();
  return context.store.snapshot();
}

}  // namespace autoshard::detail
