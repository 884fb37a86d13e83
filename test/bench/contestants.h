#pragma once

#include <vector>

#include "race.h"

namespace autoshard::bench {

/// AutoShard in its forms.
std::vector<Contestant> own_contestants();

/// What somebody who knows RocksDB would write. Each does no more than count: none checks that there is an
/// entity, as AutoShard does.
std::vector<Contestant> rocksdb_peers();

/// Servers that are started for the race, each thread with a connection of its own through a socket of the
/// file system. None where the server, or at build time its client library, is not installed.
std::vector<Contestant> redis_peers();
std::vector<Contestant> postgres_peers();

/// AutoShard with different numbers of shards, and ways to choose one.
std::vector<Contestant> shard_contestants();

/// Loads of entities with different numbers of shards, next to the same by hand.
std::vector<Contestant> load_contestants();

}  // namespace autoshard::bench
