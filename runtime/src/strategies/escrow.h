#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "layout.h"
#include "shard_value.h"
#include "updated_entity.h"

namespace autoshard::detail {

/// A property with bounds, in a transaction that updates it (the escrow method: O'Neil, "The Escrow
/// Transactional Method", ACM TODS 11:4, 1986).
///
/// Every shard keeps to its share of the bounds, so that an update for which there is room in its shard need
/// not know of the others. An update for which there is no room looks at the whole value, which is shared out
/// evenly then.
///
/// The bounds may have become narrower than the value. Then an update may lead back into them, but not
/// further out, and no shard has a share until the whole value is within the bounds: so every update looks
/// at all shards.
class Escrow {
 public:
  /// Looks at one shard, or at all where that one does not know its share yet. The entity must outlive its
  /// use.
  void begin(UpdatedEntity& entity, std::size_t place, std::uint16_t shard);
  void look_at_all();
  bool looks_at_all() const { return looks_at_all_; }

  /// Forgets what was admitted.
  void restart() {
    sum_ = value_;
    replaced_ = has_admitted_ = false;
  }
  bool has_room(void* shard) const;
  /// To be called for one that has room.
  void admit(void* shard);
  /// Whether anything was admitted that changes the value.
  bool has_admitted() const { return has_admitted_; }

  /// Writes what was admitted.
  void put(StagedWrites& writes);

  /// `BoundExceeded`, of an update for which there is no room.
  std::exception_ptr exceeded() const;

  std::size_t place() const { return place_; }
  const ShardedPropertyType& property() const { return entity_->type->sharded[place_]; }

 private:
  std::string_view name() const;  // in the keys of shards
  std::uint32_t shards() const { return entity_->head.layouts[place_].numbered(); }
  void prefetch() const;
  void find_others();
  std::int64_t read(std::string_view record);
  Share room() const;
  void put(StagedWrites& writes, std::uint16_t shard, std::int64_t part);

  UpdatedEntity* entity_ = nullptr;
  std::size_t place_ = 0;
  std::uint16_t shard_ = 0;
  bool looks_at_all_ = false;
  bool unsharded_ = false;  // a part of the value lies in the main record
  Bounds bounds_;           // of the whole value
  Share share_;             // of the shard
  std::int64_t value_ = 0;  // of the shard, or of all
  std::int64_t sum_ = 0;    // with what was admitted
  bool replaced_ = false;
  bool has_admitted_ = false;
  ShardValue scratch_;
  std::string stored_;
  std::vector<std::string> others_;  // keys of records that are no shard of today's layout
};

/// For messages.
std::string in_words(const Bounds& bounds);

/// What shard number `shard` of `shards` has of `whole`: they differ by one at most.
std::int64_t part_of(std::int64_t whole, std::uint32_t shards, std::uint32_t shard);
Share share_of(const Bounds& bounds, std::uint32_t shards, std::uint32_t shard);

}  // namespace autoshard::detail
