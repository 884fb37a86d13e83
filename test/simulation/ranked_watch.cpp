#include "ranked_watch.h"

#include <autoshard/detail/id.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "entity_index.h"
#include "keys.h"
#include "ranked_index.h"

namespace autoshard::simulation {
namespace {

constexpr std::string_view kComplete("\xC3", 1);  // true, in MessagePack

}  // namespace

void look_at_ranked(Scheduler& scheduler, const Snapshot& state, const detail::EntityType& type,
                    const detail::IndexType& declared, int entity, std::optional<int> value) {
  const detail::EntityIndex& index = detail::find_index(type, declared);
  const std::string id(detail::id_in(detail::entity_key(type.kind, entity)));
  std::string stored;
  if (!state.get(index.key(), stored) || stored != kComplete) return;
  const bool is_dirty =
      state.get(dynamic_cast<const detail::RankedIndex&>(index).dirty_prefix() + id, stored);
  const std::string before = index.entry_prefixes().front();
  std::vector<std::string> entries, expected;
  for (const auto cursor = state.scan(before, detail::end_key(before)); cursor->valid(); cursor->next()) {
    if (cursor->key().ends_with(id) &&
        index.size_of_values(cursor->key().substr(before.size())) + before.size() + id.size() ==
            cursor->key().size())
      entries.emplace_back(cursor->key().substr(before.size()));
  }
  if (value) detail::append_id(expected.emplace_back(), *value);
  if (value) expected.back() += id;
  if (is_dirty ? !value || entries.size() > 1 : entries != expected)
    scheduler.fail("the ranked index of " + std::string(type.kind) + ' ' + std::to_string(entity) +
                   " is wrong: " + std::to_string(entries.size()) + " entries, and its value is " +
                   std::to_string(value.value_or(-1)));
}

}  // namespace autoshard::simulation
