#pragma once

#include <vector>

#include "race.h"

namespace autoshard::bench {

/// AutoShard in its forms.
std::vector<Contestant> own_contestants();

/// What somebody who knows RocksDB would write. Each does no more than count: none checks that there is an
/// entity, as AutoShard does.
std::vector<Contestant> rocksdb_peers();

}  // namespace autoshard::bench
