#pragma once

/// A prover of laws, as these see it.

#include <cstdint>
#include <string>
#include <vector>

namespace autoshard::tool {

/// Whether a function returns true for all input.
struct Proof {
  enum class Outcome {
    kProved,
    kRefuted,
    kOpen,  ///< neither could be shown
  };
  Outcome outcome = Outcome::kOpen;
  std::vector<unsigned char> input{};  ///< refuted: for which the function returns false
  std::string obstacle{};              ///< open: what the prover does not follow
  bool rounds = false;                 ///< proved: if sums and products of floating-point numbers were exact
};

/// Proves what functions that were compiled by the evaluator return. Each of them takes a `const unsigned
/// char*` to as many bytes as it reads, and returns bool.
///
/// What has no meaning in C++ counts for nothing: input for which a signed number overflows, an index is out
/// of bounds, or a variable is read before it is set. Nor does a floating-point number that is none. Loops
/// are taken to end. Input for which the function throws or ends the program counts for nothing, either.
class Prover {
 public:
  virtual ~Prover() = default;

  /// A proof for each of `functions`, which are qualified names. It is cheaper to ask for several at once.
  /// The same input gives the same proof on each machine: the limit is one of steps, not of time.
  virtual std::vector<Proof> prove(const std::vector<std::string>& functions) = 0;

  /// Whether `function`, which is as in prove(), returns for all input, and does nothing without meaning.
  virtual bool is_defined(const std::string& function) = 0;

  /// The greatest set of `candidates` properties that every step keeps, bit by bit. Each step is a function
  /// that returns which of them hold before it, from bit 0 on, and after it, from bit 32 on. Its second
  /// argument tells which of them are asked about: if any of these does not hold before, the rest may be 0.
  virtual std::uint64_t kept(const std::vector<std::string>& steps, unsigned candidates) = 0;

  /// Whether `law` holds wherever the properties in `given` do: it returns which of them do, and whether it
  /// holds in bit 63. Its second argument is as that of a step.
  virtual bool holds_within(const std::string& law, std::uint64_t given) = 0;
};

}  // namespace autoshard::tool
