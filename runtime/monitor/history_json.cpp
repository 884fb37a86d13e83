#include "history_json.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <deque>
#include <nlohmann/json.hpp>

namespace autoshard::monitor {
namespace {

using nlohmann::json;

/// Three significant digits: a picture shows no more, and the text is short.
double rounded(double number) {
  if (number < 1e-9) return 0;
  const double unit = std::pow(10, std::floor(std::log10(number)) - 2);
  return std::round(number / unit) * unit;
}

/// A number without a fraction is written without a point.
json number(double value) {
  const double short_value = rounded(value);
  if (short_value >= 100) return static_cast<std::int64_t>(std::llround(short_value));
  if (short_value == std::floor(short_value)) return static_cast<std::int64_t>(short_value);
  return std::round(short_value * 1e4) / 1e4;
}

template <class Member>
json column_of(const std::deque<Cell>& cells, std::size_t skipped, Member member) {
  json values = json::array();
  for (auto cell = cells.begin() + static_cast<std::ptrdiff_t>(skipped); cell != cells.end(); ++cell)
    values.push_back(number(static_cast<double>((*cell).*member)));
  return values;
}

json rates_of(const std::deque<Cell>& cells, std::size_t skipped) {
  return {{"updates", column_of(cells, skipped, &Cell::updates)},
          {"conflicts", column_of(cells, skipped, &Cell::conflicts)},
          {"waiting", column_of(cells, skipped, &Cell::waiting)}};
}

json row_of(const History::Row& row, const std::deque<Cell>& cells, std::size_t skipped) {
  const PropertyActivity& latest = row.latest;
  json result = rates_of(cells, skipped);
  result["entity"] = latest.entity;
  result["property"] = latest.property;
  result["sharded"] = latest.is_sharded;
  result["adaptive"] = latest.is_adaptive;
  result["most"] = latest.most;
  result["shards"] = column_of(cells, skipped, &Cell::shards);
  result["now"] = {{"shards", latest.shards},           {"updates", number(latest.updates)},
                   {"commits", number(latest.commits)}, {"conflicts", number(latest.conflicts)},
                   {"retries", number(latest.retries)}, {"loads", number(latest.loads)},
                   {"waiting", number(latest.waiting)}, {"writers", latest.writers}};
  return result;
}

json changes_of(const History& history) {
  json changes = json::array();
  for (const ShardChange& change : history.changes()) {
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(change.time.time_since_epoch());
    changes.push_back({{"time", time.count()},
                       {"entity", change.entity},
                       {"property", change.property},
                       {"from", change.from},
                       {"to", change.to},
                       {"why", change.why}});
  }
  return changes;
}

json advice_of(const History& history, const AdaptiveRules& rules) {
  json all = json::array();
  for (const Advice& advice : history.advice(rules)) {
    all.push_back({{"entity", advice.entity},
                   {"property", advice.property},
                   {"problem", advice.problem},
                   {"remedy", advice.remedy},
                   {"annotation", advice.annotation},
                   {"conflicts", number(advice.conflicts)}});
  }
  return all;
}

}  // namespace

std::string history_json(const History& history, const AdaptiveRules& rules, const HistoryPart& part,
                         std::int64_t now) {
  const Columns& columns = part.is_coarse ? history.coarse() : history.fine();
  const std::uint64_t newest = columns.end() - std::min<std::uint64_t>(part.columns, columns.ends.size());
  const std::uint64_t first = std::min(std::max(newest, part.after), columns.end());
  const auto skipped = static_cast<std::size_t>(first - columns.first);
  json rows = json::array();
  for (const History::Row* row : history.rows())
    rows.push_back(row_of(*row, part.is_coarse ? row->coarse : row->fine, skipped));
  const json result = {{"resolution", part.is_coarse ? "minute" : "second"},
                       {"now", now},
                       {"generation", history.generation()},
                       {"first", first},
                       {"times", json(std::deque(columns.ends.begin() + static_cast<std::ptrdiff_t>(skipped),
                                                 columns.ends.end()))},
                       {"totals", rates_of(columns.totals, skipped)},
                       {"rows", std::move(rows)},
                       {"changes", changes_of(history)},
                       {"advice", advice_of(history, rules)}};
  return result.dump(-1, ' ', false, json::error_handler_t::replace);  // an id may have any bytes
}

std::string for_script(std::string json) {
  for (std::size_t place = 0; (place = json.find('<', place)) != std::string::npos;)
    json.replace(place, 1, "\\u003c");
  return json;
}

}  // namespace autoshard::monitor
