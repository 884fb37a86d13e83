/// Indexes: they are maintained, built, and refreshed.

#include <chrono>
#include <exception>
#include <memory>
#include <string>

#include "engine.h"
#include "index_build.h"
#include "index_records.h"
#include "keys.h"
#include "rollup.h"
#include "rollup_refresh.h"

namespace autoshard::detail {

void Engine::put_indexes(Transaction& transaction, const EntityType& type, const std::string& key,
                         const std::string* stored, const void* entity, Now now) {
  index_states_.note_write(transaction, type);
  put_index_records(transaction, type, key, stored, entity, entry_limits(now));
}

std::uint64_t Engine::build_indexes(const EntityType& type) {
  IndexBuild build(context_, type);
  build.remove_others();
  return build.run();
}

std::uint64_t Engine::rebuild_indexes(const EntityType& type) {
  IndexBuild(context_, type).forget();
  return build_indexes(type);
}

std::uint64_t Engine::refresh_indexes(const EntityType& type) {
  commit_what_is_buffered();
  std::uint64_t refreshed = 0;
  for (const IndexType& index : type.indexes) {
    if (index.is_rollup()) refreshed += RollupRefresh(context_, type, index).run({});
  }
  return refreshed;
}

std::uint64_t Engine::refresh_indexes() {
  std::uint64_t refreshed = 0;
  for (const EntityType* type : entity_types()) refreshed += refresh_indexes(*type);
  return refreshed;
}

/// Of all mappers on a store, one at a time. So early that what has just become dirty is not stale before the
/// next time.
void Engine::refresh_indexes_when_due() {
  const auto now = platform::Clock::now();
  bool goes_on = true;
  for (const EntityType* type : entity_types()) {
    for (const IndexType& index : type->indexes) {
      if (!goes_on) return;
      if (!index.is_rollup() || now < refresh_due_[&index]) continue;
      in_background("the refresh of index " + std::string(index.name) + " of " + std::string(type->kind) +
                        " has to wait",
                    [&] {
                      const std::string dirty = dirty_prefix(*type, index);
                      const auto cursor = context_.store.scan(dirty, end_key(dirty));
                      while (cursor->valid() && failures_.is_paused(cursor->key(), now)) cursor->next();
                      const bool is_any = cursor->valid();
                      goes_on = !is_any || compaction_.take();
                      if (!goes_on) return;
                      refresh_due_[&index] =
                          now + std::chrono::seconds(index.staleness) - context_.options.compact_every;
                      if (!is_any) return;
                      RollupRefresh(context_, *type, index, &failures_).run([&] {
                        return !stopping_ && compaction_.take();
                      });
                      compaction_.give_up();
                    });
    }
  }
}

}  // namespace autoshard::detail
