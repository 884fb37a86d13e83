#include "hot.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>

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
  for (auto& peers : {rocksdb_peers()}) all.insert(all.end(), peers.begin(), peers.end());
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

}  // namespace

std::vector<Row> run_hot(const HotOptions& options) {
  const WorkFolder folder(options.setting.folder);
  Setting setting = options.setting;
  setting.folder = folder.path();
  fmt::print("{} threads, {}, {}\n{}\n", setting.threads,
             setting.entities == 1 ? "one entity" : fmt::format("{} entities", setting.entities),
             setting.sync ? "every update on disk before it is acknowledged" : "no fsync",
             describe_machine(setting.folder));
  if (setting.sync && in_memory(setting.folder)) {
    fmt::print("{} is in memory, where fsync does nothing: choose a disk with --folder\n",
               options.setting.folder.string());
  }
  std::fflush(stdout);
  std::vector<Row> rows = race(contestants(options.only), setting);
  print_table(rows);
  print_summary(rows);
  return rows;
}

}  // namespace autoshard::bench
