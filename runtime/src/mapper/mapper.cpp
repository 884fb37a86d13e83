#include <autoshard/mapper.h>

#include <utility>

#include "mapper_core.h"

namespace autoshard {

namespace detail {

void update(MapperCore& core, const EntityType& type, EntityKeyView key, void* shard,
            const std::string_view& token) {
  core.updates.apply(type, key, shard, token);
}

Completion update_async(MapperCore& core, const EntityType& type, EntityKeyView key, void* shard,
                        std::string_view token) {
  return core.updates.update_async(type, key, shard, token);
}

}  // namespace detail

Mapper::Mapper(Store& store, Options options)
    : core_(std::make_unique<detail::MapperCore>(store, std::move(options))) {}

Mapper::~Mapper() { core_->stop(); }  // callbacks may still use this mapper

void Mapper::flush() { core_->updates.flush(); }

}  // namespace autoshard
