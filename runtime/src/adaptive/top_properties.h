#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "window.h"

namespace autoshard::detail {

/// Finds the properties to which most happens, in memory for so many of them, however many there are
/// (Space-Saving, Metwally et al. 2005): whichever is not among them takes the place of the one that least
/// has happened to, and its rank. So every property that more happens to than the average over all places
/// is among them; what happened to it before it was is not known. For one thread.
class TopProperties {
 public:
  struct Place {
    PropertyId id;
    Activity activity;          ///< since it is here
    std::uint64_t writers = 0;  ///< a bit for each that was seen, by its number modulo 64
  };

  explicit TopProperties(std::size_t places) : most_(places) {}

  /// The place of a property to which `amount` more has happened.
  Activity& at(const PropertyRef& property, double amount);

  const std::vector<Place>& places() const { return places_; }
  void clear();

 private:
  std::size_t find(const PropertyRef& property);

  const std::size_t most_;
  std::vector<Place> places_;
  std::vector<double> ranks_;  // of the places; apart from them, for many are looked through
  std::unordered_map<std::uint64_t, std::size_t> index_;  // of places, by the hash of what is there
};

}  // namespace autoshard::detail
