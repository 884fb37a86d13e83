/// Plans and operations, to be read.
#include <array>
#include <cstdlib>
#include <ostream>
#include <string>
#include <string_view>
#include <variant>

#include "plan.h"

namespace autoshard::simulation {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 25> kWords = {"update",
                                                     "update, not waiting,",
                                                     "repeat the last update with a token",
                                                     "load",
                                                     "load, cached,",
                                                     "hold",
                                                     "save",
                                                     "create",
                                                     "erase",
                                                     "transact",
                                                     "compact",
                                                     "compact",
                                                     "set the shards of",
                                                     "split",
                                                     "adapt",
                                                     "flush",
                                                     "query",
                                                     "build the indexes of",
                                                     "pause",
                                                     "erase an element of",
                                                     "replace an element of",
                                                     "save sharded members of",
                                                     "ask for hot spots",
                                                     "export",
                                                     "import"};

std::string words_for(const PartRules& rules, const Operation& operation) {
  std::string text;
  for (std::size_t i = 0; i < rules.names.size(); ++i) {
    if (operation.parts & 1U << i) text += ' ' + std::string(rules.names.at(i));
  }
  if (operation.parts & rules.bounded) text += ' ' + std::to_string(operation.amount);
  return text;
}

double seconds(Time time) { return static_cast<double>(time.count()) / 1e9; }

void print(std::ostream& out, const StoreFaults& faults) {
  out << "  the store: a read takes up to " << seconds(faults.read_takes) << " s, a commit twice "
      << seconds(faults.commit_takes) << " s; conflicts " << faults.conflict << ", unknown " << faults.unknown
      << ", late by " << seconds(faults.latest) << " s, stalls " << faults.stall << " of "
      << seconds(faults.stall_lasts) << " s, outages " << faults.outage << " of "
      << seconds(faults.outage_lasts) << " s, commits of a record " << faults.commits_per_second << "/s";
  if (faults.most_writes > 0) out << ", " << faults.most_writes << " writes in a commit";
  if (faults.largest_commit > 0) out << ", " << faults.largest_commit << " bytes in a commit";
  if (faults.longest_key > 0) out << ", " << faults.longest_key << " bytes in a key";
}

void print(std::ostream& out, const ProcessPlan& process) {
  const MapperOptions& options = process.options;
  out << "from " << seconds(process.begins) << " s";
  if (process.version != 2) out << ", with version " << process.version << " of the class";
  if (process.killed) out << ", killed at " << seconds(*process.killed) << " s";
  if (process.clock_jumps_by != Time(0))
    out << ", its clock jumps by " << seconds(process.clock_jumps_by) << " s at "
        << seconds(process.clock_jumps_at) << " s";
  out << (options.combine ? "" : ", does not combine");
  if (const auto* buffered = std::get_if<durability::buffered>(&options.durability))
    out << ", buffers for " << buffered->within.count() << " ms";
  out << (options.choice == ShardChoice::kRandom ? ", random shards" : "");
  if (options.max_in_flight < 100) out << ", " << options.max_in_flight << " in flight";
  if (options.retry.max_attempts < 100) out << ", " << options.retry.max_attempts << " attempts";
  if (options.retry.resolve_within < 30s)
    out << ", looks for what is unknown for " << seconds(options.retry.resolve_within) << " s";
  if (options.compact_every.count() > 0) out << ", compacts every " << options.compact_every.count() << " ms";
  if (options.adaptive.window.count() > 0) out << ", windows of " << options.adaptive.window.count() << " ms";
}

}  // namespace

void print(std::ostream& out, const PartRules& rules, const Operation& operation) {
  out << '#' << operation.id << ' ' << kWords.at(static_cast<std::size_t>(operation.kind));
  switch (operation.kind) {
    case Operation::kPause:
      out << ' ' << seconds(operation.time) << " s";
      return;
    case Operation::kAdapt:
    case Operation::kFlush:
    case Operation::kRepeat:
    case Operation::kHotSpots:
      return;
    case Operation::kCompactAll:
      out << " all";
      return;
    default:
      break;
  }
  out << ' ' << rules.entity;
  if (operation.kind == Operation::kQuery || operation.kind == Operation::kBuildIndexes) return;
  out << ' ' << operation.entity;
  switch (operation.kind) {
    case Operation::kTransact:
      if (operation.waits_for_end) {
        out << ": create";
      } else {
        out << " and " << operation.other_entity << ':' << words_for(rules, operation);
      }
      out << (operation.catches ? ", catching what a call throws" : "");
      break;
    case Operation::kUpdate:
    case Operation::kUpdateAsync:
    case Operation::kSave:
    case Operation::kSaveParts:
      out << ':' << words_for(rules, operation);
      if (operation.kind == Operation::kUpdate && operation.has_token) out << ", with a token";
      return;
    case Operation::kSetShards:
    case Operation::kIncreaseShards:
      out << ": " << operation.number;
      return;
    case Operation::kCreate:
      out << " with " << operation.amount;
      break;
    case Operation::kLoadCached:
      out << " of " << seconds(operation.time) << " s ago at most";
      return;
    default:
      return;
  }
  if (rules.entity != "Permit") return;
  if (operation.time != Time(0)) out << ", for " << seconds(operation.time) << " s";
  if (operation.waits_for_end) out << ", when the one before is about to expire";
}

std::ostream& operator<<(std::ostream& out, const Plan& plan) {
  const PartRules rules = rules_of(plan.world);
  print(out, plan.faults);
  out << (plan.abilities.prefetches ? "; it reads ahead" : "") << (plan.abilities.folds ? "; it folds" : "");
  if (plan.loss)
    out << "; at " << seconds(plan.loss->at) << " s it is put back to what it held at "
        << seconds(plan.loss->to) << " s";
  if (plan.foreign_records) out << "; it holds foreign records";
  if (plan.foreign_index_records) out << ", also of indexes";
  out << '\n';
  if (plan.user_errors > 0)
    out << "  the application's code throws with the probability " << plan.user_errors << '\n';
  for (std::size_t i = 0; i < plan.processes.size(); ++i) {
    const ProcessPlan& process = plan.processes[i];
    if (process.clients.empty()) continue;
    out << "  process " << i + 1 << ", ";
    print(out, process);
    out << '\n';
    for (const auto& client : process.clients) {
      out << "    a client:\n";
      for (const Operation& operation : client) {
        out << "      ";
        print(out, rules, operation);
        out << '\n';
      }
    }
  }
  return out;
}

}  // namespace autoshard::simulation
