#pragma once

/// Tries laws on samples. Not thread-safe: the evaluator is not.

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>

#include "tool/laws/trial/probe.h"
#include "tool/model/evaluator.h"

namespace autoshard::tool {

/// The most samples in a row that cannot be evaluated. After these, the law is given up: other samples would
/// fail, too.
inline constexpr std::size_t kPatience = 12;

/// The most samples of an entity whose evaluation does all the steps that it may. These take long: a method
/// may never end.
inline constexpr std::size_t kMostOutOfSteps = 24;

/// The result of trying a law on all its samples. `broken` are the arguments of a counterexample.
struct Outcome {
  std::size_t combinations = 0;
  std::size_t tried = 0;
  std::optional<Evaluator::Arguments> broken{};
  std::string problem{};  ///< why the first failed sample could not be evaluated; empty if none failed
};

class Trier {
 public:
  explicit Trier(Evaluator& evaluator) : evaluator_(evaluator) {}

  Outcome run(const Probe::Trial& trial) {
    Outcome outcome;
    std::size_t failed = 0;
    bool gives_up = false;
    const auto count = [&](std::size_t at) { return at < trial.samples.size() ? trial.samples[at] : 1; };
    for (std::size_t i = 0; i < count(0); ++i) {
      for (std::size_t j = 0; j < count(1); ++j) {
        for (std::size_t k = 0; k < count(2); ++k) {
          if (is_left_out(trial, i, j, k)) continue;
          ++outcome.combinations;
          if (gives_up) continue;
          const Evaluator::Arguments arguments = {static_cast<int>(i), static_cast<int>(j),
                                                  static_cast<int>(k)};
          const Evaluator::Value value = evaluator_.call(trial.holds, arguments);
          if (!value.known) {
            if (outcome.problem.empty()) outcome.problem = value.problem;
            if (value.out_of_steps) ++out_of_steps_;
            gives_up = (outcome.tried == 0 && ++failed >= kPatience) ||
                       (value.out_of_steps && out_of_steps_ >= kMostOutOfSteps);
            continue;
          }
          ++outcome.tried;
          if (value.truth) continue;
          outcome.broken = arguments;
          return outcome;
        }
      }
    }
    return outcome;
  }

  /// Returns value number `argument` of a counterexample, as text for readers.
  std::string sample(const Probe::Trial& trial, const Evaluator::Arguments& broken, std::size_t argument) {
    return evaluator_.call(trial.shown[argument], broken).text;
  }
  std::string left(const Probe::Trial& trial, const Evaluator::Arguments& broken) {
    return evaluator_.call(trial.left, broken).text;
  }
  std::string right(const Probe::Trial& trial, const Evaluator::Arguments& broken) {
    return evaluator_.call(trial.right, broken).text;
  }

 private:
  /// Whether a combination is left out. A large sample is combined with the first three samples, one of which
  /// is mostly neutral, and with other large ones. Each pair of samples that may be combined is tried, and
  /// each pair of a value and a call. Not all triples are.
  static bool is_left_out(const Probe::Trial& trial, std::size_t one, std::size_t other, std::size_t call) {
    if (!trial.large_from) return false;
    constexpr std::size_t kFirst = 3, kFewCalls = 4, kCalls = 2, kCallsWithLarge = 5;
    const auto is_large = [&](std::size_t sample) { return sample >= *trial.large_from; };
    const auto is_later = [&](std::size_t sample) { return sample >= kFirst && !is_large(sample); };
    const bool any_large = is_large(one) || is_large(other);
    if (any_large && (is_later(one) || is_later(other))) return true;
    const std::size_t calls = trial.samples.size() < 3 ? 1 : trial.samples[2];
    if (calls <= kFewCalls) return false;
    const std::size_t small = std::min(trial.samples[0], *trial.large_from);
    const std::size_t partners = any_large ? std::min(kFirst, small) : small;
    const std::size_t kept = any_large ? kCallsWithLarge : kCalls;
    return (one + other + call) % calls >= std::max(kept, calls + 1 - std::min(partners, calls));
  }

  Evaluator& evaluator_;
  std::size_t out_of_steps_ = 0;  ///< samples, of all laws
};

}  // namespace autoshard::tool
