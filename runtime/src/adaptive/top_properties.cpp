#include "adaptive/top_properties.h"

#include <algorithm>
#include <functional>

namespace autoshard::detail {
namespace {

/// Two properties of the same hash would count as one: of 2^64 that is no concern.
std::uint64_t hash(const PropertyRef& property) {
  const std::hash<std::string_view> of;
  return of(property.entity) ^ (of(property.name) * 0x9E3779B97F4A7C15);
}

}  // namespace

Activity& TopProperties::at(const PropertyRef& property, double amount) {
  const std::size_t i = find(property);
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
  const auto [found, is_new] = index_.try_emplace(its_hash, places_.size());
  if (!is_new) return found->second;
  if (places_.size() < most_) {
    places_.push_back({{std::string(property.entity), std::string(property.name)}, {}, 0});
    ranks_.push_back(0);
    return found->second;
  }
  const auto least =
      static_cast<std::size_t>(std::min_element(ranks_.begin(), ranks_.end()) - ranks_.begin());
  Place& place = places_[least];
  index_.erase(hash({.entity = place.id.entity, .name = place.id.property}));
  place.id.entity = property.entity;
  place.id.property = property.name;
  place.activity = {};
  place.writers = 0;
  return found->second = least;
}

void TopProperties::clear() {
  places_.clear();
  ranks_.clear();
  index_.clear();
}

}  // namespace autoshard::detail
