#pragma once

#include <autoshard/adaptive.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The activity of the hottest properties, and advice on their numbers of shards. `autoshard/monitor.h` shows
/// both in a browser.
namespace autoshard {

class Mapper;

/// The activity of one property of one entity during an interval. Rates are per second. They are estimated
/// from samples if there are more than 16,384 events in the interval.
struct PropertyActivity {
  std::string entity{};       ///< in words: `Question 42`
  std::string property{};     ///< its name in the store; empty: the main record as a whole
  bool is_sharded = false;    ///< false: the property is in the main record
  bool is_adaptive = false;   ///< its number of shards follows the load
  bool is_group = false;      ///< each element is a record of its own, so the number of shards hardly matters
  std::uint32_t shards = 0;   ///< 0: not sharded, or each update is a record of its own
  std::uint32_t most = 0;     ///< the largest number of shards that the annotation allows
  std::uint32_t writers = 0;  ///< concurrent writers of this process that committed or tried to; at most 64

  double updates = 0;    ///< committed updates; of the main record: committed saves
  double commits = 0;    ///< transactions of these updates: `updates / commits` were committed together
  double conflicts = 0;  ///< transactions that failed because of others
  double retries = 0;    ///< repeated attempts of calls
  double loads = 0;      ///< loads; only of adaptive properties
  /// The number of updates that wait for the end of a transaction, on average over the interval. Does not
  /// include the wait for the transaction to begin. Only of sharded properties.
  double waiting = 0;
};

/// A change of the number of shards of a property.
struct ShardChange {
  std::chrono::system_clock::time_point time{};
  std::string entity{};  ///< in words: `Question 42`
  std::string property{};
  std::uint32_t from = 0, to = 0;  ///< 0: each update is a record of its own
  std::string why{};               ///< as in "because updates meet conflicts"
};

/// The activity of one mapper during an interval.
struct ActivityInterval {
  std::chrono::system_clock::time_point end{};
  std::chrono::duration<double> length{};
  /// The most active properties, at most 512, by updates and conflicts. If a conflict of saves concerns a
  /// property, the property is listed beside the main record as a whole.
  std::vector<PropertyActivity> properties{};
  std::vector<ShardChange> changes{};  ///< in their order; at most 1,024, the newest
};

/// Observes the activity of a mapper while it exists. The mapper counts for its observer separately from its
/// adaptive rules, so the one takes nothing from the other. Without an observer it counts for the rules only.
/// Thread-safe.
class ActivityObserver {
 public:
  /// The mapper must outlive the object. Throws `InvalidUse` if it has an observer.
  explicit ActivityObserver(Mapper& mapper);
  ~ActivityObserver();
  ActivityObserver(const ActivityObserver&) = delete;
  ActivityObserver& operator=(const ActivityObserver&) = delete;

  /// Returns the activity since the last call, or since the construction.
  ActivityInterval next();

  /// Returns the rules that the mapper applies, with the limits of its store.
  const AdaptiveRules& rules() const;

 private:
  Mapper& mapper_;
};

/// Something to do about a property.
struct Advice {
  std::string entity{};
  std::string property{};
  std::string problem{};     ///< a sentence with the numbers
  std::string remedy{};      ///< a sentence
  std::string annotation{};  ///< the attribute to write; empty: none
  double conflicts = 0;      ///< transactions per second that fail; 0: only loads would be cheaper
};

/// Returns what is wrong, the worst first; empty: nothing. `recent`: the activity of about the last ten
/// seconds. `highest`: the highest rates of each property in one of many intervals, which
/// together last at least `AdaptiveRules::quiet_for`. A property is called quiet only if it is
/// listed there. The numbers of adaptive properties are left to the rules, up to the limit of the annotation.
std::vector<Advice> advise(std::span<const PropertyActivity> recent,
                           std::span<const PropertyActivity> highest = {}, const AdaptiveRules& rules = {});

}  // namespace autoshard
