#pragma once

#include <random>
#include <vector>

namespace moderator {

/// Draws the questions that a crowd votes on. The question on rank r is r times less popular than the first
/// one (Zipf's law).
inline std::discrete_distribution<int> popularity(int questions) {
  std::vector<double> weights;
  for (int rank = 1; rank <= questions; ++rank) weights.push_back(1.0 / rank);
  return {weights.begin(), weights.end()};
}

}  // namespace moderator
