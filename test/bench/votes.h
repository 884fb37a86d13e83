#pragma once

#include <autoshard/store.h>

#include <cstdint>

namespace autoshard::bench {

/// The experiment of the paper: users vote on questions, each now and then.
struct VoteSetting {
  int users = 2'000;
  int processes = 4;  ///< mappers, among which the users are shared out
  int questions = 16;
  double votes_per_second = 75;  ///< of all users together
  double seconds = 120;
};

/// How a vote is counted.
struct VoteScheme {
  static constexpr std::uint32_t kNaive = ~0U;  ///< read, add and write one record by hand
  static constexpr std::uint32_t kAdaptive = ~1U;

  std::uint32_t shards = 10;  ///< 0: dynamic
  bool combines =
      true;  ///< as is AutoShard's default; else each vote goes to a random shard, as in the paper
  bool retries = true;
};

struct VoteResult {
  double votes = 0;         ///< that were tried, after a tenth of the time
  double failed_share = 0;  ///< because of conflicts
  double mean_ms = 0;       ///< of those that succeeded, from the call to its end, waiting included
  double p99_ms = 0;
  double lost = 0;  ///< acknowledged and not counted, or the other way round
};

/// On an empty store. Takes its time, threads and chance from the runtime's platform.h.
VoteResult run_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme);

}  // namespace autoshard::bench
