#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "rows.h"
#include "votes.h"

namespace autoshard::bench {

struct Figure6Options {
  VoteSetting setting;
  double most_votes_per_second =
      20'000;                        ///< the rate doubles up to this, or until half of the naive votes fail
  std::filesystem::path svg;         ///< where to draw; times in a file of that name and `-times`
  std::string store;                 ///< in words, for the drawing
  std::uint32_t random_shards = 10;  ///< of the paper's way to count
  bool compares_strategies = true;
  /// In the end all users vote again at once, and it is printed how many votes that makes.
  bool saturates = false;
};

/// Votes on a store that is empty at the beginning of each call.
using VoteTrial = std::function<VoteResult(const VoteSetting&, const VoteScheme&)>;

/// The paper's Figure 6, naive next to AutoShard, each with and without retries; then at higher rates; then
/// by number of shards and strategy; then as fast as it goes, as far as the options say. Prints the rows.
/// Throws `std::runtime_error` if a vote is lost.
std::vector<Row> run_figure6(const Figure6Options& options, const VoteTrial& vote);

/// On RocksDB, with an fsync for every commit, in a folder of its own in `folder`.
std::vector<Row> run_figure6_on_rocksdb(Figure6Options options, const std::filesystem::path& folder);

/// On three nodes of a Galera cluster, or else one MariaDB, that it starts itself, in a folder of its own in
/// `folder`, with a process for each mapper. Throws `std::runtime_error` where the programs for that are not
/// installed.
std::vector<Row> run_figure6_on_mysql(Figure6Options options, const std::filesystem::path& folder,
                                      bool is_cluster);

/// Becomes the program that does it in virtual time, and so returns only to throw. `json`: where it writes
/// the rows as well; empty: nowhere.
[[noreturn]] void run_simulated_figure6(const Figure6Options& options, const std::string& json);

}  // namespace autoshard::bench
