#include "rollup_watch.h"

#include <autoshard/detail/id.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index_records.h"
#include "keys.h"
#include "rollup.h"

namespace autoshard::simulation {
namespace {

constexpr std::string_view kComplete("\xC3", 1);  // true, in MessagePack

}  // namespace

void look_at_rollup(Scheduler& scheduler, const Snapshot& state, const detail::EntityType& type,
                    const detail::IndexType& rollup, int entity, std::optional<int> value) {
  const std::string id(detail::id_in(detail::entity_key(type.kind, entity)));
  std::string stored;
  if (!state.get(detail::index_key(type, rollup), stored) || stored != kComplete) return;
  const bool is_dirty = state.get(detail::dirty_prefix(type, rollup) + id, stored);
  const std::string before = detail::index_prefixes(type, rollup).front();
  std::vector<std::string> entries, expected;
  for (const auto cursor = state.scan(before, detail::end_key(before)); cursor->valid(); cursor->next()) {
    if (cursor->key().ends_with(id) &&
        detail::size_of_values(rollup, cursor->key().substr(before.size())) + before.size() + id.size() ==
            cursor->key().size())
      entries.emplace_back(cursor->key().substr(before.size()));
  }
  if (value) detail::append_id(expected.emplace_back(), *value);
  if (value) expected.back() += id;
  if (is_dirty ? !value || entries.size() > 1 : entries != expected)
    scheduler.fail("the rollup of " + std::string(type.kind) + ' ' + std::to_string(entity) +
                   " is wrong: " + std::to_string(entries.size()) + " entries, and its value is " +
                   std::to_string(value.value_or(-1)));
}

}  // namespace autoshard::simulation
