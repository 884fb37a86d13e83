#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <map>
#include <string>

#include "looks.h"

namespace autoshard::ctl {

/// What a compaction without the classes has removed, and what it leaves to programs.
struct Tidied {
  std::uint64_t erased = 0;                       ///< entities whose erase was cut short
  std::uint64_t records = 0;                      ///< of these entities, without their tombstones
  std::uint64_t buckets = 0, tokens = 0;          ///< that have ended
  std::map<std::string, std::uint64_t> deltas{};  ///< by kind: left to programs
};

/// Removes what no program reads any more, as far as that takes no class: the remains of erased entities,
/// buckets of windows past their end, and tokens past their end, both by the store's clock. Folding deltas
/// takes the class. An empty `kind` or `id` stands for all. Programs may go on meanwhile: each commit
/// validates what it removes. `missing` is set if there is no record of the kind or the entity. Throws what
/// the store throws.
Tidied tidy(Store& store, const std::string& kind, const std::string& id, Missing& missing);

}  // namespace autoshard::ctl
