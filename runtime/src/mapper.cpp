#include <autoshard/errors.h>
#include <autoshard/mapper.h>

#include <exception>
#include <string>
#include <utility>

#include "engine.h"
#include "keys.h"

namespace autoshard {

Mapper::Mapper(Store& store, Options options)
    : engine_(std::make_unique<detail::Engine>(store, std::move(options))) {}

Mapper::~Mapper() { engine_->stop(); }  // whose callbacks may still use this

void Mapper::do_save(const detail::EntityRef& entity) { engine_->save(entity); }

void Mapper::do_save(const std::vector<detail::EntityRef>& entities, const std::vector<std::size_t>& places) {
  std::vector<BatchFailed::Failure> failures = engine_->save(entities);
  if (failures.empty()) return;
  std::string message = std::to_string(failures.size()) + " of " + std::to_string(entities.size()) +
                        " entities could not be saved, all others are; the first: ";
  try {
    std::rethrow_exception(failures.front().error);
  } catch (const std::exception& error) {
    message += error.what();
  } catch (...) {
    message += detail::describe(entities[failures.front().place].key);
  }
  for (BatchFailed::Failure& failure : failures) failure.place = places[failure.place];
  throw BatchFailed(message, std::move(failures));
}

std::vector<bool> Mapper::do_load(const std::vector<detail::EntityRef>& entities) const {
  return engine_->load(entities);
}

std::uint64_t Mapper::do_erase(const detail::EntityType& type, const std::vector<std::string>& keys) {
  return engine_->erase(type, keys);
}

bool Mapper::do_load(const detail::EntityRef& entity) const { return engine_->load(entity); }

std::shared_ptr<const void> Mapper::do_kept(const detail::EntityType& type, const std::string& key,
                                            cached how) const {
  return engine_->kept(type, key, how);
}

bool Mapper::do_load_cached(const detail::EntityType& type, cached how,
                            const std::function<detail::EntityRef()>& make,
                            const std::function<std::shared_ptr<const void>()>& copy) const {
  return engine_->load_cached(type, how, make, copy);
}

void Mapper::do_update(const detail::EntityType& type, const std::string& key, void* shard,
                       std::string_view token) {
  engine_->apply(type, key, shard, token);
}

void Mapper::flush() { engine_->flush(); }

Completion Mapper::do_update_async(const detail::EntityType& type, const std::string& key, void* shard,
                                   std::string_view token) {
  return engine_->update_async(type, key, shard, token);
}

bool Mapper::do_erase(const detail::EntityType& type, const std::string& key) {
  return engine_->erase(type, key);
}

bool Mapper::do_exists(const detail::EntityType& type, const std::string& key) const {
  return engine_->exists(type, key);
}

bool Mapper::do_erase_element(const detail::EntityType& type, const std::string& key, std::size_t place,
                              const std::string& element) {
  return engine_->erase_element(type, key, place, element);
}

void Mapper::do_replace_element(const detail::EntityType& type, const std::string& key, std::size_t place,
                                const std::string& element, const void* container) {
  if (engine_->replace_element(type, key, place, element, container)) return;
  throw NotFound(detail::describe(key) + " has no such element of " + std::string(type.sharded[place].name) +
                 ": it was erased");
}

void Mapper::do_transact(const std::function<void(EntityTransaction&)>& work) { engine_->transact(work); }

void Mapper::do_set_shards(const detail::EntityType& type, const std::string& key, std::size_t place,
                           std::uint32_t shards, bool may_decrease) {
  const detail::ShardedPropertyType& property = type.sharded[place];
  if (property.is_group()) {
    throw InvalidUse("set_shards: " + std::string(property.name) +
                     " is a group, whose number of groups is that of its annotation");
  }
  if (shards > kMostShards) {
    throw InvalidUse("set_shards: " + std::to_string(shards) + " are too many; at most " +
                     std::to_string(kMostShards));
  }
  if (shards == 0 && property.bounds) {
    throw InvalidUse("set_shards: " + std::string(property.name) +
                     " has bounds, which dynamic sharding cannot keep; at least 1");
  }
  engine_->set_shards(type, key, place, [=](std::uint32_t now) {
    const bool are_fewer = now != 0 && (shards == 0 || shards > now);  // 0 stands for any number
    return may_decrease || are_fewer ? shards : now;
  });
}

std::uint32_t Mapper::do_shards(const detail::EntityType& type, const std::string& key,
                                std::size_t place) const {
  return engine_->shards(type, key, place);
}

std::uint64_t Mapper::do_compact(const detail::EntityType& type, const std::string& key) {
  return engine_->compact(type, key);
}

std::uint64_t Mapper::do_compact(const detail::EntityType& type) { return engine_->compact(type); }

std::uint64_t Mapper::do_refresh_indexes(const detail::EntityType& type) {
  return engine_->refresh_indexes(type);
}

std::uint64_t Mapper::refresh_indexes() { return engine_->refresh_indexes(); }

std::uint64_t Mapper::do_build_indexes(const detail::EntityType& type, bool anew) {
  return anew ? engine_->rebuild_indexes(type) : engine_->build_indexes(type);
}

std::uint64_t Mapper::compact() { return engine_->compact(); }

std::vector<HotSpot> Mapper::hot_spots() const { return engine_->hot_spots(); }

void Mapper::adapt(std::chrono::steady_clock::time_point now) { engine_->adapt(now); }

MapperCounters Mapper::counters() const { return engine_->counters(); }

}  // namespace autoshard
