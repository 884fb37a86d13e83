#include "read_cache.h"

#include <utility>

#include "check.h"

namespace autoshard::detail {

std::shared_ptr<const void> ReadCache::read(const EntityType& type, EntityKeyView key,
                                            Clock::time_point since) {
  Stripe& stripe = stripe_of(key);
  const MutexLock lock(stripe.mutex);
  const auto found = stripe.entries.find(key);
  const bool is_kept = found != stripe.entries.end() && found->second.entity && found->second.type == &type &&
                       found->second.loaded >= since;
  ++(is_kept ? stripe.reads.hits : stripe.reads.misses);
  return is_kept ? found->second.entity : nullptr;
}

ReadCache::Reads ReadCache::reads() {
  Reads all;
  for (Stripe& stripe : stripes_) {
    const MutexLock lock(stripe.mutex);
    all.hits += stripe.reads.hits;
    all.misses += stripe.reads.misses;
  }
  return all;
}

void ReadCache::begin_load(EntityKeyView key) {
  Stripe& stripe = stripe_of(key);
  const MutexLock lock(stripe.mutex);
  const auto [entry, is_new] = stripe.entries.try_emplace(EntityKey(key));
  ++entry->second.loads;
  stripe.size.fetch_add(is_new ? 1 : 0, std::memory_order_acq_rel);
}

void ReadCache::end_load(const EntityType& type, EntityKeyView key, Clock::time_point began,
                         std::shared_ptr<const void> entity) {
  Stripe& stripe = stripe_of(key);
  const MutexLock lock(stripe.mutex);
  const auto found = stripe.entries.find(key);
  AUTOSHARD_CHECK(found != stripe.entries.end() && found->second.loads > 0, {"entity", key});
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
    erase(stripe, found);
  }
}

/// Takes no lock if the stripe is empty. That misses no load in progress. All accesses to `size` are atomic
/// read-modify-write operations, so they have a total order, and each one synchronizes with the next. If
/// `begin_load` comes first, its entry is counted in `size` until it is erased. If `begin_load` comes after
/// the access here, the commit, which came earlier still, happened before the load reads the store, so the
/// load sees it.
void ReadCache::drop(EntityKeyView key) {
  Stripe& stripe = stripe_of(key);
  if (stripe.size.fetch_add(0, std::memory_order_acq_rel) == 0) return;
  const MutexLock lock(stripe.mutex);
  const auto found = stripe.entries.find(key);
  if (found == stripe.entries.end()) return;
  found->second.entity = nullptr;
  if (found->second.loads > 0) {
    found->second.changed = true;
    return;
  }
  erase(stripe, found);
}

void ReadCache::erase(Stripe& stripe, Entries::iterator entry) {
  AUTOSHARD_CHECK(entry->second.loads == 0, {"entity", entry->first}, {"loads", entry->second.loads});
  stripe.entries.erase(entry);
  stripe.size.fetch_sub(1, std::memory_order_acq_rel);
}

/// Removes the oldest of the next few entries. That is nearly as good as the oldest of all, and needs no
/// order of the entries.
void ReadCache::make_room(Stripe& stripe) {
  Entries& entries = stripe.entries;
  if (entries.size() <= kMost / stripes_.size()) return;
  const EntityKey* oldest = nullptr;
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
  if (oldest) erase(stripe, entries.find(*oldest));
}

}  // namespace autoshard::detail
