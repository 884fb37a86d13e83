#include <autoshard/mapper.h>

#include <utility>

#include "engine.h"

namespace autoshard {

Mapper::Mapper(Store& store, Options options)
    : engine_(std::make_unique<detail::Engine>(store, std::move(options))) {}

Mapper::~Mapper() = default;

void Mapper::do_save(const detail::EntityRef& entity) { engine_->save(entity); }

bool Mapper::do_load(const detail::EntityRef& entity) const { return engine_->load(entity); }

void Mapper::do_update(const detail::EntityType& type, const std::string& key, void* shard) {
  engine_->apply(type, key, shard);
}

void Mapper::flush() { engine_->flush(); }

Completion Mapper::do_update_async(const detail::EntityType& type, const std::string& key, void* shard) {
  return engine_->update_async(type, key, shard);
}

bool Mapper::do_erase(const std::string& key) { return engine_->erase(key); }

bool Mapper::do_exists(const std::string& key) const { return engine_->exists(key); }

void Mapper::do_transact(const std::function<void(EntityTransaction&)>& work) { engine_->transact(work); }

MapperCounters Mapper::counters() const { return engine_->counters(); }

}  // namespace autoshard
