#include "history.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <utility>

namespace autoshard::monitor {
namespace {

constexpr std::size_t kRecent = 10;     // intervals that advice is averaged over
constexpr double kForgets = 1.0 / 600;  // the share of a score that an interval replaces

constexpr std::array kRates = {&PropertyActivity::updates,   &PropertyActivity::commits,
                               &PropertyActivity::conflicts, &PropertyActivity::retries,
                               &PropertyActivity::loads,     &PropertyActivity::waiting};

double heat_of(const PropertyActivity& property) { return property.updates + property.conflicts; }

Cell cell_of(const PropertyActivity& property) {
  return {.updates = static_cast<float>(property.updates),
          .conflicts = static_cast<float>(property.conflicts),
          .waiting = static_cast<float>(property.waiting),
          .shards = property.shards};
}

std::int64_t milliseconds(std::chrono::system_clock::time_point time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

/// The average over cells; the number of shards is the last.
Cell average(const std::deque<Cell>& cells, std::size_t number) {
  Cell sum;
  for (auto cell = cells.end() - static_cast<std::ptrdiff_t>(number); cell != cells.end(); ++cell) {
    sum.updates += cell->updates;
    sum.conflicts += cell->conflicts;
    sum.waiting += cell->waiting;
    if (cell->shards > 0) sum.shards = cell->shards;
  }
  const auto divisor = static_cast<float>(number);
  return {sum.updates / divisor, sum.conflicts / divisor, sum.waiting / divisor, sum.shards};
}

template <class T>
void push(std::deque<T>& column, T value, std::size_t most) {
  column.push_back(std::move(value));
  if (column.size() > most) column.pop_front();
}

void push_end(Columns& columns, std::int64_t end, const Cell& total, std::size_t most) {
  columns.first += columns.ends.size() == most ? 1 : 0;
  push(columns.ends, end, most);
  push(columns.totals, total, most);
}

/// Conflicts of a save count once for the main record as a whole, and once more for each changed property.
bool counts_in_totals(const PropertyActivity& property) {
  return property.is_sharded || property.property.empty();
}

}  // namespace

void History::add(const ActivityInterval& interval) {
  add_cells(interval);
  const std::int64_t end = milliseconds(interval.end);
  if (fine_.end() % bounds_.fine_in_coarse == 0) add_coarse(end);
  note_changes(interval);
  recent_.push_back({.end = interval.end, .length = interval.length, .properties = interval.properties});
  if (recent_.size() > kRecent) recent_.pop_front();
}

void History::add_cells(const ActivityInterval& interval) {
  for (Row& row : rows_) {
    row.score *= 1 - kForgets;
    for (const auto rate : kRates) row.latest.*rate = 0;
    row.latest.writers = 0;
  }
  Cell total;
  for (const PropertyActivity& property : interval.properties) {
    if (counts_in_totals(property)) {
      const Cell cell = cell_of(property);
      total.updates += cell.updates;
      total.conflicts += cell.conflicts;
      total.waiting += cell.waiting;
    }
    Row* row = row_of(property);
    if (!row) row = take_place(property);
    if (!row) continue;
    row->latest = property;
    row->score += kForgets * heat_of(property);
  }
  push_end(fine_, milliseconds(interval.end), total, bounds_.fine_columns);
  for (Row& row : rows_) push(row.fine, cell_of(row.latest), bounds_.fine_columns);
}

void History::add_coarse(std::int64_t end) {
  const std::size_t number = std::min(bounds_.fine_in_coarse, fine_.ends.size());
  push_end(coarse_, end, average(fine_.totals, number), bounds_.coarse_columns);
  for (Row& row : rows_) push(row.coarse, average(row.fine, number), bounds_.coarse_columns);
}

void History::note_changes(const ActivityInterval& interval) {
  for (const ShardChange& change : interval.changes) push(changes_, change, bounds_.changes);
}

History::Row* History::row_of(const PropertyActivity& property) {
  const auto found = std::ranges::find_if(rows_, [&](const Row& row) {
    return row.latest.property == property.property && row.latest.entity == property.entity;
  });
  return found == rows_.end() ? nullptr : &*found;
}

/// Gives the property a place, if there is one or if it is hotter than a property that has one. Its history
/// before is empty. Returns null otherwise.
History::Row* History::take_place(const PropertyActivity& property) {
  Row* row = nullptr;
  if (rows_.size() < bounds_.rows) {
    row = &rows_.emplace_back();
  } else {
    row = &*std::ranges::min_element(rows_, {}, &Row::score);
    if (row->score >= kForgets * heat_of(property)) return nullptr;
    ++generation_;
  }
  *row = Row{.latest = property, .since = fine_.end()};
  row->fine.resize(fine_.ends.size());
  row->coarse.resize(coarse_.ends.size());
  return row;
}

std::vector<const History::Row*> History::rows() const {
  std::vector<const Row*> rows;
  for (const Row& row : rows_) rows.push_back(&row);
  std::ranges::stable_sort(rows, std::greater<>(), &Row::score);
  return rows;
}

std::vector<PropertyActivity> History::recent() const {
  std::map<std::pair<std::string, std::string>, PropertyActivity> averages;
  for (const ActivityInterval& interval : recent_) {
    for (const PropertyActivity& property : interval.properties) {
      PropertyActivity& average = averages[{property.entity, property.property}];
      PropertyActivity sum = property;
      for (const auto rate : kRates)
        sum.*rate = average.*rate + property.*rate / static_cast<double>(recent_.size());
      sum.writers = std::max(average.writers, property.writers);
      average = std::move(sum);
    }
  }
  std::vector<PropertyActivity> recent;
  for (auto& [id, average] : averages) recent.push_back(std::move(average));
  return recent;
}

/// Returns the highest rates of the rows that have been watched for so long.
std::vector<PropertyActivity> History::highest(std::chrono::duration<double> over) const {
  if (recent_.empty()) return {};
  const std::int64_t from =
      milliseconds(recent_.back().end) - std::chrono::duration_cast<std::chrono::milliseconds>(over).count();
  const auto begin = std::ranges::lower_bound(fine_.ends, from);
  if (begin == fine_.ends.begin()) return {};  // not watched for so long
  const auto number = fine_.ends.end() - begin;
  std::vector<PropertyActivity> highest;
  for (const Row& row : rows_) {
    if (row.since + static_cast<std::uint64_t>(number) > fine_.end()) continue;
    PropertyActivity most = row.latest;
    for (auto cell = row.fine.end() - number; cell != row.fine.end(); ++cell) {
      most.updates = std::max(most.updates, static_cast<double>(cell->updates));
      most.conflicts = std::max(most.conflicts, static_cast<double>(cell->conflicts));
    }
    highest.push_back(std::move(most));
  }
  return highest;
}

std::vector<Advice> History::advice(const AdaptiveRules& rules) const {
  return advise(recent(), highest(rules.quiet_for), rules);
}

}  // namespace autoshard::monitor
