#include "read_cache.h"

#include <utility>

namespace autoshard::detail {

std::shared_ptr<const void> ReadCache::read(const EntityType& type, std::string_view key,
                                            Clock::time_point since) {
  Stripe& stripe = stripe_of(key);
  const std::lock_guard lock(stripe.mutex);
  const auto found = stripe.entries.find(key);
  if (found == stripe.entries.end() || found->second.type != &type || found->second.loaded < since)
    return nullptr;
  return found->second.entity;
}

void ReadCache::begin_load(std::string_view key) {
  Stripe& stripe = stripe_of(key);
  const std::lock_guard lock(stripe.mutex);
  auto found = stripe.entries.find(key);
  if (found == stripe.entries.end()) {
    make_room(stripe);
    found = stripe.entries.emplace(key, Entry{}).first;
    stripe.size.store(stripe.entries.size());
  }
  ++found->second.loads;
}

void ReadCache::end_load(const EntityType& type, std::string_view key, Clock::time_point began,
                         std::shared_ptr<const void> entity) {
  Stripe& stripe = stripe_of(key);
  const std::lock_guard lock(stripe.mutex);
  const auto found = stripe.entries.find(key);
  Entry& entry = found->second;
  if (!entry.changed && entity && (!entry.entity || entry.loaded < began)) {
    entry.type = &type;
    entry.entity = std::move(entity);
    entry.loaded = began;
  }
  if (--entry.loads > 0) return;
  entry.changed = false;
  if (entry.entity) return;
  stripe.entries.erase(found);
  stripe.size.store(stripe.entries.size());
}

void ReadCache::drop(std::string_view key) {
  Stripe& stripe = stripe_of(key);
  if (stripe.size.load() == 0) return;
  const std::lock_guard lock(stripe.mutex);
  const auto found = stripe.entries.find(key);
  if (found == stripe.entries.end()) return;
  found->second.entity = nullptr;
  if (found->second.loads > 0) {
    found->second.changed = true;
    return;
  }
  stripe.entries.erase(found);
  stripe.size.store(stripe.entries.size());
}

void ReadCache::make_room(Stripe& stripe) {
  if (stripe.entries.size() < kMost / stripes_.size()) return;
  for (auto entry = stripe.entries.begin(); entry != stripe.entries.end(); ++entry) {
    if (entry->second.loads > 0) continue;
    stripe.entries.erase(entry);
    return;
  }
}

}  // namespace autoshard::detail
