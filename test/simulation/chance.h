#pragma once

#include <cstddef>
#include <cstdint>

#include "scheduler.h"

namespace autoshard::simulation {

/// Random numbers of a plan. Two with the same seed draw the same.
class Chance {
 public:
  explicit Chance(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t bits = state_ += 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    return bits ^ bits >> 31;
  }
  template <class T = std::uint64_t>
  T below(T bound) {
    return static_cast<T>(bits() % static_cast<std::uint64_t>(bound));
  }
  bool one_in(std::uint64_t number) { return below(number) == 0; }
  template <class T, std::size_t kSize>
  T of(const T (&values)[kSize]) {
    return values[below(kSize)];
  }
  Time upto(Time most) { return Time(below(most.count() + 1)); }

 private:
  std::uint64_t state_;
};

}  // namespace autoshard::simulation
