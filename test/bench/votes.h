#pragma once

#include <autoshard/store.h>

#include <cstdint>
#include <vector>

#include "latencies.h"

namespace autoshard::bench {

/// The experiment of the paper: users vote on questions, each now and then.
struct VoteSetting {
  int users = 2'000;
  int processes = 4;  ///< mappers, among which the users are shared out
  int questions = 16;
  double votes_per_second = 75;  ///< of all users together; infinite: each votes again at once
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
  double failed_share = 0;  ///< because of conflicts, or of the store
  double mean_ms = 0;       ///< of those that succeeded, from the call to its end, waiting included
  double p99_ms = 0;
  double per_second = 0;  ///< of those that succeeded
  double lost = 0;        ///< acknowledged and not counted, or the other way round
};

/// What the users of one process did.
struct VoteTally {
  double votes = 0, failed = 0;    ///< begun once it had warmed up
  double unknown = 0;              ///< nobody knows whether they count
  double finished_per_second = 0;  ///< acknowledged ones, while it lasted
  double acknowledged = 0;         ///< from the beginning
  double sum_ms = 0;
  Latencies latencies;
};

/// Makes the questions in an empty store.
void begin_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme);
/// All of the setting's users vote, through its mappers.
VoteTally cast_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme);
/// What there is in the end.
std::int64_t count_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme);
VoteResult result_of(const std::vector<VoteTally>& tallies, std::int64_t counted);

/// All of it in this process, on an empty store. Takes its time, threads and chance from the runtime's
/// platform.h.
VoteResult run_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme);

}  // namespace autoshard::bench
