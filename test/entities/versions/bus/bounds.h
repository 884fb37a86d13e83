#pragma once

/// The bounds of the class Bus. Tests change them, as releases with other bounds would.
namespace bus {

inline int least = 0, most = 1000;

inline int least_free() { return least; }
inline int most_free() { return most; }

}  // namespace bus
