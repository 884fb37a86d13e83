// The tables of options and limits say what the headers say.
#include <autoshard/autoshard.h>
#include <autoshard/monitor.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compactable_entities.h"
#include "expect.h"
#include "expiring_record.h"
#include "failures.h"
#include "finish_erase.h"
#include "maintenance.h"
#include "mapper_core.h"
#include "pages.h"
#include "read_cache.h"
#include "rules.h"
#include "shared_reads.h"
#include "store_clock.h"
#include "sweep.h"
#include "usage.h"

namespace autoshard::guides {
namespace {

using testing::IsEmpty;

/// A whole number as the manual writes it: 16,384.
std::string number(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string number(double value) {
  if (value >= 1'000) return number(static_cast<std::uint64_t>(value));
  std::ostringstream text;
  text << value;
  return text.str();
}

/// In the largest unit of which it is a multiple; hours are the largest unit.
std::string duration(std::chrono::microseconds value) {
  const std::array<std::pair<std::int64_t, const char*>, 4> units = {
      {{3'600'000'000, " h"}, {60'000'000, " min"}, {1'000'000, " s"}, {1'000, " ms"}}};
  const std::int64_t ticks = value.count();
  for (const auto& [size, unit] : units) {
    if (ticks > 0 && ticks % size == 0) return number(static_cast<std::uint64_t>(ticks / size)) + unit;
  }
  return number(static_cast<std::uint64_t>(ticks)) + " µs";
}

std::string bytes(std::uint64_t value) {
  const std::array<std::pair<std::uint64_t, const char*>, 3> units = {
      {{std::uint64_t{1} << 30, " GiB"}, {std::uint64_t{1} << 20, " MiB"}, {std::uint64_t{1} << 10, " KiB"}}};
  for (const auto& [size, unit] : units) {
    if (value > 0 && value % size == 0) return number(value / size) + unit;
  }
  return number(value) + " bytes";
}

std::string truth(bool value) { return value ? "`true`" : "`false`"; }
std::string code(const std::string& value) { return value.empty() ? "none" : '`' + value + '`'; }

template <class Function>
std::string function(const Function& value) {
  return value ? "a function" : "none";
}

using Values = std::map<std::string, std::string>;

/// Adds the values of a struct. An option that is new in the struct does not compile in the structured
/// binding of the caller.
void add(Values& values, const std::string& owner, const Values& members) {
  for (const auto& [name, value] : members) values[owner + "::" + name] = value;
}

void add_mapper(Values& values) {
  const auto [retry, choice, combine, durability, max_in_flight, compact_every, token_lifetime, adaptive,
              cache, log, clock] = MapperOptions{};
  add(values, "MapperOptions",
      {{"retry", "`RetryPolicy{}`"},
       {"choice", choice == ShardChoice::kSticky ? "`kSticky`" : "another"},
       {"combine", truth(combine)},
       {"durability", std::holds_alternative<durability::committed>(durability) ? "`committed`" : "another"},
       {"max_in_flight", number(std::uint64_t{max_in_flight})},
       {"compact_every", duration(compact_every)},
       {"token_lifetime", duration(token_lifetime)},
       {"adaptive", "`AdaptiveRules{}`"},
       {"cache", cache == nullptr ? "none" : "one"},
       {"log", function(log)},
       {"clock", function(clock)}});
  const auto [max_attempts, initial_backoff, max_backoff, deadline, resolve_within] = retry;
  add(values, "RetryPolicy",
      {{"max_attempts",
        max_attempts == RetryPolicy::kUnlimited ? "unlimited" : number(std::uint64_t{max_attempts})},
       {"initial_backoff", duration(initial_backoff)},
       {"max_backoff", duration(max_backoff)},
       {"deadline", duration(deadline)},
       {"resolve_within", duration(resolve_within)}});
  const auto [within] = durability::buffered{};
  add(values, "buffered", {{"within", duration(within)}});
  const auto [window, conflicts_per_second, conflict_share, updates_per_commit, sustained_share,
              sustained_writes, hot_windows, shards_read_per_second, quiet_ratio, quiet_for,
              quiet_for_at_most] = adaptive;
  add(values, "AdaptiveRules",
      {{"window", duration(window)},
       {"conflicts_per_second", number(conflicts_per_second)},
       {"conflict_share", number(conflict_share)},
       {"updates_per_commit", number(updates_per_commit)},
       {"sustained_share", number(sustained_share)},
       {"sustained_writes", number(sustained_writes)},
       {"hot_windows", number(std::uint64_t{hot_windows})},
       {"shards_read_per_second", number(shards_read_per_second)},
       {"quiet_ratio", number(quiet_ratio)},
       {"quiet_for", duration(quiet_for)},
       {"quiet_for_at_most", duration(quiet_for_at_most)}});
}

void add_stores(Values& values) {
  const auto [sync, minimum_free_bytes, write_buffer_bytes, block_cache_bytes, newest_values_bytes,
              largest_commit] = RocksDbOptions{};
  add(values, "RocksDbOptions",
      {{"sync", truth(sync)},
       {"minimum_free_bytes", bytes(minimum_free_bytes)},
       {"write_buffer_bytes", bytes(write_buffer_bytes)},
       {"block_cache_bytes", bytes(block_cache_bytes)},
       {"newest_values_bytes", bytes(newest_values_bytes)},
       {"largest_commit", bytes(largest_commit)}});
  const auto [endpoints, user, password, database, table, create_tables, tls, connect_timeout, read_timeout,
              write_timeout, connections, compound_commits, log] = MySqlOptions{};
  add(values, "MySqlOptions",
      {{"endpoints", endpoints.size() == 1 ? code(endpoints[0]) : "several"},
       {"user", code(user)},
       {"password", code(password)},
       {"database", code(database)},
       {"table", code(table)},
       {"tls", "`MySqlTls{}`"},
       {"connect_timeout", duration(connect_timeout)},
       {"read_timeout", duration(read_timeout)},
       {"write_timeout", duration(write_timeout)},
       {"connections", number(std::uint64_t{connections})},
       {"create_tables", truth(create_tables)},
       {"compound_commits", truth(compound_commits)},
       {"log", function(log)}});
  const auto [ca, certificate, key, required, verify] = tls;
  add(values, "MySqlTls",
      {{"ca", code(ca)},
       {"certificate", code(certificate)},
       {"key", code(key)},
       {"required", truth(required)},
       {"verify", truth(verify)}});
}

void add_memcached(Values& values) {
  const auto [host, port, prefix, timeout, pause, log] = MemcachedOptions{};
  add(values, "MemcachedOptions",
      {{"host", code(host)},
       {"port", std::to_string(port)},
       {"prefix", code(prefix)},
       {"timeout", duration(timeout)},
       {"pause", duration(pause)},
       {"log", function(log)}});
}

void add_monitor(Values& values) {
  const auto [address, port, interval] = MonitorOptions{};
  add(values, "MonitorOptions",
      {{"address", code(address)}, {"port", std::to_string(port)}, {"interval", duration(interval)}});
}

/// All options of the public headers, by their names: `MapperOptions::combine`.
Values options() {
  Values values;
  add_mapper(values);
  add_stores(values);
  add_memcached(values);
  add_monitor(values);
  return values;
}

/// Limits that have a name.
Values limits() {
  using namespace autoshard::detail;
  return {{"kMostShards", number(std::uint64_t{kMostShards})},
          {"kDeepestNesting", number(std::uint64_t{kDeepestNesting})},
          {"kEntitiesAtOnce", number(std::uint64_t{kEntitiesAtOnce})},
          {"kErasedAtOnce", number(std::uint64_t{kErasedAtOnce})},
          {"token::kLongest", number(std::uint64_t{token::kLongest}) + " bytes"},
          {"StoreClock::kLongestStep", duration(StoreClock::kLongestStep)},
          {"kMarkLifetime", duration(kMarkLifetime)},
          {"ReadCache::kMost", number(std::uint64_t{ReadCache::kMost})},
          {"SharedReads::kTolerance", duration(SharedReads::kTolerance)},
          {"kLeaseTerm", duration(kLeaseTerm)},
          {"CompactableEntities::kMost", number(std::uint64_t{CompactableEntities::kMost})},
          {"Sweep::kAtMostEvery", duration(Sweep::kAtMostEvery)},
          {"Sweep::kAtLeastEvery", duration(Sweep::kAtLeastEvery)},
          {"Failures::kMost", number(std::uint64_t{Failures::kMost})},
          {"Failures::kLongestPause", duration(Failures::kLongestPause)},
          {"Usage::kPlaces", number(std::uint64_t{Usage::kPlaces})}};
}

/// The option or constant that a row is about: the only code of its first cell, or the code in parentheses
/// at the end of it.
std::string name_of(const std::string& cell) {
  const std::vector<std::string> spans = code_in(cell);
  if (spans.empty()) return {};
  const std::string& last = spans.back();
  return cell == '`' + last + '`' || cell.ends_with("(`" + last + "`)") ? last : "";
}

struct Entry {
  std::string place, name, value;
};

/// Returns the cells of a column, of each table of the manual to which `prefix_of` gives a prefix of names.
template <class PrefixOf>
std::vector<Entry> entries(const std::string& column, PrefixOf prefix_of) {
  std::vector<Entry> entries;
  for (const std::string& path : paths_of_pages()) {
    const Page page = page_at(path);
    for (const Table& table : page.tables) {
      const std::vector<std::string>& columns = table.header.cells;
      const auto place = static_cast<std::size_t>(std::ranges::find(columns, column) - columns.begin());
      const std::optional<std::string> prefix = prefix_of(columns);
      for (const Row& row : table.rows) {
        const std::string name = name_of(row.cells.front());
        if (prefix && place < row.cells.size() && !name.empty())
          entries.push_back({at(page, row.line), *prefix + name, row.cells[place]});
      }
    }
  }
  return entries;
}

/// The first cell of the header names the struct: `MapperOptions`.
std::vector<Entry> defaults_in_tables() {
  return entries("default", [](const std::vector<std::string>& columns) -> std::optional<std::string> {
    const std::string owner = name_of(columns.front());
    return owner.empty() ? std::nullopt : std::optional(owner + "::");
  });
}

/// The table of limits has whole names: `MapperOptions::combine`.
std::vector<Entry> limits_in_tables() {
  return entries("value", [](const std::vector<std::string>& columns) -> std::optional<std::string> {
    return std::ranges::find(columns, "held by") == columns.end() ? std::nullopt : std::optional("");
  });
}

/// Returns what is wrong with the entries: options that do not exist, other values, and `needed` ones that
/// are missing or stand there twice.
Findings compare(const std::vector<Entry>& entries, const Values& values, const Values& needed) {
  Findings findings;
  std::map<std::string, int> times;
  for (const auto& [place, name, value] : entries) {
    const auto found = values.find(name);
    ++times[name];
    if (found == values.end())
      findings.push_back(place + "there is no option " + name);
    else if (found->second != value)
      findings.push_back(place + name + " is " + found->second + " in the header");
  }
  for (const auto& [name, value] : needed) {
    if (times[name] != 1) findings.push_back(name + " stands in " + std::to_string(times[name]) + " tables");
  }
  return findings;
}

TEST(Options, EachStandsInOneTableWithItsDefault) {
  expect_none(compare(defaults_in_tables(), options(), options()));
}

/// Every number among the options and every limit stands in the table of limits and defaults.
TEST(Options, NumbersStandInTheTableOfLimits) {
  Values all = limits(), needed = limits();
  for (const auto& [name, value] : options()) {
    all[name] = value;
    if (std::isdigit(static_cast<unsigned char>(value[0])) != 0) needed[name] = value;
  }
  expect_none(compare(limits_in_tables(), all, needed));
}

TEST(Options, MistakesAreFound) {
  const Values values = {{"A::one", "1"}, {"A::two", "2"}};
  EXPECT_THAT(compare({{"a.md:1: ", "A::one", "1"}, {"a.md:2: ", "A::two", "2"}}, values, values), IsEmpty());
  EXPECT_THAT(compare({{"a.md:1: ", "A::one", "2"}, {"a.md:2: ", "A::three", "3"}}, values, values),
              testing::ElementsAre("a.md:1: A::one is 1 in the header", "a.md:2: there is no option A::three",
                                   "A::two stands in 0 tables"));
}

}  // namespace
}  // namespace autoshard::guides
