#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "window.h"

namespace autoshard::detail {

/// Finds the most active properties in bounded memory, however many properties there are (Space-Saving,
/// Metwally et al. 2005). A property that has no place takes the place and the rank of the least active one.
/// So every property that is more active than the average over all places has a place. Its activity from
/// before is not known. Used by one thread at a time.
class TopProperties {
 public:
  struct Place {
    PropertyId id;
    Activity activity;          ///< since the property has the place
    std::uint64_t writers = 0;  ///< a bit for each writer seen, by its number modulo 64
  };

  explicit TopProperties(std::size_t places) : most_(places) {}

  /// Returns the activity of a property, to which `amount` is about to be added.
  Activity& at(const PropertyRef& property, double amount);

  const std::vector<Place>& places() const { return places_; }
  void clear();

 private:
  std::size_t find(const PropertyRef& property);

  const std::size_t most_;
  std::vector<Place> places_;
  std::vector<double> ranks_;  // of the places; kept apart from them, because they are searched often
  std::unordered_map<std::uint64_t, std::size_t> index_;  // of places, by the hash of their property
};

}  // namespace autoshard::detail
