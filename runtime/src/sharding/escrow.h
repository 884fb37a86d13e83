#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layout.h"
#include "shard_value.h"
#include "updated_entity.h"

namespace autoshard::detail {

/// A property with bounds in a transaction that updates it (the escrow method: O'Neil, "The Escrow
/// Transactional Method", ACM TODS 11:4, 1986).
///
/// Every shard keeps to its share of the bounds. So if an update has room in its shard, the transaction need
/// not read the other shards. Otherwise the transaction reads the whole value, and shares it out evenly.
///
/// The bounds may have become narrower than the value. Then an update may move the value towards the bounds,
/// but not further away, and no shard has a share until the whole value is within the bounds: every update
/// reads all shards.
class Escrow {
 public:
  /// Reads one shard, or all shards if that one has no share yet. The entity must outlive the use.
  void begin(UpdatedEntity& entity, std::size_t place, std::uint16_t shard);
  void look_at_all();
  bool looks_at_all() const { return looks_at_all_; }

  /// Discards what was admitted.
  void restart() {
    sum_ = value_;
    replaced_ = has_admitted_ = false;
  }
  bool has_room(void* shard) const;
  /// Admits an update that has room.
  void admit(void* shard);
  /// Returns whether an admitted update changes the value.
  bool has_admitted() const { return has_admitted_; }

  /// Stages the admitted updates.
  void put(StagedWrites& writes);

  /// Returns the `BoundExceeded` for an update without room.
  std::exception_ptr exceeded() const;

  std::size_t place() const { return place_; }
  const ShardedPropertyType& property() const { return entity_->type->sharded[place_]; }

 private:
  std::string_view name() const;  // the name in the keys of shards
  std::uint32_t shards() const { return entity_->head.layouts[place_].numbered(); }
  void find_others();
  std::int64_t read(std::string_view record);
  Share room() const;
  void put(StagedWrites& writes, std::uint16_t shard, std::int64_t part);

  UpdatedEntity* entity_ = nullptr;
  std::size_t place_ = 0;
  std::uint16_t shard_ = 0;
  bool looks_at_all_ = false;
  bool unsharded_ = false;  // a part of the value is in the main record
  Bounds bounds_;           // of the whole value
  Share share_;             // of the shard
  std::int64_t value_ = 0;  // of the shard, or of all shards
  std::int64_t sum_ = 0;    // with the admitted updates
  bool replaced_ = false;
  bool has_admitted_ = false;
  ShardValue scratch_;
  std::string stored_;
  std::vector<RecordKey> others_;  // keys of records that are no shards of the present layout
};

/// Returns whether a whole value is within its bounds.
bool is_within(const Bounds& bounds, std::int64_t whole);

/// Describes bounds in messages.
std::string in_words(const Bounds& bounds);

/// Return the part of `whole`, or of `bounds`, that belongs to shard `shard` of `shards`. The parts differ by
/// one at most.
std::int64_t part_of(std::int64_t whole, std::uint32_t shards, std::uint32_t shard);
Share share_of(const Bounds& bounds, std::uint32_t shards, std::uint32_t shard);

}  // namespace autoshard::detail
