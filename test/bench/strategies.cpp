#include "strategies.h"

#include <autoshard/autoshard.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <string>

#include "chart.h"
#include "machine.h"
#include "plot.h"
#include "tallies.autoshard.h"

namespace autoshard::bench {
namespace {

constexpr int kRounds = 5;
constexpr std::array<std::uint32_t, 7> kShards = {1, 2, 4, 8, 16, 32, 64};
constexpr int kUpdatesEachShard = 20;  // at random: enough for nearly every one of 64

/// Microseconds that one takes: the median over rounds.
template <class Operation>
double measure(double seconds, Operation operation) {
  using Clock = std::chrono::steady_clock;
  std::array<double, kRounds> rounds;
  for (double& round : rounds) {
    const Clock::time_point begin = Clock::now();
    const auto end = begin + std::chrono::duration<double>(seconds / kRounds);
    int times = 0;
    do {
      operation();
      ++times;
    } while (Clock::now() < end);
    round = std::chrono::duration<double, std::micro>(Clock::now() - begin).count() / times;
  }
  std::nth_element(rounds.begin(), rounds.begin() + kRounds / 2, rounds.end());
  return rounds[kRounds / 2];
}

class Costs {
 public:
  Costs(const StrategyOptions& options, const std::filesystem::path& folder)
      : options_(options), store_(folder, {.sync = options.sync, .minimum_free_bytes = 0}) {}

  /// `update` updates the tally of an id.
  template <class Tally, class Update>
  void add_shards(const std::string& strategy, Update update) {
    for (const std::uint32_t shards : kShards) {
      const int id = fresh<Tally>();
      admin::set_shards<Tally>(mapper_, id, "value", shards);
      for (std::uint32_t i = 0; i < kUpdatesEachShard * shards; ++i) anywhere_.apply<&Tally::add>(id, 1);
      add<Tally>(strategy, shards, id, update);
    }
  }

  /// Loads that are kept; each number of shards, for they do not matter.
  void add_cached() {
    using tallies::Static;
    for (const std::uint32_t shards : kShards) {
      const int id = fresh<Static>();
      admin::set_shards<Static>(mapper_, id, "value", shards);
      for (std::uint32_t i = 0; i < kUpdatesEachShard * shards; ++i) anywhere_.apply<&Static::add>(id, 1);
      const double update = measure(options_.seconds, [&] { mapper_.apply<&Static::add>(id, 1); });
      const double load =
          measure(options_.seconds, [&] { mapper_.load<Static>(id, cached{std::chrono::hours(1)}).value(); });
      note("cached", shards, update, load);
    }
  }

  /// `prepare` is called with the id of a tally that has so many deltas.
  template <class Prepare>
  void add_deltas(const std::string& strategy, Prepare prepare) {
    using tallies::Dynamic;
    for (int deltas = 10; deltas <= options_.most_deltas; deltas *= 10) {
      const int id = fresh<Dynamic>();
      for (int i = 0; i < deltas; ++i) anywhere_.apply<&Dynamic::add>(id, 1);
      prepare(mapper_, id);
      // Before updates are measured, which make more.
      const double load = measure(options_.seconds, [&] { mapper_.load<Dynamic>(id).value(); });
      note(strategy, static_cast<std::uint32_t>(deltas),
           measure(options_.seconds, [&] { mapper_.apply<&Dynamic::add>(id, 1); }), load);
    }
  }

  std::vector<Row> rows;

 private:
  template <class Tally>
  int fresh() {
    mapper_.save(Tally(++last_id_));
    return last_id_;
  }

  template <class Tally, class Update>
  void add(const std::string& strategy, std::uint32_t records, int id, Update update) {
    const double updates = measure(options_.seconds, [&] { update(mapper_, id); });
    note(strategy, records, updates, measure(options_.seconds, [&] { mapper_.load<Tally>(id).value(); }));
  }

  void note(const std::string& strategy, std::uint32_t records, double update, double load) {
    rows.push_back(
        {fmt::format("autoshard-{}-{}", strategy, records),
         {{"records", static_cast<double>(records)}, {"us_per_update", update}, {"us_per_load", load}}});
    fmt::print("{:<28}{:>10}{:>16.2f}{:>16.2f}\n", strategy, grouped(records), update, load);
    std::fflush(stdout);
  }

  const StrategyOptions& options_;
  RocksDbStore store_;
  Mapper mapper_{
      store_,
      {.compact_every = std::chrono::milliseconds(0), .adaptive = {.window = std::chrono::milliseconds(0)}}};
  Mapper anywhere_{store_,
                   {.choice = ShardChoice::kRandom,
                    .combine = false,
                    .compact_every = std::chrono::milliseconds(0),
                    .adaptive = {.window = std::chrono::milliseconds(0)}}};
  int last_id_ = 0;
};

/// The curves of those strategies that have shards, or deltas.
std::vector<Curve> curves(const std::vector<Row>& rows, bool deltas, const char* value) {
  std::vector<Curve> all;
  for (const Row& row : rows) {
    const std::string strategy = row.name.substr(10, row.name.rfind('-') - 10);
    if ((strategy == "dynamic" || strategy == "compacted") != deltas) continue;
    if (all.empty() || all.back().name != strategy) all.push_back({strategy, {}});
    all.back().points.emplace_back(row.number("records"), row.number(value));
  }
  return all;
}

}  // namespace

std::vector<Row> run_strategies(const StrategyOptions& options) {
  const WorkFolder work(options.folder);
  const std::string machine = describe_machine(work.path());
  fmt::print("1 thread, {}\n{}\n\n{:<28}{:>10}{:>16}{:>16}\n", options.sync ? "fsync" : "no fsync", machine,
             "", "records", "us an update", "us a load");

  Costs costs(options, work.path() / "store");
  costs.add_shards<tallies::Static>(
      "static", [](Mapper& mapper, int id) { mapper.apply<&tallies::Static::add>(id, 1); });
  costs.add_shards<tallies::Adaptive>(
      "adaptive", [](Mapper& mapper, int id) { mapper.apply<&tallies::Adaptive::add>(id, 1); });
  costs.add_shards<tallies::Bounded>(
      "bounded", [](Mapper& mapper, int id) { mapper.apply<&tallies::Bounded::add>(id, 1); });
  costs.add_shards<tallies::Replaced>(
      "replaced", [](Mapper& mapper, int id) { mapper.apply<&tallies::Replaced::set>(id, 1); });
  costs.add_cached();
  costs.add_deltas("dynamic", [](Mapper&, int) {});
  costs.add_deltas("compacted", [](Mapper& mapper, int id) { admin::compact<tallies::Dynamic>(mapper, id); });

  if (!options.svg.empty()) {
    write_file(options.svg,
               svg(Plot{.title = "What each strategy costs",
                        .subtitle = "Microseconds of one thread, logarithmic scales",
                        .diagrams = {{"An update, by shards", curves(costs.rows, false, "us_per_update")},
                                     {"A load, by shards", curves(costs.rows, false, "us_per_load")},
                                     {"An update, by deltas", curves(costs.rows, true, "us_per_update")},
                                     {"A load, by deltas", curves(costs.rows, true, "us_per_load")}},
                        .footer = machine}));
  }
  return costs.rows;
}

}  // namespace autoshard::bench
