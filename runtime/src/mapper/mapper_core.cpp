#include "mapper_core.h"

#include <autoshard/errors.h>

#include <utility>

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

MapperOptions valid(MapperOptions options) {
  if (options.token_lifetime.count() < 0)
    throw InvalidUse(
        "MapperOptions::token_lifetime is negative: give the time for which tokens are remembered");
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
