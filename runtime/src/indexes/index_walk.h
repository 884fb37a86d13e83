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

/// Which way entries are walked.
enum class WalkOrder : std::uint8_t {
  kForward,
  kBackward,          ///< all the other way round
  kBackwardByValues,  ///< likewise, but entries of the same values by their ids, upwards
};

/// Where an entry stands: the values of the index's members, and the id, in the form of keys.
struct EntryPosition {
  std::string values, id;
};

/// Goes through entries of an index, whichever shards they are in, as a snapshot has them. Keeps one entry a
/// shard in memory. For one thread.
class IndexWalk {
 public:
  /// Those in `ranges`, which are sorted and apart from each other. `behind`: goes on behind this one. The
  /// others must outlive it.
  IndexWalk(const Snapshot& snapshot, const EntityIndex& index, std::vector<IdRange> ranges, WalkOrder order,
            const std::optional<EntryPosition>& behind = {});

  /// Goes to the next one; false at the end.
  bool next();
  const std::string& entity_key() const { return entity_key_; }
  const std::string& values() const { return values_; }

 private:
  void skip_to(const EntryPosition& behind);
  bool open_range();
  bool open_values();

  const Snapshot& snapshot_;
  const EntityIndex& index_;
  const WalkOrder order_;
  const std::vector<std::string> prefixes_;
  std::vector<IdRange> ranges_;  // that are left, the next one last
  std::optional<MergedCursor> cursor_;
  std::string entity_key_, values_;
};

}  // namespace autoshard::detail
