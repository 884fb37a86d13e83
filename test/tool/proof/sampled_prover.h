#pragma once

/// Notes what a prover proves, and tries it on random values in machine code.

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native.h"
#include "tool/model/prover.h"

namespace autoshard::tool {

/// Passes everything on to another prover.
class RecordingProver : public Prover {
 public:
  explicit RecordingProver(Prover& prover) : prover_(prover) {}

  struct Law {
    std::string function;
    Proof::Outcome outcome = Proof::Outcome::kOpen;
  };
  struct Steps {
    std::vector<std::string> functions;
    std::uint64_t kept = 0;
  };
  struct Within {
    std::string function;
    std::uint64_t given = 0;
  };

  std::vector<Proof> prove(const std::vector<std::string>& functions) override {
    std::vector<Proof> proofs = prover_.prove(functions);
    for (std::size_t at = 0; at < functions.size(); ++at) laws.push_back({functions[at], proofs[at].outcome});
    return proofs;
  }

  bool is_defined(const std::string& function) override { return prover_.is_defined(function); }

  std::uint64_t kept(const std::vector<std::string>& functions, unsigned candidates) override {
    const std::uint64_t found = prover_.kept(functions, candidates);
    steps.push_back({functions, found});
    return found;
  }

  bool holds_within(const std::string& law, std::uint64_t given) override {
    const bool holds = prover_.holds_within(law, given);
    if (holds) within.push_back({law, given});
    return holds;
  }

  std::vector<Law> laws;
  std::vector<Steps> steps;
  std::vector<Within> within;

 private:
  Prover& prover_;
};

/// What random values say against the proofs of the functions in one scope.
struct Objections {
  std::vector<std::string> against_proofs;    ///< a proof is wrong
  std::vector<std::string> against_the_rest;  ///< a law that was not proved fails
  std::size_t sampled = 0;                    ///< proofs
  std::size_t counted = 0;                    ///< values
  std::vector<std::string> not_sampled;       ///< proofs, with the reason
};

/// Runs the machine code in a child process.
Objections objections_to(const RecordingProver& prover, const std::string& scope,
                         clang::CompilerInstance& compiler, std::string_view text, std::size_t tries,
                         std::uint64_t seed);

}  // namespace autoshard::tool
