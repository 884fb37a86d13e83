#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>

namespace autoshard::simulation {

/// Of an operation of a run.
using OperationId = std::uint32_t;

/// Which operations took effect, and how often each.
using Effects = std::map<OperationId, std::uint32_t>;

/// What code of the application throws.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// Thrown likewise; derives from nothing.
struct OddError {};

/// Called wherever code of the application runs: methods of entities, folds, hooks, codecs. Throws
/// `UserError` or `OddError` with the probability that was set for the run.
void user_code(const char* where);
void set_user_errors(double probability);

inline Effects fold_effects(Effects x, const Effects& y) {
  user_code("a fold");
  for (const auto& [id, times] : y) x[id] += times;
  return x;
}

}  // namespace autoshard::simulation
