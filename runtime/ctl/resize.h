#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <string>

#include "looks.h"

namespace autoshard::ctl {

/// The number of shards of a property before and after a change. 0: each update is a record of its own.
struct Resized {
  std::uint64_t before = 0, after = 0;
  bool has_entry = false;  ///< of the property in the main record, before: else `before` is not known
};

/// Changes the number of shards of a property of an entity, as `admin::set_shards` does: updates go to that
/// many shards from then on. Records of other shards continue to count, and programs fold them when they
/// compact. The commit validates the main record, so programs may go on meanwhile.
///
/// Without the class, only the records tell how a property is sharded. Throws `InvalidUse`, and changes
/// nothing,
/// - for a bounded property: all its shares would have to change in the same commit;
/// - for a group, whose number of partitions its annotation says;
/// - for 0 shards of a property of which no shard or delta is stored, such as a window;
/// - for a property with records of a higher epoch than its entry in the main record: the class has or had
///   another name for it, which only the class knows;
/// - for more than `kMostShards` shards.
/// `missing` is set if there is no such entity or property. Throws what the store throws.
Resized set_shards(Store& store, const std::string& kind, const std::string& id, const std::string& property,
                   std::uint64_t shards, Missing& missing);

}  // namespace autoshard::ctl
