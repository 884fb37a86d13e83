#include "query_plan.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "index_state_records.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

/// Ratings by how few entities are likely to be left, without knowledge of their values. The highest rating
/// wins.
constexpr int kByOneValue = 4, kByRangeOfIds = 3, kByRange = 2, kByOrder = 1, kByOneId = 1'000;

/// Returns the values of a field that the top-level conditions leave; for elements, the values that one of
/// the conditions leaves.
std::optional<FieldValues> values_of(const Clause& clause, std::string_view field, bool of_elements) {
  std::optional<FieldValues> left;
  for (const FieldValues& values : clause.values) {
    if (values.field != field || values.are_elements != of_elements) continue;
    if (of_elements) return values;  // another element may fulfil each of several conditions
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
    some = values_of(spec.clause, members[place], index.repeats_entities());
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
  for (const auto& index : indexes_of(*spec.type).all) {
    Rated rated = with_index(spec, *index);
    if (index->repeats_entities() && !rated.plan.is_by_ids) continue;
    if ((rated.rate > best.rate || !can_scan) && goes_on(rated)) others.push_back(std::move(rated));
  }
  std::ranges::stable_sort(others, std::ranges::greater(), &Rated::rate);
  std::vector<const EntityIndex*> incomplete;
  for (Rated& rated : others) {
    if (is_complete(snapshot, *rated.plan.index)) {
      best = std::move(rated);
      break;
    }
    incomplete.push_back(rated.plan.index);
  }
  if (!goes_on(best)) {
    throw InvalidCursor("the cursor continues in an index that " + std::string(spec.type->kind) +
                        " does not have, or that is not complete: begin without a cursor");
  }
  best.plan.incomplete = std::move(incomplete);
  return std::move(best.plan);
}

}  // namespace autoshard::detail
