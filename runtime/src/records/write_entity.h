#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "context.h"
#include "entity_index.h"

/// How main records are written, with the records of indexes and of expiry that lead to them.
namespace autoshard::detail {

/// What was put into a transaction to write an entity.
struct Written {
  std::uint64_t version;  ///< of the entity, once that is committed
  std::size_t bytes;      ///< of its records, without those of indexes; 0: nothing was put
};

/// Announces that the main records of these entities are about to be read, and the generation of their
/// indexes.
void prefetch_mains(MapperContext& context, Transaction& transaction, const EntityType& type,
                    std::span<const std::string> keys);

/// What limits the keys that are written.
EntryLimits entry_limits(const CommitContext& context, Now now);

/// Puts the records of a new entity, with the first values of its sharded properties. `stored`: its main
/// record, as the transaction has read it. Throws `StaleEntity` if that is an entity, `NotUnique` and
/// `KeyTooLong`.
Written put_new_entity(MapperContext& context, Transaction& transaction, const EntityRef& entity,
                       const std::optional<std::string>& stored, Now now);

/// Puts the main record of an entity, new or not, if it is another one than in the store; nothing of its
/// updates. Throws what a save throws.
Written put_entity(MapperContext& context, Transaction& transaction, const EntityRef& entity, Now now);

/// To be called once what `put_entity` has put is committed.
void note_written(MapperContext& context, const EntityRef& entity, std::uint64_t version);

}  // namespace autoshard::detail
