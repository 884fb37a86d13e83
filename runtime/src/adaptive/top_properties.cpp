#include "adaptive/top_properties.h"

#include <algorithm>
#include <functional>

namespace autoshard::detail {
namespace {

/// Two properties of the same hash would count as one: of 2^64 that is no concern.
std::uint64_t hash(const Target& target) {
  const std::hash<std::string_view> of;
  return of(target.entity) ^ (of(target.property) * 0x9E3779B97F4A7C15);
}

}  // namespace

Activity& TopProperties::at(const Target& target, double amount) {
  const std::size_t i = find(target);
  ranks_[i] += amount;
  Place& place = places_[i];
  place.writers |= std::uint64_t{1} << target.writer % 64;
  Activity& activity = place.activity;
  activity.shards = target.shards;
  activity.least = target.allowed.least;
  activity.most = target.allowed.most;
  activity.type = target.type;
  return activity;
}

std::size_t TopProperties::find(const Target& target) {
  const std::uint64_t of_target = hash(target);
  const auto [found, is_new] = index_.try_emplace(of_target, places_.size());
  if (!is_new) return found->second;
  if (places_.size() < most_) {
    places_.push_back({{std::string(target.entity), std::string(target.property)}, {}, 0});
    ranks_.push_back(0);
    return found->second;
  }
  const auto least =
      static_cast<std::size_t>(std::min_element(ranks_.begin(), ranks_.end()) - ranks_.begin());
  Place& place = places_[least];
  index_.erase(hash({.entity = place.id.entity, .property = place.id.property}));
  place.id.entity = target.entity;
  place.id.property = target.property;
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
