#include "value_reader.h"

#include <algorithm>
#include <utility>

#include "check.h"

namespace autoshard::detail {
namespace {

/// The number of deltas that makes compaction worthwhile; fewer are left to the process that makes them.
constexpr std::size_t kManyDeltas = 16;

/// Returns the present or former name of the property that equals `name`, and lives as long as the program.
std::string_view known_name(const EntityType& type, const ShardedPropertyType& property,
                            std::string_view name) {
  for (const FormerName& entry : type.former_names) {
    if (entry.former == name) return entry.former;
  }
  return property.name;
}

}  // namespace

void ValueReader::begin(const EntityType& type, EntityKeyView entity_key, MainHead head, Now now,
                        const FieldMask& wanted, const FieldMask* later) {
  type_ = &type;
  entity_key_ = entity_key;
  head_ = std::move(head);
  now_ = now;
  wanted_ = wanted;
  has_later_ = later != nullptr;
  later_ = later ? *later : wanted;
  name_ = {};
  skipped_.clear();
  ordered_.clear();
  kept_later_.clear();
  deltas_ = 0;
  any_compactable_ = head_.has_unsharded_group;
}

void ValueReader::add_main(std::string_view main_record) { keep_main(ordered_, wanted_, main_record); }

void ValueReader::add(std::string_view record_key, std::string_view record, void* entity) {
  if (!skipped_.empty() && record_key.starts_with(skipped_)) return;
  const std::optional<ShardKey> key = read_shard_key(entity_key_, record_key);
  if (!key) return;
  if (key->property != name_ && !choose(key->property)) {
    const auto* const end = key->property.data() + key->property.size();
    skipped_ = record_key.substr(
        0, static_cast<std::size_t>(end - record_key.data()) + 2);  // with the end of the name
    return;
  }
  const PartRecord part{*key, record_key, record};
  if (records_ != nullptr) return keep(*records_, place_, part);
  fold(*strategy_, stored(place_), part, entity);
}

/// Sets the property of the next records. The records of a property are adjacent. Returns false if the
/// property is unknown, or neither wanted nor kept for later.
bool ValueReader::choose(std::string_view property) {
  name_ = {};
  const std::optional<std::size_t> place = find_sharded(*type_, property);
  if (!place) return false;
  const ShardedPropertyType& chosen = type_->sharded[*place];
  const bool is_wanted = wanted_.has(chosen.name);
  if (!is_wanted && !later_.has(chosen.name)) return false;
  if (is_wanted) {
    records_ = chosen.folds_in_order() ? &ordered_ : nullptr;
  } else {
    records_ = &kept_later_;
  }
  place_ = *place;
  strategy_ = &strategy_of(chosen);
  name_ = known_name(*type_, chosen, property);
  return true;
}

void ValueReader::fold(const Strategy& strategy, const StoredProperty& property, const PartRecord& record,
                       void* entity) {
  void* value = property.property.in_entity(entity);
  if (has_later_) return strategy.fold(property, record, value, nullptr);
  PartState state = PartState::kCurrent;
  strategy.fold(property, record, value, &state);
  if (state == PartState::kDelta) ++deltas_;
  if (state == PartState::kCompactable) any_compactable_ = true;
}

void ValueReader::finish(void* entity) { fold(ordered_, entity); }

void ValueReader::add_main_later(std::string_view main_record) {
  keep_main(kept_later_, later_, main_record);
}

void ValueReader::finish_later(void* entity) { fold(kept_later_, entity); }

bool ValueReader::is_compactable() const {
  AUTOSHARD_CHECK(!has_later_);
  return any_compactable_ || deltas_ > kManyDeltas;
}

void ValueReader::keep(Kept& kept, std::size_t place, const PartRecord& record) {
  order_.clear();
  const StoredProperty property = stored(place);
  if (property.property.folds_in_order())
    strategy_of(property.property).append_fold_order(property, record, order_);
  kept.add(place, record.key, record.value, order_);
}

void ValueReader::keep_main(Kept& kept, const FieldMask& wanted, std::string_view main_record) {
  for (std::size_t place = 0; place < type_->sharded.size(); ++place) {
    const ShardedPropertyType& property = type_->sharded[place];
    if (!property.folds_in_order() || !wanted.has(property.name) || head_.layouts[place].epoch != 0) continue;
    order_.clear();
    strategy_of(property).append_main_order(property, order_);
    kept.add(place, {}, main_record, order_, true);
  }
}

void ValueReader::fold(Kept& kept, void* entity) {
  kept.fold([&](std::size_t place, std::string_view key, std::string_view record, bool is_main) {
    const StoredProperty property = stored(place);
    if (is_main) {
      fold_unsharded(*type_, property.property, property.property.in_entity(entity), entity_key_, record);
    } else {
      fold(strategy_of(property.property), property, {*read_shard_key(entity_key_, key), key, record},
           entity);
    }
  });
}

void ValueReader::Kept::clear() {
  entries_.clear();
  bytes_.clear();
}

void ValueReader::Kept::add(std::size_t place, std::string_view key, std::string_view record,
                            std::string_view order, bool is_main) {
  const std::size_t begin = bytes_.size();
  bytes_.append(key).append(record).append(order);
  const std::size_t value = begin + key.size(), its_order = value + record.size();
  entries_.push_back({place, begin, value, its_order, bytes_.size(), is_main});
}

template <class Fold>
void ValueReader::Kept::fold(Fold fold) {
  const auto is_before = [&](const Entry& one, const Entry& other) {
    return bytes(one.order, one.end) < bytes(other.order, other.end);
  };
  if (!std::is_sorted(entries_.begin(), entries_.end(), is_before))
    std::stable_sort(entries_.begin(), entries_.end(), is_before);
  for (const Entry& entry : entries_)
    fold(entry.place, bytes(entry.begin, entry.value), bytes(entry.value, entry.order), entry.is_main);
}

}  // namespace autoshard::detail
