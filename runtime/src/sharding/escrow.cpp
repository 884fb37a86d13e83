#include "escrow.h"

#include <autoshard/errors.h>

#include <algorithm>

#include "check.h"
#include "keys.h"
#include "main_record.h"
#include "parts.h"
#include "shard_record.h"

namespace autoshard::detail {

bool is_within(const Bounds& bounds, std::int64_t whole) {
  return bounds.least <= whole && whole <= bounds.most;
}

std::string in_words(const Bounds& bounds) {
  return "from " + std::to_string(bounds.least) + " to " + std::to_string(bounds.most);
}

std::int64_t part_of(std::int64_t whole, std::uint32_t shards, std::uint32_t shard) {
  AUTOSHARD_CHECK(shard < shards, {"shard", shard}, {"shards", shards});
  const auto number = static_cast<std::int64_t>(shards);
  std::int64_t each = whole / number;
  std::int64_t rest = whole % number;
  if (rest < 0) {
    rest += number;
    --each;
  }
  return each + (shard < rest ? 1 : 0);
}

Share share_of(const Bounds& bounds, std::uint32_t shards, std::uint32_t shard) {
  return {part_of(bounds.least, shards, shard), part_of(bounds.most, shards, shard)};
}

namespace {

/// For a check: whether the parts and shares of all shards add up to the value and its bounds.
bool adds_up(std::int64_t whole, const Bounds& bounds, std::uint32_t shards) {
  // Twice the bits hold the sums of all parts and remainders.
  __int128_t sum = 0, least = 0, most = 0;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    const Share share = share_of(bounds, shards, shard);
    sum += part_of(whole, shards, shard);
    least += share.least;
    most += share.most;
  }
  return sum == whole && least == bounds.least && most == bounds.most;
}

}  // namespace

std::string_view Escrow::name() const { return property().record_name; }

void Escrow::begin(UpdatedEntity& entity, std::size_t place, std::uint16_t shard) {
  entity_ = &entity;
  place_ = place;
  shard_ = shard;
  looks_at_all_ = unsharded_ = false;
  bounds_ = property().bounds();
  share_ = share_of(bounds_, shards(), shard);
  others_.clear();
  const RecordKey record_key = shard_key(entity.key, name(), shard);
  if (!entity.transaction->get(record_key, stored_)) return look_at_all();
  const ShardTail tail = read_tail(record_key, stored_);
  if (tail.epoch != entity.head.layouts[place].epoch || tail.share != share_) return look_at_all();
  value_ = read(record_key);
  if (value_ < share_.least || value_ > share_.most) return look_at_all();
  restart();
}

/// Returns the integer in the record that was read last.
std::int64_t Escrow::read(std::string_view record_key) {
  void* shard = scratch_.make_neutral(entity_->type->shard);
  fold_shard(property(), property().in_shard(shard), entity_->head.layouts[place_].epoch, record_key,
             stored_);
  return property().to_integer(property().in_shard(shard));
}

void Escrow::look_at_all() {
  looks_at_all_ = true;
  find_others();
  std::vector<std::string> keys;
  for (std::uint32_t shard = 0; shard < shards(); ++shard)
    keys.push_back(shard_key(entity_->key, name(), static_cast<std::uint16_t>(shard)).bytes());
  keys.insert(keys.end(), others_.begin(), others_.end());
  entity_->transaction->prefetch(keys);
  value_ = 0;
  const auto add = [&](std::int64_t part, std::string_view of) {
    if (__builtin_add_overflow(value_, part, &value_))
      throw CorruptRecord(describe(of) +
                          ": the shards of a bounded property have a sum that does not fit into 64 bits");
  };
  for (const std::string& record_key : keys) {
    if (entity_->transaction->get(record_key, stored_)) add(read(record_key), record_key);
  }
  void* shard = scratch_.make_neutral(entity_->type->shard);
  unsharded_ = entity_->head.layouts[place_].epoch == 0 &&
               fold_unsharded(*entity_->type, property(), property().in_shard(shard), entity_->key,
                              entity_->main_record);
  if (unsharded_) add(property().to_integer(property().in_shard(shard)), entity_->main_key);
  restart();
}

/// Finds the records that are no shards of the present layout: shards of an earlier one, deltas, and buckets
/// of a window that the property was. No program of this version writes them: the main record determines the
/// layout, and shards keep the oldest name.
void Escrow::find_others() {
  others_.clear();
  const std::unique_ptr<Snapshot> snapshot = entity_->store->snapshot();
  const auto find = [&](std::string_view name, std::uint32_t first) {
    for (const std::unique_ptr<Cursor> cursor =
             snapshot->scan(shard_key(entity_->key, name, 0), end_of_property(entity_->key, name));
         cursor->valid(); cursor->next()) {
      const std::optional<ShardKey> key = read_shard_key(entity_->key, cursor->key());
      if (key && (!key->shard || !key->element.empty() || *key->shard >= first))
        others_.emplace_back(cursor->key());
    }
  };
  find(name(), shards());
  if (name() == property().name) return;
  find(property().name, 0);
  for (const FormerName& former : entity_->type->former_names) {
    if (former.name == property().name && former.former != name()) find(former.former, 0);
  }
}

/// Returns the limits of the sum. Each admitted update may change them, as if it were committed alone.
Share Escrow::room() const {
  if (!looks_at_all_) return share_;
  return {std::min(bounds_.least, sum_), std::max(bounds_.most, sum_)};
}

bool Escrow::has_room(void* shard) const {
  const bool replaces_all = replaces(property(), shard);
  if (replaces_all && !looks_at_all_) return false;
  const std::int64_t part = property().to_integer(property().in_shard(shard));
  std::int64_t sum = part;
  if (replaces_all) return is_within(bounds_, sum);
  if (__builtin_add_overflow(sum_, part, &sum)) return false;
  return part == 0 || (sum >= room().least && sum <= room().most);
}

void Escrow::admit(void* shard) {
  AUTOSHARD_CHECK(has_room(shard), {"sum", sum_}, {"least", room().least}, {"most", room().most});
  if (is_neutral(property(), shard)) return;
  has_admitted_ = true;
  const std::int64_t part = property().to_integer(property().in_shard(shard));
  if (replaces(property(), shard)) {
    replaced_ = true;
    sum_ = part;
  } else {
    sum_ += part;
  }
}

void Escrow::put(StagedWrites& writes) {
  // A transaction that looks at one shard keeps to the shard's share. A whole value outside of narrowed
  // bounds does not get further away from them.
  AUTOSHARD_CHECK(looks_at_all_ || (share_.least <= sum_ && sum_ <= share_.most), {"sum", sum_},
                  {"least", share_.least}, {"most", share_.most});
  AUTOSHARD_CHECK(!replaced_ || is_within(bounds_, sum_), {"sum", sum_}, {"least", bounds_.least},
                  {"most", bounds_.most});
  AUTOSHARD_CHECK(!looks_at_all_ || adds_up(sum_, bounds_, shards()), {"sum", sum_}, {"shards", shards()});
  if (!looks_at_all_) return put(writes, shard_, sum_);
  if (unsharded_ || replaced_) {
    Layout layout = entity_->head.layouts[place_];
    ++layout.epoch;
    entity_->set_layout(place_, layout, writes);
  }
  for (std::uint32_t shard = 0; shard < shards(); ++shard)
    put(writes, static_cast<std::uint16_t>(shard), part_of(sum_, shards(), shard));
  for (const RecordKey& key : others_) writes.erase().key = key;
}

void Escrow::put(StagedWrites& writes, std::uint16_t shard, std::int64_t part) {
  StagedWrites::Write& write = writes.put();
  write.key.set_shard(entity_->key, name(), shard);
  std::optional<Share> share;
  if (!looks_at_all_ || is_within(bounds_, sum_)) share = share_of(bounds_, shards(), shard);
  encode_bounded_shard(write.value, part, entity_->head.layouts[place_].epoch, share);
}

std::exception_ptr Escrow::exceeded() const {
  return std::make_exception_ptr(BoundExceeded(
      describe(entity_->key) + ": " + std::string(property().name) + " is " + std::to_string(sum_) +
      "; the update would take it out of its bounds, " + in_words(bounds_) + ", and was not made"));
}

}  // namespace autoshard::detail
