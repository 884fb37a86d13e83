/// The log of what users do, after Google's article on indexes in the order of time in Cloud Spanner: every
/// write is the newest, one company is a hundred times larger than the others, and what it did last is to be
/// seen at once. With a path as its argument, the program draws there how evenly the writes spread.

#include <autoshard/autoshard.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "log_entry.autoshard.h"
#include "spread.h"

namespace {

using activity::LogEntry;
using activity::PlainLogEntry;

constexpr int kThreads = 4, kCompanies = 20, kActionsOfACompany = 20, kTimesLarger = 100;
constexpr std::size_t kTablets = 20;

struct Action {
  std::string user, company;
  std::int64_t timestamp;
};

/// What happens from `begin` on: one action a tick, most of them at Acme.
std::vector<Action> actions(std::int64_t begin) {
  constexpr int kOfOneRound = kTimesLarger + kCompanies;
  std::vector<Action> actions;
  for (int i = 0; i < kActionsOfACompany * kOfOneRound; ++i) {
    const int company = i % kOfOneRound;
    actions.push_back({fmt::format("user{}", i * 7 % 50),
                       company < kTimesLarger ? "Acme" : fmt::format("Company {:02}", company - kTimesLarger),
                       begin + i});
  }
  return actions;
}

/// By several threads at once.
template <class Entry>
void write(autoshard::Mapper& mapper, const std::vector<Action>& actions) {
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t i = thread; i < actions.size(); i += kThreads)
        mapper.save(Entry(actions[i].user, actions[i].company, actions[i].timestamp, "clicks"));
    });
  }
}

std::vector<std::int64_t> times(const std::vector<Action>& actions, const std::string& company) {
  std::vector<std::int64_t> times;
  for (const Action& action : actions) {
    if (action.company == company) times.push_back(action.timestamp);
  }
  return times;
}

template <class Entries>
std::vector<std::int64_t> times_of(const Entries& entries) {
  std::vector<std::int64_t> times;
  for (const LogEntry& entry : entries) times.push_back(entry.timestamp());
  return times;
}

bool holds(const std::string& what, bool is_so) {
  fmt::print("{:<68} {}\n", what, is_so ? "yes" : "NO");
  return is_so;
}

void print(const std::string& title, const activity::Spread& spread) {
  fmt::print("\n{}: the busiest of {} tablets takes {:.0f} % of the writes\n", title, spread.writes.size(),
             100 * spread.busiest());
  const std::size_t most = *std::max_element(spread.writes.begin(), spread.writes.end());
  for (const std::size_t writes : spread.writes)
    fmt::print("  {:>5} {}\n", writes, std::string(60 * writes / most, '#'));
}

}  // namespace

int main(int argc, char** argv) {
  autoshard::MemoryStore store;
  autoshard::Mapper mapper{store};
  std::vector<Action> all = actions(0);
  const std::vector<Action> later = actions(static_cast<std::int64_t>(all.size()));

  write<LogEntry>(mapper, all);
  write<PlainLogEntry>(mapper, all);
  const auto before = store.snapshot();
  write<LogEntry>(mapper, later);
  write<PlainLogEntry>(mapper, later);
  const auto after = store.snapshot();
  all.insert(all.end(), later.begin(), later.end());

  const std::vector<std::int64_t> expected = times(all, "Acme");
  const autoshard::Range<LogEntry> acme = mapper.range<LogEntry::ByCompany>("Acme");
  bool right = holds("what Acme did, in the order of time", times_of(acme) == expected);
  right &= holds("what a small company did",
                 times_of(mapper.range<LogEntry::ByCompany>("Company 07")) == times(all, "Company 07"));
  const std::vector<std::int64_t> newest(expected.rbegin(), expected.rbegin() + 50);
  right &= holds("the newest 50, the last one first", times_of(acme.reverse().limit(50)) == newest);
  std::vector<std::int64_t> paged;
  std::string cursor;
  do {
    const autoshard::Page<LogEntry> page = acme.after(cursor).limit(300).page();
    for (const LogEntry& entry : page.rows) paged.push_back(entry.timestamp());
    cursor = page.cursor;
  } while (!cursor.empty());
  right &= holds("all of them, in pages of 300", paged == expected);
  const std::int64_t from = 1'000, to = 1'500;
  std::vector<std::int64_t> between;
  std::copy_if(expected.begin(), expected.end(), std::back_inserter(between),
               [&](std::int64_t time) { return time >= from && time < to; });
  right &= holds("from one instant up to another",
                 times_of(mapper.range<LogEntry::ByCompany>("Acme", from, to)) == between);

  const activity::Spread plain = activity::spread(*before, *after, "PlainLogEntry", kTablets);
  const activity::Spread sharded = activity::spread(*before, *after, "LogEntry", kTablets);
  print("one index", plain);
  print("over 10 shards", sharded);
  fmt::print("\n");
  right &= holds("one index: one tablet takes more than half", plain.busiest() > 0.5);
  right &= holds("over 10 shards: none takes more than a fifth", sharded.busiest() < 0.2);
  if (argc > 1) std::ofstream(argv[1]) << activity::plot(plain, sharded);
  return right ? 0 : 1;
}
