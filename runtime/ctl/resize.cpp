#include "resize.h"

#include <autoshard/detail/entity_type.h>
#include <autoshard/errors.h>
#include <autoshard/generated.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "changes.h"
#include "checked_keys.h"
#include "checked_values.h"
#include "main_record.h"
#include "record_json.h"
#include "scan.h"

namespace autoshard::ctl {
namespace {

using detail::CheckedKey;

/// What the records of a property tell about it.
struct PropertyRecords {
  bool is_bounded = false, is_group = false, has_plain_parts = false, is_there = false;
  std::uint64_t highest_epoch = 0;
};

PropertyRecords read_property(const Snapshot& snapshot, const std::string& entity,
                              const std::string& property) {
  PropertyRecords read;
  for_each_record(snapshot, entity, [&](std::string_view key, std::string_view value) {
    const CheckedKey parsed = detail::parse_checked_key(key);
    if (!parsed.is_of_entity() || parsed.kind == CheckedKey::kMain || parsed.property != property)
      return true;
    const std::optional<detail::CheckedShard> part = detail::read_checked_shard(key, value);
    if (!part) return true;
    read.is_there = true;
    read.highest_epoch = std::max(read.highest_epoch, part->epoch);
    read.is_bounded |= part->share.has_value();
    read.is_group |= parsed.kind == CheckedKey::kElement;
    read.has_plain_parts |= parsed.kind == CheckedKey::kShard || parsed.kind == CheckedKey::kDelta;
    return true;
  });
  return read;
}

/// Throws if this number of shards would not be right for the property.
void check(const std::string& name, const PropertyRecords& records, std::uint64_t epoch,
           std::uint64_t shards) {
  const auto refuse = [&](const std::string& why) {
    throw InvalidUse("the shards of " + name + " are not changed: " + why);
  };
  const std::string call = "Let a program call admin::set_shards";
  if (records.is_bounded)
    refuse("it has bounds, whose shares would have to change in the same commit. " + call);
  if (records.is_group) refuse("it is a group: set the number of its partitions in its annotation");
  if (records.highest_epoch > epoch)
    refuse(
        "it has records of a later epoch than its entry in the main record says. The class has or had "
        "another "
        "name for it. " +
        call);
  if (shards == 0 && !records.has_plain_parts)
    refuse("no shard or delta of it is stored, so it may be a window, which has at least 1 shard. " + call);
}

/// Returns the main record with another number of shards. What the function needs of a class is the name of
/// the property.
std::string with_shards(const std::string& entity, std::string_view main_record, const std::string& property,
                        std::uint64_t shards, std::uint64_t epoch) {
  detail::EntityType type{};
  detail::ShardedPropertyType sharded{};
  sharded.name = property;
  return detail::with_layout(type, detail::EntityKeyView(entity), main_record, sharded,
                             {.shards = static_cast<std::uint32_t>(shards), .epoch = epoch});
}

}  // namespace

Resized set_shards(Store& store, const std::string& kind, const std::string& id, const std::string& property,
                   std::uint64_t shards, Missing& missing) {
  constexpr int kMostAttempts = 20;
  const std::string name = property + " of " + kind + ' ' + id;
  if (shards > kMostShards)
    throw InvalidUse(std::to_string(shards) + " shards are too many: choose at most " +
                     std::to_string(kMostShards));
  const std::string entity = entity_key_of(kind, id_from_text(id)),
                    main_key = detail::checked_main_key(entity);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::unique_ptr<Snapshot> snapshot = store.snapshot();
    std::string main_record;
    if (!snapshot->get(main_key, main_record) || detail::is_tombstone(main_record)) {
      missing = missing_entity(*snapshot, kind, id);
      return {};
    }
    const std::optional<detail::CheckedMain> main = detail::read_checked_main(main_key, main_record);
    if (!main)
      throw CorruptRecord("the main record of " + kind + ' ' + id + " is damaged: nothing was changed");
    const PropertyRecords records = read_property(*snapshot, entity, property);
    const auto layout = main->layouts.find(property);
    const bool has_entry = layout != main->layouts.end();
    if (!has_entry && !records.is_there) {
      missing = missing_shards(*snapshot, kind, id, property);
      return {};
    }
    const std::uint64_t epoch = has_entry ? layout->second.second : 0;
    check(name, records, epoch, shards);
    const Resized resized{has_entry ? layout->second.first : 0, shards, has_entry};
    if (has_entry && resized.before == shards) return resized;
    const std::array<Change, 1> changes{
        Change{main_key, main_record, with_shards(entity, main_record, property, shards, epoch)}};
    if (!commit_changes(store, changes)) return resized;
  }
  throw Contention("the shards of " + name +
                   " are not changed: programs save the entity all the time. Repeat "
                   "the command");
}

}  // namespace autoshard::ctl
