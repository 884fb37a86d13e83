/* Shared by all of the old code. */
#ifndef COMMON_UNITS_H
#define COMMON_UNITS_H

#include <cmath>

namespace units {

struct Kilograms {
  double value;
};

inline Kilograms operator+(Kilograms a, Kilograms b) { return Kilograms{a.value + b.value}; }
inline double rounded(Kilograms k) { return std::floor(k.value * 1000.0 + 0.5) / 1000.0; }

}  // namespace units

#endif
