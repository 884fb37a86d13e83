#pragma once

#include <autoshard/activity.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

namespace autoshard::monitor {

/// The sizes of a history. With the defaults it takes at most 20 MB.
struct HistoryBounds {
  std::size_t rows = 64;                ///< properties
  std::size_t fine_columns = 7'200;     ///< intervals: two hours of seconds
  std::size_t coarse_columns = 10'080;  ///< groups of intervals: a week of minutes
  std::size_t fine_in_coarse = 60;
  std::size_t changes = 1'024;  ///< of numbers of shards
};

/// The activity of one property, or of all, in one column. Rates are per second.
struct Cell {
  float updates = 0, conflicts = 0, waiting = 0;
  std::uint32_t shards = 0;  ///< 0: not known, or not sharded
};

/// The last columns of one resolution. Columns are numbered from 0 on; the oldest are dropped.
struct Columns {
  std::uint64_t first = 0;          ///< the number of the oldest column
  std::deque<std::int64_t> ends{};  ///< of each column, in milliseconds since 1970
  std::deque<Cell> totals{};        ///< over all properties, also those without a row

  std::uint64_t end() const { return first + ends.size(); }
};

/// The activity of the hottest properties over time, in bounded memory. Used by one thread at a time.
class History {
 public:
  /// A property that is or was among the hottest.
  struct Row {
    PropertyActivity latest;            ///< in the last interval; without activity, rates of 0
    std::uint64_t since = 0;            ///< the fine column in which it got its place
    double score = 0;                   ///< its activity, averaged over about ten minutes
    std::deque<Cell> fine{}, coarse{};  ///< of the same columns as `Columns`
  };

  explicit History(const HistoryBounds& bounds = {}) : bounds_(bounds) {}

  /// Adds an interval as the next fine column, and every `fine_in_coarse` intervals a coarse one.
  void add(const ActivityInterval& interval);

  const Columns& fine() const { return fine_; }
  const Columns& coarse() const { return coarse_; }
  /// The rows, the hottest first.
  std::vector<const Row*> rows() const;
  /// Changes whenever a property gets a place, and so the cells of a row belong to another one.
  std::uint64_t generation() const { return generation_; }
  const std::deque<ShardChange>& changes() const { return changes_; }

  /// Returns what is wrong, judged by the last ten intervals and, for quiet properties, by as many intervals
  /// as `AdaptiveRules::quiet_for` takes.
  std::vector<Advice> advice(const AdaptiveRules& rules) const;

 private:
  Row* row_of(const PropertyActivity& property);
  Row* take_place(const PropertyActivity& property);
  void add_cells(const ActivityInterval& interval);
  void add_coarse(std::int64_t end);
  void note_changes(const ActivityInterval& interval);
  std::vector<PropertyActivity> recent() const;
  std::vector<PropertyActivity> highest(std::chrono::duration<double> over) const;

  const HistoryBounds bounds_;
  std::vector<Row> rows_;
  Columns fine_, coarse_;
  std::deque<ShardChange> changes_;
  std::deque<ActivityInterval> recent_;  // without changes
  std::uint64_t generation_ = 0;
};

}  // namespace autoshard::monitor
