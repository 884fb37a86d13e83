#include <autoshard/mapper.h>

#include <utility>

#include "mapper_core.h"

namespace autoshard {

namespace detail {

void update(MapperCore& core, const EntityType& type, std::string_view key, void* shard,
            std::string_view token) {
  core.updates.apply(type, key, shard, token);
}

Completion update_async(MapperCore& core, const EntityType& type, std::string_view key, void* shard,
                        std::string_view token) {
  return core.updates.update_async(type, key, shard, token);
}

}  // namespace detail

Mapper::Mapper(Store& store, Options options)
    : core_(std::make_unique<detail::MapperCore>(store, std::move(options))) {}

Mapper::~Mapper() { core_->stop(); }  // whose callbacks may still use this

void Mapper::flush() { core_->updates.flush(); }

std::uint64_t Mapper::compact() { return detail::compact(*core_); }

std::uint64_t Mapper::refresh_indexes() { return detail::refresh_indexes(*core_); }

std::vector<HotSpot> Mapper::hot_spots() const { return core_->adaptation.hot_spots(); }

void Mapper::adapt(std::chrono::steady_clock::time_point now) { core_->close_window(now); }

MapperCounters Mapper::counters() const {
  const detail::MapperContext& context = core_->context;
  return {.commits = context.commits.load(std::memory_order_relaxed),
          .conflicts = context.conflicts.load(std::memory_order_relaxed),
          .retries = context.retries.load(std::memory_order_relaxed),
          .resolved = context.writers.resolved()};
}

}  // namespace autoshard
