#include "top_properties.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "check.h"

namespace autoshard::detail {
namespace {

/// Two properties with the same hash count as one; with 2^64 values that is negligible.
std::uint64_t hash(const PropertyRef& property) {
  const std::hash<std::string_view> of;
  return of(property.entity.bytes()) ^ (of(property.name) * 0x9E3779B97F4A7C15);
}

}  // namespace

Activity& TopProperties::at(const PropertyRef& property, double amount) {
  const std::size_t i = find(property);
  AUTOSHARD_CHECK(amount >= 0 && places_.size() <= most_ && places_.size() == ranks_.size() &&
                      places_.size() == index_.size(),
                  {"amount", amount}, {"places", places_.size()}, {"names", index_.size()});
  ranks_[i] += amount;
  Place& place = places_[i];
  place.writers |= std::uint64_t{1} << property.writer % 64;
  Activity& activity = place.activity;
  activity.shards = property.shards;
  activity.least = property.allowed.least;
  activity.most = property.allowed.most;
  activity.type = property.type;
  return activity;
}

std::size_t TopProperties::find(const PropertyRef& property) {
  const std::uint64_t its_hash = hash(property);
  if (const auto found = index_.find(its_hash); found != index_.end()) return found->second;
  // All allocations come first, so that nothing has changed if one fails.
  PropertyId id{EntityKey(property.entity), std::string(property.name)};
  if (places_.size() < most_) {
    places_.reserve(most_);
    ranks_.reserve(most_);
    index_.emplace(its_hash, places_.size());
    places_.push_back({std::move(id), {}, 0});
    ranks_.push_back(0);
    return places_.size() - 1;
  }
  const auto least =
      static_cast<std::size_t>(std::min_element(ranks_.begin(), ranks_.end()) - ranks_.begin());
  index_.emplace(its_hash, least);
  const PropertyId gone = std::exchange(places_[least].id, std::move(id));
  index_.erase(hash({.entity = gone.entity, .name = gone.property}));
  places_[least].activity = {};
  places_[least].writers = 0;
  return least;
}

void TopProperties::clear() {
  places_.clear();
  ranks_.clear();
  index_.clear();
}

}  // namespace autoshard::detail
