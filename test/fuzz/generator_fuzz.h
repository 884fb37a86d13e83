#pragma once

/// Gives headers to the generator, and what it makes of them to compilers.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grammar.h"
#include "support/temporary_folder.h"

namespace autoshard::test {

/// What the generator must not do.
enum class Fault {
  kCrash,          ///< or hang
  kSilence,        ///< refuses without an error that has a place in the header
  kLeftover,       ///< writes something although it refuses
  kDoesNotCompile  ///< what it wrote, or the use of that
};

struct Finding {
  Fault fault;
  std::string header;
  std::string output;  ///< of the generator, or the compiler
};

std::string describe(const Finding& finding);

/// Where the generator runs. A child process survives its crash; what searches by coverage needs it here.
enum class Process { kChild, kOwn };

class GeneratorFuzz {
 public:
  /// Compiles the standard library's headers once, for all cases.
  explicit GeneratorFuzz(Process process);

  /// Generates the headers of `cases`, which have different names, and compiles what is accepted with Clang.
  std::optional<Finding> try_cases(const std::vector<Case>& cases);

  /// Compiles everything that was accepted since the last call with GCC. What GCC does not take as it was
  /// written, either, is none of the generator's business.
  std::optional<Finding> try_gcc();

  std::size_t accepted() const { return accepted_count_; }

 private:
  struct Run {
    int status = 0;  ///< of the exit; negative after a signal
    std::string output;
  };

  std::optional<Finding> try_together(std::vector<const Case*> cases);
  std::optional<Finding> blame(const std::vector<const Case*>& cases, Fault fault, const std::string& output);
  Run generate(const std::vector<const Case*>& cases) const;
  Run compile(const std::string& compiler, const std::string& text) const;
  std::string use_of(const std::vector<const Case*>& cases) const;
  void compile_once(const std::string& name, const std::string& text) const;

  Process process_;
  const TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
  std::vector<Case> accepted_;
  std::size_t accepted_count_ = 0;
};

}  // namespace autoshard::test
