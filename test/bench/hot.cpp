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

bool chosen(const std::string& name, const std::vector<std::string>& only) {
  return only.empty() || std::any_of(only.begin(), only.end(),
                                     [&](const std::string& start) { return name.starts_with(start); });
}

std::vector<Contestant> contestants(const std::vector<std::string>& only) {
  std::vector<Contestant> all = own_contestants();
  for (auto& peers : {rocksdb_peers(), redis_peers(), postgres_peers()})
    all.insert(all.end(), peers.begin(), peers.end());
  std::erase_if(all, [&](const Contestant& contestant) { return !chosen(contestant.name, only); });
  if (all.empty()) throw std::runtime_error("--only leaves nobody to run");
  return all;
}

void print_table(const std::vector<Row>& rows) {
  fmt::print("\n{:<24}{:>11} {:>9}{:>11}{:>11}{:>8}\n", "", "updates/s", "failed %", "p50 us", "p99 us",
             "lost");
  for (const Row& row : rows) {
    fmt::print("{:<24}{:>11.0f} {:>9.1f}{:>11.1f}{:>11.1f}{:>8.0f}\n", row.name,
               row.number("updates_per_second"), 100 * row.number("failed_share"), row.number("p50_us"),
               row.number("p99_us"), row.number("lost"));
  }
}

const Row* find(const std::vector<Row>& rows, const std::function<bool(const Row&)>& is_wanted) {
  const auto found = std::find_if(rows.begin(), rows.end(), is_wanted);
  return found == rows.end() ? nullptr : &*found;
}

/// What the table comes to. The rows are sorted by speed.
void print_summary(const std::vector<Row>& rows) {
  const Row* const own = find(rows, [](const Row& row) { return row.name == "autoshard"; });
  const Row* const peer = find(rows, [](const Row& row) { return !row.own(); });
  if (!own || !peer) return;
  fmt::print("\nautoshard: {:.2f} times the updates of the best peer, {},\nwith {:.2f} times its p99.\n",
             own->number("updates_per_second") / peer->number("updates_per_second"), peer->name,
             own->number("p99_us") / peer->number("p99_us"));
}

std::string describe(const Setting& setting) {
  return fmt::format("{} threads, {}, {}", setting.threads,
                     setting.entities == 1 ? "one entity" : grouped(setting.entities) + " entities",
                     setting.sync ? "every update on disk before it is acknowledged" : "no fsync");
}

Chart chart(const std::vector<Row>& rows, const std::vector<Contestant>& contestants, const Setting& setting,
            const std::string& machine) {
  Chart result{.title = "Updates per second of a hot entity",
               .subtitle = describe(setting),
               .unit = "/s",
               .bars = {},
               .footer = fmt::format("Medians of {} rounds. {}", setting.rounds, machine)};
  for (const Row& row : rows) {
    const auto contestant = std::find_if(contestants.begin(), contestants.end(),
                                         [&](const Contestant& each) { return each.name == row.name; });
    const double failed = row.number("failed_share");
    result.bars.push_back({.name = row.name,
                           .note = contestant->what,
                           .value = row.number("updates_per_second"),
                           .value_note = "p99 " + duration(row.number("p99_us")) +
                                         (failed > 0 ? fmt::format(", {:.0f} % failed", 100 * failed) : ""),
                           .own = row.own()});
  }
  return result;
}

}  // namespace

std::vector<Row> run_hot(const HotOptions& options) {
  const WorkFolder folder(options.setting.folder);
  Setting setting = options.setting;
  setting.folder = folder.path();
  const std::string machine = describe_machine(setting.folder);
  fmt::print("{}\n{}\n", describe(setting), machine);
  if (setting.sync && in_memory(setting.folder)) {
    fmt::print("{} is in memory, where fsync does nothing:\nchoose a disk with --folder\n",
               options.setting.folder.string());
  }
  std::fflush(stdout);
  const std::vector<Contestant> all = contestants(options.only);
  std::vector<Row> rows = race(all, setting);
  print_table(rows);
  print_summary(rows);
  if (!options.svg.empty()) write_file(options.svg, svg(chart(rows, all, setting, machine)));
  return rows;
}

}  // namespace autoshard::bench
