#include "hot.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

#include "chart.h"
#include "contestants.h"
#include "machine.h"

namespace autoshard::bench {
namespace {

std::string describe(const Setting& setting) {
  return fmt::format("{} thread{}, {}, {}", setting.threads, setting.threads == 1 ? "" : "s",
                     setting.entities == 1 ? "one entity" : grouped(setting.entities) + " entities",
                     !setting.counting ? "in RocksDB's cache"
                     : setting.sync    ? "every commit on disk"
                                       : "no fsync");
}

void print_table(const std::vector<Row>& rows, const Setting& setting) {
  fmt::print("\n{:<25}{:>11}{:>11}{:>11}", "", setting.what + "/s", "p50 us", "p99 us");
  if (setting.counting) fmt::print("{:>10}{:>6}", "failed %", "lost");
  fmt::print("\n");
  for (const Row& row : rows) {
    fmt::print("{:<25}{:>11}{:>11.1f}{:>11.1f}", row.name, grouped(row.number(setting.what + "_per_second")),
               row.number("p50_us"), row.number("p99_us"));
    if (setting.counting)
      fmt::print("{:>10.1f}{:>6.0f}", 100 * row.number("failed_share"), row.number("lost"));
    fmt::print("\n");
  }
}

Chart chart(const std::vector<Row>& rows, const std::vector<Contestant>& contestants, const Setting& setting,
            const std::string& machine) {
  Chart result{.title = fmt::format("{} per second{}", setting.counting ? "Updates" : "Loads",
                                    setting.entities == 1 ? " of one hot entity" : ""),
               .subtitle = describe(setting),
               .unit = "/s",
               .bars = {},
               .footer = fmt::format("Medians of {} rounds. {}", setting.rounds, machine)};
  for (const Row& row : rows) {
    const auto contestant = std::find_if(contestants.begin(), contestants.end(),
                                         [&](const Contestant& each) { return each.name == row.name; });
    const double failed = setting.counting ? row.number("failed_share") : 0;
    result.bars.push_back({.name = row.name,
                           .note = contestant->what,
                           .value = row.number(setting.what + "_per_second"),
                           .value_note = "p99 " + duration(row.number("p99_us")) +
                                         (failed > 0 ? fmt::format(", {:.0f} % failed", 100 * failed) : ""),
                           .own = row.own()});
  }
  return result;
}

/// Rows by speed, the fastest first.
std::vector<Row> run(std::vector<Contestant> contestants, const RaceOptions& options) {
  const auto chosen = [&](const Contestant& contestant) {
    return options.only.empty() ||
           std::any_of(options.only.begin(), options.only.end(), [&](const std::string& name) {
             return name.ends_with('-') ? contestant.name.starts_with(name) : contestant.name == name;
           });
  };
  std::erase_if(contestants, std::not_fn(chosen));
  if (contestants.empty()) throw std::runtime_error("--only leaves nobody to run");

  const WorkFolder folder(options.setting.folder);
  Setting setting = options.setting;
  setting.folder = folder.path();
  const std::string machine = describe_machine(setting.folder);
  fmt::print("{}\n{}\n", describe(setting), machine);
  if (setting.counting && setting.sync && in_memory(setting.folder)) {
    fmt::print("{} is in memory, where fsync does nothing:\nchoose a disk with --folder\n",
               options.setting.folder.string());
  }
  std::fflush(stdout);
  std::vector<Row> rows = race(contestants, setting);
  print_table(rows, setting);
  if (!options.svg.empty()) write_file(options.svg, svg(chart(rows, contestants, setting, machine)));
  return rows;
}

const Row* find(const std::vector<Row>& rows, const std::function<bool(const Row&)>& is_wanted) {
  const auto found = std::find_if(rows.begin(), rows.end(), is_wanted);
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Row> run_hot(const RaceOptions& options) {
  std::vector<Contestant> all = own_contestants();
  for (const auto& peers : {rocksdb_peers(), redis_peers(), postgres_peers()})
    all.insert(all.end(), peers.begin(), peers.end());
  std::vector<Row> rows = run(all, options);

  const Row* const own = find(rows, [](const Row& row) { return row.name == "autoshard"; });
  const Row* const peer = find(rows, [](const Row& row) { return !row.own(); });
  if (own && peer) {
    fmt::print("\nautoshard: {:.2f} times the updates of the best peer, {},\nwith {:.2f} times its p99.\n",
               own->number("updates_per_second") / peer->number("updates_per_second"), peer->name,
               own->number("p99_us") / peer->number("p99_us"));
  }
  return rows;
}

std::vector<Row> run_shards(const RaceOptions& options) {
  std::vector<Contestant> all = shard_contestants();
  for (const Contestant& peer : rocksdb_peers()) {
    if (peer.name == "peer-merge") all.push_back(peer);
  }
  return run(all, options);
}

std::vector<Row> run_load(const RaceOptions& options) {
  RaceOptions loads = options;
  loads.setting.what = "loads";
  loads.setting.counting = false;
  std::vector<Row> rows = run(load_contestants(), loads);

  fmt::print("\n");
  for (const char* shards : {"1", "10", "64"}) {
    const auto named = [&](const char* whose) {
      return find(rows, [&](const Row& row) { return row.name == fmt::format("{}-load-{}", whose, shards); });
    };
    const Row *own = named("autoshard"), *peer = named("peer");
    if (own && peer) {
      fmt::print("autoshard: {:.2f} times what it takes by hand, with {} shard{}.\n",
                 peer->number("loads_per_second") / own->number("loads_per_second"), shards,
                 shards == std::string("1") ? "" : "s");
    }
  }
  return rows;
}

}  // namespace autoshard::bench
