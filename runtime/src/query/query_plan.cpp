#include "query_plan.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <utility>

#include "index_state_records.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

/// Ratings by how few entities are likely to be left, without knowledge of their values. The highest rating
/// wins. An entity has one value of a member, but may have any number of elements. So an element is likely to
/// leave more entities than a value.
constexpr int kByOneValue = 5, kByElement = 4, kByRangeOfIds = 3, kByRange = 2, kByOrder = 1;
constexpr int kByOneId = 1'000, kByUniqueValues = 100;

/// Entries of an element that are counted at most, to find the element with the fewest entries. Counting is
/// cheap: an entity takes several reads where an entry takes one.
constexpr std::size_t kCounted = 1'024;

/// Returns the values of a field that the top-level conditions leave.
std::optional<FieldValues> values_of(const Clause& clause, std::string_view field) {
  std::optional<FieldValues> left;
  for (const FieldValues& values : clause.values) {
    if (values.field != field || values.are_elements) continue;
    if (!left) {
      left = values;
      continue;
    }
    FieldValues both = {.field = field, .ranges = {}, .are_single = left->are_single || values.are_single};
    for (const IdRange& one : left->ranges) {
      for (const IdRange& other : values.ranges) {
        IdRange range = {std::max(one.begin, other.begin), std::min(one.end, other.end)};
        if (range.begin < range.end) both.ranges.push_back(std::move(range));
      }
    }
    left = std::move(both);
  }
  return left;
}

/// Returns whether rows are sorted by these fields, all in one direction.
bool is_order(const std::vector<SortKey>& order, std::span<const std::string_view> fields) {
  return std::equal(order.begin(), order.end(), fields.begin(), fields.end(),
                    [&](const SortKey& key, std::string_view field) {
                      return key.field == field && key.descending == order.front().descending;
                    });
}

/// Ids are unique, so later sort fields do not matter.
bool is_order_of_ids(const std::vector<SortKey>& order) {
  return order.empty() || (order.front().is_id && !order.front().descending);
}

struct Rated {
  int rate = 0;
  QueryPlan plan;
};

/// Rates the members of the index in their order: first those with one value each, then one with some values,
/// then the order of the rest.
Rated with_index(const QuerySpec& spec, const EntityIndex& index) {
  const std::span<const std::string_view> members = index.declared().members;
  Rated rated;
  QueryPlan& plan = rated.plan;
  plan.index = &index;
  std::size_t place = 0;
  std::optional<FieldValues> some;
  for (; place < members.size(); ++place) {
    some = values_of(spec.clause, members[place]);
    if (!some || !some->are_single || some->ranges.size() != 1) break;
    plan.fixed += some->ranges.front().begin;
    plan.fields.push_back(members[place]);
    rated.rate += kByOneValue;
  }
  const bool is_fixed = place == members.size();
  if (!is_fixed && some) {
    for (const IdRange& range : some->ranges)
      plan.ranges.push_back({plan.fixed + range.begin, plan.fixed + range.end});
    plan.fields.push_back(members[place]);
    rated.rate += kByRange;
  } else if (is_fixed && index.has_ids_in_keys()) {
    plan.ranges.push_back({plan.fixed + spec.clause.ids.begin, plan.fixed + spec.clause.ids.end});
  } else {
    plan.ranges.push_back({plan.fixed, end_key(plan.fixed)});
    if (is_fixed) rated.rate += kByUniqueValues;
  }
  if (index.is_dear_to_walk() && plan.fields.empty() && !spec.limit) return rated;
  plan.is_by_ids = is_fixed;
  plan.is_in_order = is_fixed ? is_order_of_ids(spec.order)
                              : spec.order.empty() || is_order(spec.order, members.subspan(place));
  if (plan.is_in_order && !is_fixed && !spec.order.empty()) {
    rated.rate += kByOrder;
    if (spec.order.front().descending) plan.order = WalkOrder::kBackwardByValues;
  }
  return rated;
}

/// Returns a plan for each condition on an element of the index's member. Several conditions may be fulfilled
/// by different elements, so each plan walks over the entries of one element.
std::vector<Rated> with_elements(const QuerySpec& spec, const EntityIndex& index) {
  const std::string_view member = index.declared().members.front();
  std::vector<Rated> all;
  for (const FieldValues& values : spec.clause.values) {
    if (values.field != member || !values.are_elements) continue;
    QueryPlan& plan = all.emplace_back(Rated{.rate = kByElement, .plan = {}}).plan;
    plan.index = &index;
    plan.fixed = values.ranges.front().begin;
    plan.fields = {member};
    plan.ranges = {{plan.fixed + spec.clause.ids.begin, plan.fixed + spec.clause.ids.end}};
    plan.is_in_order = is_order_of_ids(spec.order);
  }
  return all;
}

/// Returns the plan that walks over the fewest entries. Counts the entries of all plans at the same time,
/// until the entries of one plan end.
Rated& with_fewest_entries(const Snapshot& snapshot, std::span<Rated* const> plans) {
  if (plans.size() == 1) return *plans.front();
  std::deque<IndexWalk> walks;
  for (const Rated* rated : plans)
    walks.emplace_back(snapshot, *rated->plan.index, rated->plan.ranges, rated->plan.order);
  for (std::size_t counted = 0; counted < kCounted; ++counted) {
    for (std::size_t i = 0; i < walks.size(); ++i) {
      if (!walks[i].next()) return *plans[i];
    }
  }
  return *plans.front();
}

Rated without_index(const QuerySpec& spec) {
  Rated rated;
  rated.plan.is_in_order = is_order_of_ids(spec.order);
  const IdRange& ids = spec.clause.ids;
  const bool is_one = std::ranges::any_of(spec.clause.values, [&](const FieldValues& values) {
    return values.are_single && values.ranges == std::vector{ids};
  });
  if (is_one) {
    rated.rate = kByOneId;
  } else if (!(ids == IdRange())) {
    rated.rate = kByRangeOfIds;
  }
  return rated;
}

}  // namespace

std::string walked_index(const QuerySpec& spec, const QueryPlan& plan) {
  return spec.order.empty() && !plan.is_by_ids ? plan.index->key() : std::string();
}

QueryPlan make_plan(const Snapshot& snapshot, const QuerySpec& spec,
                    const std::optional<std::string>& goes_on_in) {
  if (spec.range) {
    const IndexRange& range = *spec.range;
    const EntityIndex& index = find_index(*spec.type, *range.index);
    if (!is_complete(snapshot, index)) {
      throw IndexNotBuilt(
          "index " + std::string(index.declared().name) + " of " + std::string(spec.type->kind) +
          " does not hold all entities yet: some are older than the index, or a program whose class lacks "
          "the index has written; call admin::build_indexes for the class once");
    }
    QueryPlan plan;
    plan.index = &index;
    plan.ranges = {range.values};
    plan.is_by_ids = false;
    if (range.is_reversed) plan.order = WalkOrder::kBackward;
    return plan;
  }
  const auto goes_on = [&](const Rated& rated) {
    return !goes_on_in || walked_index(spec, rated.plan) == *goes_on_in;
  };
  Rated best = without_index(spec);
  const bool can_scan = goes_on(best);
  std::vector<Rated> others;
  const auto consider = [&](Rated& rated) {
    if ((rated.rate > best.rate || !can_scan) && goes_on(rated)) others.push_back(std::move(rated));
  };
  for (const auto& index : indexes_of(*spec.type).all) {
    if (index->repeats_entities()) {
      for (Rated& rated : with_elements(spec, *index)) consider(rated);
    } else {
      Rated rated = with_index(spec, *index);
      consider(rated);
    }
  }
  std::ranges::stable_sort(others, std::ranges::greater(), &Rated::rate);
  std::vector<const EntityIndex*> incomplete;
  std::vector<Rated*> equal;  // the best plans; several only if all walk over elements
  for (Rated& rated : others) {
    const EntityIndex* const index = rated.plan.index;
    if (!equal.empty() && (rated.rate < equal.front()->rate ||
                           !equal.front()->plan.index->repeats_entities() || !index->repeats_entities()))
      break;
    if (!incomplete.empty() && incomplete.back() == index) continue;
    if (is_complete(snapshot, *index)) {
      equal.push_back(&rated);
    } else {
      incomplete.push_back(index);
    }
  }
  if (!equal.empty()) best = std::move(with_fewest_entries(snapshot, equal));
  if (!goes_on(best)) {
    throw InvalidCursor("the cursor continues in an index that " + std::string(spec.type->kind) +
                        " does not have, or that is not complete: begin without a cursor");
  }
  best.plan.incomplete = std::move(incomplete);
  return std::move(best.plan);
}

}  // namespace autoshard::detail
