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

/// The operations of a mapper on entities of any class. What each does and throws stands with the function
/// templates of `Mapper` that call it. `key` is that of an entity; `place` is that of a sharded property in
/// its class.
namespace autoshard::detail {

/// What a mapper is made of; see runtime/src/mapper/mapper_core.h.
struct MapperCore;

void save(MapperCore& core, const EntityRef& entity);
/// `places`: those of the entities in what the application has passed.
void save(MapperCore& core, const std::vector<EntityRef>& entities, const std::vector<std::size_t>& places);

bool load(MapperCore& core, const EntityRef& entity);
/// Returns which of them there are.
std::vector<bool> load(MapperCore& core, const std::vector<EntityRef>& entities);
bool exists(MapperCore& core, const EntityType& type, const std::string& key);

/// The entity, an object of that class, if `load_cached` has kept it in this process recently enough.
std::shared_ptr<const void> find_kept(MapperCore& core, const EntityType& type, std::string_view key,
                                      cached how);
/// Loads the entity from a shared cache or from the store. `make` makes a new entity for that, in the place
/// of the one before. `copy` is called for one from the store, and makes the copy that is kept.
using MakeEntity = std::function<EntityRef()>;
using CopyEntity = std::function<std::shared_ptr<const void>()>;
bool load_cached(MapperCore& core, const EntityType& type, cached how, const MakeEntity& make,
                 const CopyEntity& copy);

/// May move from the shard. The token may be empty.
void update(MapperCore& core, const EntityType& type, std::string_view key, void* shard,
            std::string_view token);
Completion update_async(MapperCore& core, const EntityType& type, std::string_view key, void* shard,
                        std::string_view token);

/// With a version, only if the entity was not saved since.
bool erase(MapperCore& core, const EntityType& type, const std::string& key, std::uint64_t version = 0);
std::uint64_t erase(MapperCore& core, const EntityType& type, const std::vector<std::string>& keys);

/// `element` is the text of an `ElementId`.
bool erase_element(MapperCore& core, const EntityType& type, const std::string& key, std::size_t place,
                   std::string_view element);
/// By the only element of the container.
void replace_element(MapperCore& core, const EntityType& type, const std::string& key, std::size_t place,
                     std::string_view element, const void* container);

void transact(MapperCore& core, const std::function<void(EntityTransaction&)>& work);

void set_shards(MapperCore& core, const EntityType& type, const std::string& key, std::size_t place,
                std::uint32_t shards, bool may_decrease);
std::uint32_t shards(MapperCore& core, const EntityType& type, const std::string& key, std::size_t place);

std::uint64_t compact(MapperCore& core, const EntityType& type, const std::string& key);
std::uint64_t compact(MapperCore& core, const EntityType& type);
/// Of all classes that the program uses with a mapper.
std::uint64_t compact(MapperCore& core);

std::uint64_t build_indexes(MapperCore& core, const EntityType& type);
std::uint64_t rebuild_indexes(MapperCore& core, const EntityType& type);
std::uint64_t refresh_indexes(MapperCore& core, const EntityType& type);
std::uint64_t refresh_indexes(MapperCore& core);

}  // namespace autoshard::detail
