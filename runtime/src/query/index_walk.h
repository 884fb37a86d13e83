#pragma once

#include <autoshard/detail/condition.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "entity_index.h"
#include "merged_cursor.h"

namespace autoshard::detail {

/// The order in which entries are walked.
enum class WalkOrder : std::uint8_t {
  kForward,
  kBackward,          ///< the reverse order of values and ids
  kBackwardByValues,  ///< the reverse order of values; equal values by ascending ids
};

/// The position of an entry: the values of the index's members and the id, in the form of keys.
struct EntryPosition {
  std::string values, id;
};

/// Walks over the entries of an index in a snapshot, across the shards of the index. Keeps one entry of each
/// shard in memory. Used by one thread at a time.
class IndexWalk {
 public:
  /// Walks over the entries in `ranges`, which are sorted and disjoint. `behind`: begins after this entry.
  /// The other arguments must outlive the walk.
  IndexWalk(const Snapshot& snapshot, const EntityIndex& index, std::vector<IdRange> ranges, WalkOrder order,
            const std::optional<EntryPosition>& behind = {});

  /// Moves to the next entry; returns false at the end.
  bool next();
  const EntityKey& entity_key() const { return entity_key_; }
  const std::string& values() const { return values_; }

 private:
  void skip_to(const EntryPosition& behind);
  bool open_range();
  bool open_values();

  const Snapshot& snapshot_;
  const EntityIndex& index_;
  const WalkOrder order_;
  const std::vector<std::string> prefixes_;
  std::vector<IdRange> ranges_;  // the ranges that are left, the next one last
  std::optional<MergedCursor> cursor_;
  EntityKey entity_key_;
  std::string values_;
};

}  // namespace autoshard::detail
