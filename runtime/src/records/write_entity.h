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

/// Writes main records, together with the records of indexes and of expiry that lead to them.
namespace autoshard::detail {

/// The result of writing an entity in a transaction.
struct Written {
  std::uint64_t version;  ///< of the entity, once the transaction is committed
  std::size_t bytes;      ///< of its records and those of its indexes; 0: nothing was written
};

/// Announces the reads of the main records of these entities and of the generation of their indexes.
void prefetch_mains(MapperContext& context, Transaction& transaction, const EntityType& type,
                    std::span<const EntityKey> keys);

/// Returns the limits of the keys that are written.
EntryLimits entry_limits(const CommitContext& context, Now now);

/// Writes the records of a new entity, with the first values of its sharded properties. `stored`: its main
/// record, as the transaction has read it. Throws `StaleEntity` if that is an existing entity, `NotUnique`
/// and `KeyTooLong`.
Written put_new_entity(MapperContext& context, Transaction& transaction, const EntityRef& entity,
                       const std::optional<std::string>& stored, Now now);

/// Writes the main record of an entity, new or not, if it differs from the stored one; does not write the
/// entity's updates. Throws the errors of a save.
Written put_entity(MapperContext& context, Transaction& transaction, const EntityRef& entity, Now now);

/// Must be called once the writes of `put_entity` are committed.
void note_written(MapperContext& context, const EntityRef& entity, std::uint64_t version);

}  // namespace autoshard::detail
