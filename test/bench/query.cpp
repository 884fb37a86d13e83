#include "query.h"

#include <autoshard/autoshard.h>
#include <autoshard/rocksdb_store.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "keys.h"
#include "machine.h"
#include "open_store.h"
#include "peer.h"
#include "question_10.autoshard.h"
#include "record.h"

namespace autoshard::bench {
namespace {

using shards_10::Question;
using Field = Fields<Question>;
using Clock = std::chrono::steady_clock;

constexpr int kShards = 10;
constexpr int kMostVotes = 11;  // of a shard
constexpr int kMany = 80;       // votes that about one question in a hundred has
constexpr int kTop = 20;

/// The votes of a shard: any, and the same each time.
int votes_of(int id, int shard) {
  std::uint64_t value = (static_cast<std::uint64_t>(id) * kShards + static_cast<std::uint64_t>(shard) + 1) *
                        0x9E3779B97F4A7C15;  // Fibonacci hashing
  value ^= value >> 32;
  return static_cast<int>(value * 0xD6E8FEB86659FD93 >> 40) % (kMostVotes + 1);
}

/// What the queries shall find.
struct Expected {
  std::uint64_t votes = 0, many = 0;
  std::vector<int> top;  // the most votes
};

Expected fill(const std::filesystem::path& folder, int entities) {
  OpenStore open(folder);
  add_questions<Question>(open.mapper, 0, entities);
  Expected expected;
  std::string key, record;
  constexpr int kEachCommit = 100;
  for (int begin = 0; begin < entities; begin += kEachCommit) {
    const int end = std::min(begin + kEachCommit, entities);
    const std::unique_ptr<Transaction> shards = open.store.begin();
    for (int id = begin; id < end; ++id) {
      int votes = 0;
      for (int shard = 0; shard < kShards; ++shard) {
        const int part = votes_of(id, shard);
        votes += part;
        detail::set_shard_key(key, detail::entity_key("Question10", id), "votes",
                              static_cast<std::uint16_t>(shard));
        detail::encode_shard(record, detail::kEntityType<Question>.sharded[0], &part, 0);
        shards->put(key, record);
      }
      expected.votes += static_cast<std::uint64_t>(votes);
      expected.many += votes > kMany ? 1 : 0;
      expected.top.push_back(votes);
    }
    if (shards->commit() != CommitOutcome::kCommitted) throw std::runtime_error("cannot fill the store");
    std::sort(expected.top.begin(), expected.top.end(), std::greater<>());
    expected.top.resize(std::min<std::size_t>(expected.top.size(), kTop));
  }
  return expected;
}

void check(bool right, const char* what) {
  if (!right) throw std::runtime_error(fmt::format("{} has not found what is there", what));
}

/// One of those that are measured: opens the store and returns what is to be timed.
struct Contestant {
  std::string name;
  std::function<std::function<void()>()> open;
};

std::vector<Contestant> contestants(const std::filesystem::path& folder, const Expected& expected) {
  const auto own = [&](std::string name, auto ask) {
    return Contestant{std::move(name), [folder, ask] {
                        return [open = std::make_shared<OpenStore>(folder), ask] { ask(open->mapper); };
                      }};
  };
  std::vector<Contestant> all;
  all.push_back({"peer-scan", [folder] {
                   return [peer = std::make_shared<PeerStore>(folder, false, "Question10")] {
                     check(peer->walk() > 0, "peer-scan");
                   };
                 }});
  all.push_back(own("autoshard-count", [expected](Mapper& mapper) {
    check(mapper.query<Question>(Field::votes > kMany).count() == expected.many, "autoshard-count");
  }));
  all.push_back(own("autoshard-many", [expected](Mapper& mapper) {
    std::uint64_t found = 0;
    for (const Question& question : mapper.query<Question>(Field::votes > kMany))
      found += question.votes() > kMany ? 1 : 0;
    check(found == expected.many, "autoshard-many");
  }));
  all.push_back(own("autoshard-all", [expected](Mapper& mapper) {
    std::uint64_t votes = 0;
    for (const Question& question : mapper.query<Question>())
      votes += static_cast<std::uint64_t>(question.votes());
    check(votes == expected.votes, "autoshard-all");
  }));
  all.push_back(own("autoshard-top-20", [expected](Mapper& mapper) {
    std::vector<int> top;
    for (const Question& question : mapper.query<Question>().order_by(Field::votes.desc()).limit(kTop)) {
      top.push_back(question.votes());
    }
    check(top == expected.top, "autoshard-top-20");
  }));
  return all;
}

/// In MiB, of this process: what it has in memory now, and the most it had since `forget_peak`.
double memory(const char* name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::stod(line.substr(line.find(':') + 1)) / 1024;
  }
  throw std::runtime_error("no memory in /proc/self/status");
}
void forget_peak() { std::ofstream("/proc/self/clear_refs") << 5; }

}  // namespace

std::vector<Row> run_query(const QueryOptions& options) {
  const WorkFolder work(options.folder);
  const std::filesystem::path folder = work.path() / "store";
  fmt::print("{} entities with {} shards each\n{}\n\n", options.entities, kShards,
             describe_machine(work.path()));
  std::fflush(stdout);
  const std::vector<Contestant> all = contestants(folder, fill(folder, options.entities));

  std::vector<std::vector<double>> seconds(all.size());
  std::vector<double> grown(all.size());
  for (int round = 0; round < options.rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::function<void()> ask = all[i].open();
      forget_peak();
      const double before = memory("VmRSS");
      const Clock::time_point begin = Clock::now();
      ask();
      seconds[i].push_back(std::chrono::duration<double>(Clock::now() - begin).count());
      grown[i] = std::max(grown[i], memory("VmHWM") - before);
    }
  }

  fmt::print("{:<20}{:>10}{:>14}{:>12}{:>12}\n", "", "seconds", "us an entity", "peer-scan", "MiB more");
  std::vector<Row> rows;
  const double scan = median(seconds[0]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double took = median(seconds[i]), each = took * 1e6 / options.entities;
    fmt::print("{:<20}{:>10.3f}{:>14.2f}{:>11.2f}x{:>12.0f}\n", all[i].name, took, each, took / scan,
               grown[i]);
    rows.push_back({all[i].name,
                    {{"entities", static_cast<double>(options.entities)},
                     {"seconds", took},
                     {"us_per_entity", each},
                     {"ratio_to_scan", took / scan},
                     {"peak_mib", grown[i]}}});
  }
  return rows;
}

}  // namespace autoshard::bench
