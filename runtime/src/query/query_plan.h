#pragma once

#include <autoshard/detail/query_run.h>
#include <autoshard/store.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index_walk.h"

namespace autoshard::detail {

/// Where a query looks for entities that may match.
struct QueryPlan {
  const EntityIndex* index = nullptr;  ///< null: every main record, in the order of ids
  std::vector<IdRange> ranges{};       ///< of the index's entries
  WalkOrder order = WalkOrder::kForward;
  bool is_in_order = true;  ///< entities are found in the order in which they are to be given
  bool is_by_ids = true;    ///< they are found in the order of ids
  std::string fixed{};      ///< the values of the index's first members, which all of these entries have
  std::vector<std::string_view> fields{};        ///< of the index, that the query asks for
  std::vector<const EntityIndex*> incomplete{};  ///< indexes that would do once they are built
};

/// Of which index entities are found in the order, for rows that come as they are found: its key; empty where
/// rows come in the order of ids, or as is asked for. Pages go on in the same order.
std::string walked_index(const QuerySpec& spec, const QueryPlan& plan);

/// `goes_on_in`: the walked index of the page before; without, the first page. Throws `IndexNotBuilt` for a
/// range of an index that is not complete, and `InvalidCursor` where that index is not there any more.
QueryPlan make_plan(const Snapshot& snapshot, const QuerySpec& spec,
                    const std::optional<std::string>& goes_on_in = {});

}  // namespace autoshard::detail
