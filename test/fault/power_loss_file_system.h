#pragma once

#include <rocksdb/env.h>

#include <memory>

#include "power_loss_disk.h"

namespace autoshard::test {

/// The environment of a store on a disk, which must outlive it, as `RocksDbOptions::sync` of the store has
/// it. RocksDB does not wait after errors there, and keeps no log of what it does.
std::unique_ptr<rocksdb::Env> env_on(Disk& disk, bool sync);

}  // namespace autoshard::test
