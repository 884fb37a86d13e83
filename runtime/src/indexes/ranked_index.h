#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "entity_index.h"

namespace autoshard::detail {

/// The value that an update writes into the dirty record, see `dirty_prefix`. A refresh that is about to
/// correct the entry replaces the value with a unique number, which no update writes.
inline constexpr std::string_view kDirtyByUpdate = "\xC0";

/// See `make_ranked_index`.
class RankedIndex final : public EntityIndex {
 public:
  RankedIndex(const EntityType& type, const IndexType& declared);

  std::span<const std::string_view> main_members() const override { return {}; }
  void stage(Transaction& transaction, const EntityChange& change, const EntryLimits& limits,
             StagedWrites& writes) const override;
  void append_update_reads(EntityKeyView entity_key, std::vector<std::string>& keys) const override;
  bool note_update(Transaction& transaction, EntityKeyView entity_key, StagedWrites& writes,
                   std::string& scratch) const override;
  void restore(Transaction& transaction, const EntityChange& change, bool has_expired,
               const EntryLimits& limits) const override;
  void clean(Transaction& transaction, std::string_view record_key) const override;
  void erase_unread(Transaction& transaction, EntityKeyView entity_key) const override;
  std::vector<std::string> entry_prefixes() const override { return {entries_}; }
  std::vector<EntityKey> dirty_entities(const Snapshot& snapshot) const override;
  bool is_dear_to_walk() const override { return true; }
  std::string explain() const override;
  std::optional<std::chrono::seconds> refresh_every() const override;
  std::uint64_t refresh(CommitContext& context, Failures* failures,
                        const std::function<bool()>& goes_on) const override;

  /// The prefix of the key of a dirty record before the id. The record is written in the update's commit, and
  /// says that the entry may be wrong from then on.
  const std::string& dirty_prefix() const { return dirty_prefix_; }

  /// Stages the entry of the entity in place of its present entry; for null, stages its removal. The entry is
  /// right if no other commit changes the value before this commit. Throws `KeyTooLong`.
  void put_entry(Transaction& transaction, EntityKeyView entity_key, const void* entity,
                 const EntryLimits& limits, StagedWrites& writes) const;

 private:
  std::optional<std::string> read_place(Transaction& transaction, const RecordKey& place_key) const;

  const std::string dirty_prefix_, entries_, places_;  // prefixes of the keys of these records
};

}  // namespace autoshard::detail
