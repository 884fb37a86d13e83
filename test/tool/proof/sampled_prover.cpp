#include "sampled_prover.h"

#include <algorithm>

namespace autoshard::tool {
namespace {

std::string bytes_of(const std::vector<unsigned char>& bytes) {
  return fmt::format("{:02x}", fmt::join(bytes.begin(), bytes.begin() + 48, " "));
}

class Objector {
 public:
  Objector(const RecordingProver& prover, const std::string& scope, clang::CompilerInstance& compiler,
           std::string_view text, std::size_t tries, std::uint64_t seed)
      : prover_(prover), scope_(scope), functions_(compiler, names(), text), tries_(tries), seed_(seed) {}

  Objections run() {
    for (const RecordingProver::Law& law : prover_.laws) {
      if (!law.function.starts_with(scope_)) continue;
      const Sampled sampled = functions_.sample_law(law.function, tries_, seed_);
      const bool is_proved = law.outcome == Proof::Outcome::kProved;
      if (is_proved) {
        note(law.function, sampled);
      } else if (sampled.is_broken && !holds_within(law.function)) {
        found_.against_the_rest.push_back(law.function + " fails for " + bytes_of(sampled.broken));
      }
    }
    for (const RecordingProver::Steps& steps : prover_.steps) {
      const auto loses = [&](std::uint64_t held) {
        const std::uint64_t kept = steps.kept;
        return (held & kept) == kept && ((held >> 32) & kept) != kept;
      };
      for (const std::string& step : steps.functions) {
        if (step.starts_with(scope_) && steps.kept != 0)
          note(step, functions_.sample_bits(step, tries_, seed_, loses));
      }
    }
    for (const RecordingProver::Within& within : prover_.within) {
      const auto fails = [&](std::uint64_t held) {
        return (held & within.given) == within.given && held >> 63 == 0;
      };
      if (within.function.starts_with(scope_))
        note(within.function, functions_.sample_bits(within.function, tries_, seed_, fails));
    }
    return std::move(found_);
  }

 private:
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    const auto add = [&](const std::string& name) {
      if (name.starts_with(scope_) && std::ranges::find(all, name) == all.end()) all.push_back(name);
    };
    for (const RecordingProver::Law& law : prover_.laws) add(law.function);
    for (const RecordingProver::Steps& steps : prover_.steps) {
      for (const std::string& step : steps.functions) add(step);
    }
    for (const RecordingProver::Within& within : prover_.within) add(within.function);
    return all;
  }

  /// Whether the law holds for all values that updates can reach.
  bool holds_within(const std::string& function) const {
    const std::string law = function.substr(0, function.rfind("::"));
    return std::ranges::any_of(prover_.within, [&](const RecordingProver::Within& within) {
      return within.function.substr(0, within.function.rfind("::")) == law;
    });
  }

  void note(const std::string& function, const Sampled& sampled) {
    if (!sampled.obstacle.empty()) return found_.not_sampled.push_back(function + ": " + sampled.obstacle);
    if (sampled.counted == 0) return found_.not_sampled.push_back(function + ": no value counts");
    ++found_.sampled;
    found_.counted += sampled.counted;
    if (sampled.is_broken)
      found_.against_proofs.push_back(function + " is proved, but fails for " + bytes_of(sampled.broken));
  }

  const RecordingProver& prover_;
  const std::string scope_;
  const NativeFunctions functions_;
  const std::size_t tries_;
  const std::uint64_t seed_;
  Objections found_;
};

}  // namespace

Objections objections_to(const RecordingProver& prover, const std::string& scope,
                         clang::CompilerInstance& compiler, std::string_view text, std::size_t tries,
                         std::uint64_t seed) {
  return Objector(prover, scope, compiler, text, tries, seed).run();
}

}  // namespace autoshard::tool
