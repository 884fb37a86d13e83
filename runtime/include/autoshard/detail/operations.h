#pragma once

#include <autoshard/cached.h>
#include <autoshard/completion.h>
#include <autoshard/detail/entity_type.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard {
class EntityTransaction;
}

/// The operations of a mapper on entities of any class. The function templates of `Mapper` that call them
/// document their effects and errors. `key` is the key of an entity; `place` is the index of a sharded
/// property in its class.
namespace autoshard::detail {

/// The parts of a mapper; see runtime/src/mapper/mapper_core.h.
struct MapperCore;

void save(MapperCore& core, const EntityRef& entity);
/// `places`: the indexes of the entities in the application's range.
void save(MapperCore& core, const std::vector<EntityRef>& entities, const std::vector<std::size_t>& places);

bool load(MapperCore& core, const EntityRef& entity);
/// Returns for each entity whether it exists.
std::vector<bool> load(MapperCore& core, const std::vector<EntityRef>& entities);
bool exists(MapperCore& core, const EntityType& type, EntityKeyView key);

/// Returns an object of the class, if `load_cached` has kept the entity in this process recently enough; else
/// null.
std::shared_ptr<const void> find_kept(MapperCore& core, const EntityType& type, EntityKeyView key,
                                      cached how);
/// Loads the entity from a shared cache or from the store. `make` makes a new entity to load into, in place
/// of the previous one. `copy` is called for an entity from the store, and makes the copy that is kept.
using MakeEntity = std::function<EntityRef()>;
using CopyEntity = std::function<std::shared_ptr<const void>()>;
bool load_cached(MapperCore& core, const EntityType& type, cached how, const MakeEntity& make,
                 const CopyEntity& copy);

/// May move from the shard. The token may be empty; by reference, so that all arguments fit into registers.
void update(MapperCore& core, const EntityType& type, EntityKeyView key, void* shard,
            const std::string_view& token);
Completion update_async(MapperCore& core, const EntityType& type, EntityKeyView key, void* shard,
                        std::string_view token);

/// With a version, erases the entity only if it was not saved since.
bool erase(MapperCore& core, const EntityType& type, EntityKeyView key, std::uint64_t version = 0);
std::uint64_t erase(MapperCore& core, const EntityType& type, const std::vector<EntityKey>& keys);

/// `element` is the text of an `ElementId`.
bool erase_element(MapperCore& core, const EntityType& type, EntityKeyView key, std::size_t place,
                   std::string_view element);
/// Replaces the element by the only element of the container.
void replace_element(MapperCore& core, const EntityType& type, EntityKeyView key, std::size_t place,
                     std::string_view element, const void* container);

void transact(MapperCore& core, const std::function<void(EntityTransaction&)>& work);

void set_shards(MapperCore& core, const EntityType& type, EntityKeyView key, std::size_t place,
                std::uint32_t shards, bool may_decrease);
std::uint32_t shards(MapperCore& core, const EntityType& type, EntityKeyView key, std::size_t place);

std::uint64_t compact(MapperCore& core, const EntityType& type, EntityKeyView key);
std::uint64_t compact(MapperCore& core, const EntityType& type);
/// Compacts all classes that the program uses with a mapper.
std::uint64_t compact(MapperCore& core);

std::uint64_t build_indexes(MapperCore& core, const EntityType& type);
std::uint64_t rebuild_indexes(MapperCore& core, const EntityType& type);
std::uint64_t refresh_indexes(MapperCore& core, const EntityType& type);
std::uint64_t refresh_indexes(MapperCore& core);

}  // namespace autoshard::detail
