#include "sweep.h"

#include <algorithm>
#include <string>
#include <utility>

#include "entity_expiry.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

/// The number of rounds of the maintenance thread before the first walk.
constexpr int kRoundsBefore = 60;

/// The number of pages or entities in one call, so that other jobs do not wait for long.
constexpr int kSteps = 64;

}  // namespace

std::chrono::seconds Sweep::interval(const EntityType& type) {
  std::chrono::milliseconds shortest = kAtLeastEvery;
  for (const ShardedPropertyType& property : type.sharded) {
    if (property.is_timed()) shortest = std::min(shortest, std::chrono::milliseconds(property.window.last));
  }
  return std::max(std::chrono::duration_cast<std::chrono::seconds>(shortest), kAtMostEvery);
}

/// Another mapper takes over after two intervals without a walk.
Sweep::Sweep(MapperContext& context, const EntityType& type, Lease::Clock clock)
    : context_(context),
      type_(type),
      clock_(std::move(clock)),
      interval_(interval(type)),
      due_(clock_() + kRoundsBefore * context.options.compact_every),
      lease_(context.store, "sweep of " + std::string(type.kind), 2 * interval_, clock_) {}

bool Sweep::has_entities() const {
  const std::string begin = kind_key(type_.kind);
  return context_.store.scan(begin, end_key(begin))->valid();
}

Sweep::Time Sweep::run(const std::function<void(EntityKeyView)>& compact,
                       const std::function<bool()>& goes_on) {
  if (!scan_) {
    const Time now = clock_();
    if (now < due_) return due_;
    if (!has_entities() || !lease_.take()) return due_ = now + interval_;
    context_.has_buckets.store(true, std::memory_order_relaxed);
    scan_.emplace(context_.store, type_, ask_clock(context_.options));
    due_ = now + interval_;
  } else if (!lease_.take()) {  // after a pause longer than the term, another mapper walks
    scan_.reset();
    return due_;
  }
  for (int step = 0; step < kSteps && !scan_->is_at_end(); ++step) {
    if (!goes_on()) return {};
    if (const std::optional<EntityKey> key = scan_->next_in_page()) compact(*key);
  }
  if (!scan_->is_at_end()) return {};
  scan_.reset();
  return due_;
}

}  // namespace autoshard::detail
