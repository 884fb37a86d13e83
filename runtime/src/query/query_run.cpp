#include <autoshard/detail/query_run.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <array>
#include <utility>

#include "continuation.h"
#include "entity_expiry.h"
#include "entity_scan.h"
#include "join.h"
#include "keys.h"
#include "main_record.h"
#include "mapper_core.h"
#include "query_plan.h"

namespace autoshard::detail {
namespace {

/// The position of a row among all rows of a query, as texts that sort as the rows do.
struct Position {
  /// The row's sort key, or its values in the walked index; empty if rows are sorted by ids.
  std::string sort;
  EntityKey key;  ///< of the entity

  friend auto operator<=>(const Position&, const Position&) = default;
};

std::string describe(const SortKey& key) {
  return std::string(key.field) + (key.descending ? " descending" : "");
}

std::string describe(const std::vector<SortKey>& order) {
  std::string text;
  for (const SortKey& key : order) text += (text.empty() ? "" : ", ") + describe(key);
  return text;
}

/// Returns a text that is equal for queries that may share cursors.
std::string identity(const QuerySpec& spec) {
  if (spec.range) {
    const auto& [index, values, is_reversed] = *spec.range;
    return "the range of index " + std::string(index->name) + " of " + std::string(spec.type->kind) +
           " from " + hexadecimal(values.begin) + " to " + hexadecimal(values.end) +
           (is_reversed ? " reversed" : "");
  }
  return std::string(spec.type->kind) + " where " + spec.clause.text + " by " + describe(spec.order);
}

/// The end of a page, and the order of its rows.
struct PageEnd {
  std::string walked_index;
  Position last;
};

/// Encodes the texts as in keys.
std::string write_continuation(const QuerySpec& spec, const PageEnd& end) {
  std::string bytes;
  append_text(bytes, end.walked_index);
  append_text(bytes, end.last.sort);
  append_text(bytes, end.last.key.bytes());
  return detail::write_continuation(identity(spec), bytes);
}

/// Empty without a cursor.
std::optional<PageEnd> read_continuation(const QuerySpec& spec) {
  if (spec.after.empty()) return std::nullopt;
  const std::string bytes = detail::read_continuation(identity(spec), spec.after);
  std::string_view rest = bytes;
  try {
    PageEnd end;
    end.walked_index = take_text(rest);
    end.last.sort = take_text(rest);
    end.last.key = EntityKey(take_text(rest));
    if (rest.empty() && entity_of(end.last.key.bytes()) == end.last.key) return end;
  } catch (const CorruptRecord&) {
  }
  throw_invalid_cursor(identity(spec), spec.after);
}

/// The list of names is never destroyed: a mapper of static storage duration may need it later.
FieldMask nothing() {
  static const auto& no_fields = *new std::vector<std::string_view>;
  return {.only = &no_fields};
}

class Run : public QueryRun {
 public:
  Run(MapperCore& core, const QuerySpec& spec)
      : core_(core), spec_(spec), snapshot_(core.snapshot()), looked_at_(spec.clause.fields) {
    for (const SortKey& key : spec.order) looked_at_.push_back(key.field);
    if (const std::optional<PageEnd> page = read_continuation(spec)) {
      last_ = page->last;
      plan_ = make_plan(*snapshot_, spec_, page->walked_index);
    } else {
      plan_ = make_plan(*snapshot_, spec_);
    }
    if (plan_.index != nullptr) {
      std::optional<EntryPosition> behind;
      if (last_ && plan_.is_in_order) behind = position_in_index(*last_);
      walk_.emplace(*snapshot_, *plan_.index, plan_.ranges, plan_.order, behind);
      find_dirty();
      return;
    }
    const std::string kind = kind_key(spec.type->kind);
    std::string begin = kind + spec.clause.ids.begin;
    const std::string end = std::max(begin, kind + spec.clause.ids.end);
    if (last_ && plan_.is_in_order) begin = std::clamp(end_key(last_->key), begin, end);
    scan_.emplace(*snapshot_, *spec.type, now_, begin, end);
  }

  bool next(const Make& make) override {
    if (given_ == spec_.limit) return false;
    const bool found = plan_.is_in_order ? find_next(make) : give_next(make);
    if (found) {
      ++given_;
    } else {
      is_at_end_ = true;
    }
    return found;
  }

  std::string cursor() const override {
    return is_at_end_ || !last_ ? std::string()
                                : write_continuation(spec_, {walked_index(spec_, plan_), *last_});
  }

  bool erase() override { return detail::erase(core_, *spec_.type, last_->key, version_); }

 private:
  /// Returns the mask of the selected fields, or of all fields.
  FieldMask selected() const { return {.only = spec_.selected ? &*spec_.selected : nullptr}; }

  /// Returns the position of the row's entry in the plan's index, whose entries come in the order of rows.
  EntryPosition position_in_index(const Position& row) const {
    std::string values = plan_.is_by_ids ? std::string() : row.sort;
    if (plan_.order == WalkOrder::kBackwardByValues) invert(values, 0);
    if (plan_.is_by_ids || !spec_.order.empty()) values.insert(0, plan_.fixed);
    return {.values = std::move(values), .id = std::string(id_in(row.key))};
  }

  /// Moves to the next entity that may match.
  bool find_candidate() {
    if (!walk_) return scan_->next();
    while (const std::optional<EntityKey> key = next_in_index()) {
      scan_.emplace(*snapshot_, *spec_.type, now_, *key);
      if (scan_->next()) return true;
    }
    return false;
  }

  /// Returns the entity of the next entry, or a dirty entity that comes before it.
  std::optional<EntityKey> next_in_index() {
    if (!is_ahead_) {
      do {
        is_walking_ = walk_->next();
      } while (is_walking_ && std::ranges::binary_search(dirty_, walk_->entity_key()));
      is_ahead_ = true;
    }
    if (next_dirty_ < dirty_rows_.size() &&
        (!is_walking_ || (plan_.is_in_order && dirty_rows_[next_dirty_] < row_of_entry()))) {
      found_values_ = dirty_rows_[next_dirty_].sort;
      return dirty_rows_[next_dirty_++].key;
    }
    if (!is_walking_) return std::nullopt;
    is_ahead_ = false;
    found_values_ = walk_->values();
    return walk_->entity_key();
  }

  /// Returns the position of the entry's entity among the rows, which come in the order of entries.
  Position row_of_entry() const {
    Position row = {.sort = plan_.is_by_ids ? std::string() : walk_->values(), .key = walk_->entity_key()};
    if (plan_.order == WalkOrder::kBackwardByValues) invert(row.sort, 0);
    return row;
  }

  /// Reads the entities whose entries may be wrong; their values determine their positions.
  void find_dirty() {
    dirty_ = plan_.index->dirty_entities(*snapshot_);
    for (const EntityKey& key : dirty_) {
      Position row = {.sort = {}, .key = key};
      if (plan_.is_in_order && !plan_.is_by_ids) {
        EntityScan one(*snapshot_, *spec_.type, now_, key);
        if (!one.next()) continue;
        const std::shared_ptr<void> entity = spec_.type->make(key);
        one.read(entity.get(), {.only = &looked_at_}, nothing());
        if (spec_.clause.test && !spec_.clause.test(entity.get())) continue;
        spec_.order.empty() ? plan_.index->declared().append_key(row.sort, entity.get())
                            : set_sort_text(row.sort, entity.get());
      }
      const bool is_before =
          last_ && plan_.is_in_order && (plan_.is_by_ids ? row.key <= last_->key : row <= *last_);
      if (!is_before) dirty_rows_.push_back(std::move(row));
    }
    std::sort(dirty_rows_.begin(), dirty_rows_.end());
  }

  /// Reads the fields that decide about the present entity of the scan. Returns whether it matches.
  bool matches(const Candidate& candidate, const FieldMask& later) {
    version_ = scan_->read(candidate.entity, {.only = &looked_at_}, later);
    return !spec_.clause.test || spec_.clause.test(candidate.entity);
  }

  bool find_next(const Make& make) {
    FieldMask rest = selected();
    rest.except = &looked_at_;
    while (find_candidate()) {
      const Candidate candidate = make(scan_->key());
      if (!spec_.clause.test && spec_.order.empty()) {
        version_ = scan_->read(candidate.entity, rest, nothing());
      } else if (matches(candidate, rest)) {
        scan_->read_rest(candidate.entity, rest);
      } else {
        continue;
      }
      *candidate.version = version_;
      last_ = {.sort = plan_.is_by_ids ? std::string() : found_values_, .key = scan_->key()};
      if (!spec_.order.empty()) set_sort_text(last_->sort, candidate.entity);
      return true;
    }
    return false;
  }

  bool give_next(const Make& make) {
    if (!is_sorted_) sort(make);
    if (given_ == sorted_.size()) return false;
    last_ = std::move(sorted_[given_]);
    EntityScan one(*snapshot_, *spec_.type, now_, last_->key);
    one.next();
    const Candidate candidate = make(one.key());
    *candidate.version = version_ = one.read(candidate.entity, selected(), nothing());
    return true;
  }

  /// Finds all matching rows. If the query has a limit, keeps them as a heap with the last row on top.
  void sort(const Make& make) {
    is_sorted_ = true;
    Position position;
    while (find_candidate()) {
      const Candidate candidate = make(scan_->key());
      if (!matches(candidate, nothing())) continue;
      set_sort_text(position.sort, candidate.entity);
      position.key = scan_->key();
      if (last_ && position <= *last_) continue;
      if (spec_.limit && sorted_.size() == *spec_.limit) {
        if (sorted_.empty() || position >= sorted_.front()) continue;
        std::pop_heap(sorted_.begin(), sorted_.end());
        sorted_.pop_back();
      }
      sorted_.push_back(position);
      if (spec_.limit) std::push_heap(sorted_.begin(), sorted_.end());
    }
    std::sort(sorted_.begin(), sorted_.end());
  }

  void set_sort_text(std::string& text, const void* entity) const {
    text.clear();
    for (const SortKey& key : spec_.order) {
      const std::size_t begin = text.size();
      key.append(text, entity);
      if (key.descending) invert(text, begin);
    }
  }

  static void invert(std::string& text, std::size_t begin) {
    for (std::size_t i = begin; i < text.size(); ++i) text[i] = static_cast<char>(~text[i]);
  }

  MapperCore& core_;
  const QuerySpec spec_;
  const Now now_ = ask_clock(core_.context.options, *spec_.type);
  const std::unique_ptr<Snapshot> snapshot_;
  std::vector<std::string_view> looked_at_;  // fields
  QueryPlan plan_;
  std::optional<IndexWalk> walk_;   // if the plan has an index
  std::optional<EntityScan> scan_;  // over candidates, or over the entity that the walk has reached
  bool is_ahead_ = false, is_walking_ = false;  // the walk is on the next entry; the walk is on any entry
  std::vector<EntityKey> dirty_;                // entities of the index, in their order
  std::vector<Position> dirty_rows_;            // dirty entities that may match, in the order of rows
  std::size_t next_dirty_ = 0;
  std::string found_values_;  // of the candidate, in the index
  std::vector<Position> sorted_;
  bool is_sorted_ = false, is_at_end_ = false;
  std::uint64_t given_ = 0;
  std::optional<Position> last_;  // the last row returned, or the row before the first one
  std::uint64_t version_ = 0;
};

std::string explain_index(const QuerySpec& spec, const QueryPlan& plan) {
  const IndexType& index = plan.index->declared();
  std::string text = "\n  index " + std::string(index.name) + ": ";
  if (spec.range) {
    text += "its entries in this range";
  } else if (plan.fields.empty()) {
    text += "all its entries";
  } else {
    text += "its entries that can match by " + join(plan.fields);
  }
  if (index.shards > 1) text += ", of " + std::to_string(index.shards) + " shards";
  if (plan.is_in_order) text += plan.is_by_ids ? ", in the order of ids" : ", in order";
  text += "; reads the main record and the shards of each " + std::string(spec.type->kind);
  if (const std::string more = plan.index->explain(); !more.empty()) text += "\n  " + more;
  return text;
}

bool can_be_indexed(const EntityType& type, std::string_view field) {
  return type.has_property(field) ||
         std::ranges::any_of(type.sharded, [&](const ShardedPropertyType& property) {
           return property.name == field && property.may_be_ranked();
         });
}

/// Describes a scan, and which index the query could use if it existed.
std::string explain_scan(const QuerySpec& spec) {
  const std::string kind(spec.type->kind);
  const bool is_of_some_ids = !(spec.clause.ids == IdRange());
  std::string text = "\n  scan: the main record and the shards of every " + kind +
                     (is_of_some_ids ? " whose id can match" : "") + ", in the order of ids";
  if (!spec.clause.fields.empty()) text += "; decides by " + join(spec.clause.fields) + ", without an index";
  std::vector<std::string_view> to_index, of_elements;
  const auto note = [&](std::string_view field, std::vector<std::string_view>& fields) {
    if (std::ranges::find(fields, field) == fields.end() &&
        std::ranges::none_of(spec.type->indexes,
                             [&](const IndexType& index) { return index.members.front() == field; }))
      fields.push_back(field);
  };
  for (const FieldValues& values : spec.clause.values) {
    if (!values.are_elements && can_be_indexed(*spec.type, values.field)) note(values.field, to_index);
    if (values.are_elements && spec.type->has_property(values.field)) note(values.field, of_elements);
  }
  if (spec.limit && spec.order.size() == 1 && can_be_indexed(*spec.type, spec.order.front().field))
    note(spec.order.front().field, to_index);
  if (is_of_some_ids) return text;
  if (!to_index.empty()) text += "\n  [[autoshard::index]] on " + join(to_index) + " would avoid the scan";
  if (!of_elements.empty())
    text += "\n  [[autoshard::index(elements)]] on " + join(of_elements) + " would avoid the scan";
  return text;
}

}  // namespace

std::unique_ptr<QueryRun> run(MapperCore& core, const QuerySpec& spec) {
  return std::make_unique<Run>(core, spec);
}

std::string explain(MapperCore& core, const QuerySpec& spec) {
  const std::unique_ptr<Snapshot> snapshot = core.snapshot();
  const QueryPlan plan = make_plan(*snapshot, spec);
  const std::string kind(spec.type->kind);
  std::string text = spec.range ? identity(spec) : kind;
  if (!spec.clause.text.empty()) text += " where " + spec.clause.text;
  text += plan.index != nullptr ? explain_index(spec, plan) : explain_scan(spec);
  for (const EntityIndex* index : plan.incomplete) {
    text += "\n  index " + std::string(index->declared().name) +
            " is not used: it does not hold all entities yet; call admin::build_indexes for the class once";
  }
  if (!plan.is_in_order) {
    text += "\n  sort: by " + describe(spec.order) + "; keeps the ids of ";
    text += spec.limit ? "the first " + std::to_string(*spec.limit) : "all that match";
  } else if (spec.limit) {
    text += "\n  ends after " + std::to_string(*spec.limit) + " rows";
  }
  return text + "\n  row: " + (spec.selected ? join(*spec.selected) : "the whole entity") + '\n';
}

}  // namespace autoshard::detail
