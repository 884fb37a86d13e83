#pragma once

/// Functions of a probe as machine code, called with random values. It comes out of Clang without any
/// optimisation, so it shares nothing with the prover but the functions themselves.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace clang {
class CompilerInstance;
}

namespace autoshard::tool {

/// How a function fared on random values.
struct Sampled {
  std::size_t counted = 0;              ///< calls that returned, and did nothing without meaning
  std::vector<unsigned char> broken{};  ///< the first values that were objected to
  bool is_broken = false;
  std::string obstacle{};  ///< why it was not called
};

/// Functions that take a `const unsigned char*` to as many bytes as they read, as the evaluator compiled
/// them. Calls that throw, end the program, run for too long, or do what has no meaning in C++ count for
/// nothing.
class NativeFunctions {
 public:
  /// `text` holds numbers that are worth trying.
  NativeFunctions(clang::CompilerInstance& compiler, const std::vector<std::string>& names,
                  std::string_view text);
  NativeFunctions(const NativeFunctions&) = delete;
  NativeFunctions& operator=(const NativeFunctions&) = delete;
  ~NativeFunctions();

  /// Calls `name`, which returns bool, until it returns false.
  Sampled sample_law(const std::string& name, std::size_t tries, std::uint64_t seed) const;

  /// Calls `name`, which returns 64 bits, until `objects` to them.
  Sampled sample_bits(const std::string& name, std::size_t tries, std::uint64_t seed,
                      const std::function<bool(std::uint64_t)>& objects) const;

 private:
  class Code;
  std::unique_ptr<Code> code_;
};

}  // namespace autoshard::tool
