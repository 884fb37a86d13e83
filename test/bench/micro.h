#pragma once

#include <vector>

#include "rows.h"

namespace autoshard::bench {

struct MicroOptions {
  bool sync = false;
  int repetitions = 15;
  double seconds = 0.2;  ///< of one repetition
};

/// `apply`, `save` and `load` on RocksDB, and a record in memory encoded and decoded, next to the same work
/// by hand, and what statistics of an update cost, in one thread; times are medians over the repetitions,
/// which take turns in random order.
std::vector<Row> run_micro(const MicroOptions& options);

}  // namespace autoshard::bench
