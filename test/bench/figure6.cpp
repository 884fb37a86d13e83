#include "figure6.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
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
  std::string name;
  std::string what;
  VoteScheme scheme;
  std::optional<Paper> paper;
};

std::vector<Way> ways(std::uint32_t random_shards) {
  return {
      {"peer-naive", "one record for each question", {.shards = VoteScheme::kNaive}, kNaivePaper},
      {"autoshard-random-shard",
       fmt::format("a random one of {} shards, as in the paper", random_shards),
       {.shards = random_shards, .combines = false},
       kShardedPaper},
      {"autoshard", "10 shards, one commit for all that wait", {}, std::nullopt},
  };
}

class Figure6 {
 public:
  Figure6(const Figure6Options& options, const VoteTrial& vote)
      : options_(options), vote_(vote), ways_(ways(options.random_shards)) {}

  std::vector<Row> run() {
    Chart failures = chart("Failed votes, without retries", " %", options_.setting.votes_per_second);
    Chart times = chart("Time of a vote, with retries", " ms", options_.setting.votes_per_second);
    for (const Way& way : ways_) {
      for (const bool retries : {false, true}) {
        const VoteResult result = measure(way, options_.setting.votes_per_second, retries);
        Chart& its = retries ? times : failures;
        const double percent = 100 * result.failed_share;
        its.bars.push_back(
            {way.name, way.what, retries ? result.mean_ms : percent,
             retries ? fmt::format("p99 {:.0f} ms", result.p99_ms) : fmt::format("{:.2f}", percent),
             way.name.starts_with("autoshard")});
        if (way.paper)
          its.bars.push_back(
              {"in the paper", "", retries ? way.paper->mean_ms : way.paper->failed_percent, "", false});
      }
    }
    draw("", failures);
    draw("-times", times);
    raise_rate();
    if (options_.compares_strategies) compare_strategies();
    if (options_.saturates) saturate();
    return std::move(rows_);
  }

 private:
  Chart chart(const std::string& title, const std::string& unit, double rate) const {
    const VoteSetting& setting = options_.setting;
    return {.title = title,
            .subtitle = fmt::format("{} users, {}on {} questions, {} processes, {}", setting.users,
                                    std::isinf(rate) ? "" : fmt::format("{:.0f} votes/s ", rate),
                                    setting.questions, setting.processes, options_.store),
            .unit = unit,
            .bars = {},
            .footer = "paper: AutoShard, WebDB 2014, Figure 6, on Google Cloud Datastore"};
  }

  void draw(const std::string& suffix, const Chart& chart) const {
    if (options_.svg.empty()) return;
    std::filesystem::path file = options_.svg;
    write_file(file.replace_filename(file.stem().string() + suffix + file.extension().string()), svg(chart));
  }

  void raise_rate() {
    double naive_failed = 0;
    double rate = 2 * options_.setting.votes_per_second;
    while (rate <= options_.most_votes_per_second && naive_failed < 0.5) {
      for (const Way& way : ways_) {
        const VoteResult result = measure(way, rate, false);
        if (way.scheme.shards == VoteScheme::kNaive) naive_failed = result.failed_share;
      }
      rate *= 2;
    }
  }

  /// A commit for each vote, as often as at first.
  void compare_strategies() {
    const auto measure_scheme = [&](const std::string& name, std::uint32_t shards) {
      const Way way{name, "", {.shards = shards, .combines = false}, std::nullopt};
      for (const bool retries : {false, true}) measure(way, options_.setting.votes_per_second, retries);
    };
    for (std::uint32_t shards = 1; shards <= 64; shards *= 2)
      measure_scheme(fmt::format("autoshard-static-{}", shards), shards);
    measure_scheme("autoshard-dynamic", 0);
    measure_scheme("autoshard-adaptive", VoteScheme::kAdaptive);
  }

  /// Each user votes again as soon as the last vote is counted, or has failed.
  void saturate() {
    constexpr double kNoPause = std::numeric_limits<double>::infinity();
    Chart speeds = chart("Votes counted, each user again at once, without retries", "/s", kNoPause);
    speeds.footer.clear();
    std::vector<VoteResult> results;
    for (const Way& way : ways_) {
      const VoteResult& result = results.emplace_back(measure(way, kNoPause, false));
      speeds.bars.push_back({way.name, way.what, result.per_second,
                             fmt::format("{:.2f} % failed", 100 * result.failed_share),
                             way.name.starts_with("autoshard")});
    }
    draw("-saturated", speeds);
    const VoteResult &naive = results[0], &random = results[1], &own = results[2];
    fmt::print(
        "without retries: {:.2f} % of AutoShard's votes failed, {:.1f} % of naive ones; it counted {:.1f} "
        "times "
        "as many as naive, {:.1f} times as many as a random shard for each\n",
        100 * own.failed_share, 100 * naive.failed_share, own.per_second / naive.per_second,
        own.per_second / random.per_second);
    for (const Way& way : ways_) measure(way, kNoPause, true);
  }

  VoteResult measure(const Way& way, double rate, bool retries) {
    VoteSetting setting = options_.setting;
    setting.votes_per_second = rate;
    VoteScheme scheme = way.scheme;
    scheme.retries = retries;
    const VoteResult result = vote_(setting, scheme);
    Row& row = rows_.emplace_back(Row{way.name + (retries ? "-retry" : ""), {}});
    row.values = {{"votes_per_second", std::isinf(rate) ? result.votes / (0.9 * setting.seconds) : rate},
                  {"failed_percent", 100 * result.failed_share},
                  {"mean_ms", result.mean_ms},
                  {"p99_ms", result.p99_ms},
                  {"counted_per_second", result.per_second},
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
  const std::vector<Way> ways_;
  std::vector<Row> rows_;
};

}  // namespace

std::vector<Row> run_figure6(const Figure6Options& options, const VoteTrial& vote) {
  return Figure6(options, vote).run();
}

}  // namespace autoshard::bench
