#include "figure6.h"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "chart.h"

namespace autoshard::bench {
namespace {

/// Of the paper, at 75 votes a second.
struct Paper {
  double failed_percent;  // without retries
  double mean_ms;         // with retries
};
constexpr Paper kNaivePaper{25, 430}, kShardedPaper{4, 300};

struct Way {
  const char* name;
  const char* what;
  VoteScheme scheme;
  std::optional<Paper> paper;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> all = {
      {"peer-naive", "one record for each question", {.shards = VoteScheme::kNaive}, kNaivePaper},
      {"autoshard-random-shard",
       "a random one of 10 shards, as in the paper",
       {.combines = false},
       kShardedPaper},
      {"autoshard", "10 shards; what waits in a process shares a commit", {}, std::nullopt},
  };
  return all;
}

class Figure6 {
 public:
  Figure6(const Figure6Options& options, const VoteTrial& vote) : options_(options), vote_(vote) {}

  std::vector<Row> run() {
    Chart failures = chart("Failed votes, without retries", " %");
    Chart times = chart("Time of a vote, with retries", " ms");
    for (const Way& way : ways()) {
      for (const bool retries : {false, true}) {
        const VoteResult result = measure(way, options_.setting.votes_per_second, retries);
        Chart& its = retries ? times : failures;
        const double percent = 100 * result.failed_share;
        its.bars.push_back(
            {way.name, way.what, retries ? result.mean_ms : percent,
             retries ? fmt::format("p99 {:.0f} ms", result.p99_ms) : fmt::format("{:.2f}", percent),
             std::string_view(way.name).starts_with("autoshard")});
        if (way.paper)
          its.bars.push_back(
              {"in the paper", "", retries ? way.paper->mean_ms : way.paper->failed_percent, "", false});
      }
    }
    if (!options_.svg.empty()) {
      write_file(options_.svg, svg(failures));
      std::filesystem::path file = options_.svg;
      write_file(file.replace_filename(file.stem().string() + "-times" + file.extension().string()),
                 svg(times));
    }
    raise_rate();
    compare_strategies();
    return std::move(rows_);
  }

 private:
  Chart chart(const std::string& title, const std::string& unit) const {
    const VoteSetting& setting = options_.setting;
    return {.title = title,
            .subtitle =
                fmt::format("{} users, {:.0f} votes/s on {} questions, {} processes, {}", setting.users,
                            setting.votes_per_second, setting.questions, setting.processes, options_.store),
            .unit = unit,
            .bars = {},
            .footer = "paper: AutoShard, WebDB 2014, Figure 6, on Google Cloud Datastore"};
  }

  void raise_rate() {
    double naive_failed = 0;
    for (double rate = 2 * options_.setting.votes_per_second;
         rate <= options_.most_votes_per_second && naive_failed < 0.5; rate *= 2) {
      for (const Way& way : ways()) {
        const VoteResult result = measure(way, rate, false);
        if (way.scheme.shards == VoteScheme::kNaive) naive_failed = result.failed_share;
      }
    }
  }

  /// A commit for each vote, as often as at first.
  void compare_strategies() {
    const auto measure_scheme = [&](const std::string& name, std::uint32_t shards) {
      const Way way{name.c_str(), "", {.shards = shards, .combines = false}, std::nullopt};
      for (const bool retries : {false, true}) measure(way, options_.setting.votes_per_second, retries);
    };
    for (std::uint32_t shards = 1; shards <= 64; shards *= 2)
      measure_scheme(fmt::format("autoshard-static-{}", shards), shards);
    measure_scheme("autoshard-dynamic", 0);
    measure_scheme("autoshard-adaptive", VoteScheme::kAdaptive);
  }

  VoteResult measure(const Way& way, double rate, bool retries) {
    VoteSetting setting = options_.setting;
    setting.votes_per_second = rate;
    VoteScheme scheme = way.scheme;
    scheme.retries = retries;
    const VoteResult result = vote_(setting, scheme);
    Row& row = rows_.emplace_back(Row{way.name + std::string(retries ? "-retry" : ""), {}});
    row.values = {{"votes_per_second", rate},
                  {"failed_percent", 100 * result.failed_share},
                  {"mean_ms", result.mean_ms},
                  {"p99_ms", result.p99_ms},
                  {"lost", result.lost}};
    if (way.paper && rate == options_.setting.votes_per_second) {
      row.values.emplace_back(retries ? "paper_mean_ms" : "paper_failed_percent",
                              retries ? way.paper->mean_ms : way.paper->failed_percent);
    }
    print({row});
    if (result.lost != 0) throw std::runtime_error(fmt::format("{}: {} votes lost", row.name, result.lost));
    return result;
  }

  const Figure6Options& options_;
  const VoteTrial& vote_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> run_figure6(const Figure6Options& options, const VoteTrial& vote) {
  return Figure6(options, vote).run();
}

}  // namespace autoshard::bench
