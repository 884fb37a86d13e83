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
  bool is_in_order = true;  ///< entities are found in the order of the result
  bool is_by_ids = true;    ///< entities are found in the order of ids
  /// The values of the index's first members that all of these entries share.
  std::string fixed{};
  std::vector<std::string_view> fields{};        ///< of the index, and used by the query
  std::vector<const EntityIndex*> incomplete{};  ///< indexes that the query could use once they are built
};

/// Returns the key of the index in whose order the query returns its rows. Empty if the rows come in the
/// order of ids, or in a requested order. Later pages have the same order.
std::string walked_index(const QuerySpec& spec, const QueryPlan& plan);

/// `goes_on_in`: the walked index of the previous page; empty for the first page. Throws `IndexNotBuilt` for
/// a range of an incomplete index, and `InvalidCursor` if the walked index is gone.
QueryPlan make_plan(const Snapshot& snapshot, const QuerySpec& spec,
                    const std::optional<std::string>& goes_on_in = {});

}  // namespace autoshard::detail
