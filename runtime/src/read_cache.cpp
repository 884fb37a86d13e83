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
  if (entry.entity) {
    make_room(stripe);
  } else {
    stripe.entries.erase(found);
  }
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

/// Of the next few the oldest goes: nearly as good as the oldest of all, and nothing has to be kept in order.
void ReadCache::make_room(Stripe& stripe) {
  Entries& entries = stripe.entries;
  if (entries.size() <= kMost / stripes_.size()) return;
  const std::string* oldest = nullptr;
  Clock::time_point loaded;
  const std::size_t buckets = entries.bucket_count();
  for (std::size_t looked_at = 0, i = 0; looked_at < kLookedAt && i < buckets; ++i) {
    stripe.next = (stripe.next + 1) % buckets;
    for (auto entry = entries.cbegin(stripe.next); entry != entries.cend(stripe.next); ++entry) {
      if (entry->second.loads > 0) continue;
      ++looked_at;
      if (oldest && entry->second.loaded >= loaded) continue;
      oldest = &entry->first;
      loaded = entry->second.loaded;
    }
  }
  if (oldest) entries.erase(entries.find(*oldest));
}

}  // namespace autoshard::detail
