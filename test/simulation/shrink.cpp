/// Plans that fail, with less and less in them.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "run.h"

namespace autoshard::simulation {
namespace {

/// The first line of a failure, without numbers.
std::string kind_of(const std::string& failure) {
  std::string kind = failure.substr(0, failure.find('\n'));
  std::erase_if(kind, [](char c) { return c >= '0' && c <= '9'; });
  return kind;
}

/// A plan, and how it is to fail.
struct Failing : Plan {
  std::string kind;
};

/// Whether it fails in that way with one of a few schedules, which it has then.
bool fails(Failing& plan) {
  constexpr int kSchedules = 40;
  const std::uint64_t first = plan.schedule;
  for (int i = 0; i < kSchedules; ++i) {
    plan.schedule = first + static_cast<std::uint64_t>(i);
    const std::string failure = run(plan, false).failure;
    if (!failure.empty() && kind_of(failure) == plan.kind) return true;
  }
  plan.schedule = first;
  return false;
}

template <class Change>
bool try_without(Failing& plan, const Change& change) {
  Failing smaller = plan;
  change(smaller);
  if (!fails(smaller)) return false;
  plan = std::move(smaller);
  return true;
}

/// Halves, quarters … and single ones of the operations of a client.
void shrink_client(Failing& plan, std::size_t process, std::size_t client) {
  const auto operations = [=](Plan & of) -> auto& { return of.processes[process].clients[client]; };
  for (std::size_t part = operations(plan).size(); part > 0; part /= 2) {
    for (std::size_t begin = 0; begin < operations(plan).size();) {
      const bool is_smaller = try_without(plan, [&](Plan& smaller) {
        auto& of = operations(smaller);
        const auto from = of.begin() + static_cast<std::ptrdiff_t>(begin);
        of.erase(from, from + static_cast<std::ptrdiff_t>(std::min(part, of.size() - begin)));
      });
      if (!is_smaller) begin += part;
    }
  }
}

void shrink_store(Failing& plan) {
  try_without(plan, [](Plan& smaller) { smaller.abilities.prefetches = false; });
  try_without(plan, [](Plan& smaller) { smaller.abilities.folds = false; });
  try_without(plan, [](Plan& smaller) { smaller.faults.outage = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.unknown = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.conflict = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.stall = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.commits_per_second = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.largest_commit = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.longest_key = 0; });
  try_without(plan, [](Plan& smaller) { smaller.faults.most_writes = 0; });
  try_without(plan, [](Plan& smaller) { smaller.loss.reset(); });
  try_without(plan, [](Plan& smaller) { smaller.user_errors = 0; });
  try_without(plan, [](Plan& smaller) { smaller.foreign_records = smaller.foreign_index_records = false; });
}

void shrink_process(Failing& plan, std::size_t process) {
  const auto with = [&](auto change) {
    try_without(plan, [&](Plan& smaller) { change(smaller.processes[process]); });
  };
  with([](ProcessPlan& its) { its.clients.clear(); });
  with([](ProcessPlan& its) { its.killed.reset(); });
  with([](ProcessPlan& its) { its.clock_jumps_by = {}; });
  with([](ProcessPlan& its) { its.options.durability = durability::committed{}; });
  with([](ProcessPlan& its) { its.options.compact_every = {}; });
  with([](ProcessPlan& its) { its.options.adaptive.window = {}; });
  with([](ProcessPlan& its) { its.options.retry = {}; });
  with([](ProcessPlan& its) { its.options.combine = false; });
}

std::size_t operations_of(const Plan& plan) {
  std::size_t number = 0;
  for (const ProcessPlan& process : plan.processes) {
    for (const auto& client : process.clients) number += client.size();
  }
  return number;
}

}  // namespace

Plan shrink(const Plan& whole, const std::string& failure) {
  Failing plan{whole, kind_of(failure)};
  for (std::size_t before = operations_of(plan) + 1; operations_of(plan) < before;) {
    before = operations_of(plan);
    for (std::size_t process = 0; process < plan.processes.size(); ++process) {
      shrink_process(plan, process);
      for (std::size_t client = 0; client < plan.processes[process].clients.size(); ++client)
        shrink_client(plan, process, client);
      try_without(plan, [&](Plan& smaller) {
        std::erase_if(smaller.processes[process].clients, [](const auto& client) { return client.empty(); });
      });
    }
    shrink_store(plan);
  }
  fails(plan);  // leaves a schedule with which it does
  return plan;
}

}  // namespace autoshard::simulation
