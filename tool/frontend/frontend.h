#pragma once

/// Reads annotated headers with Clang. The result consists of plain values: later stages do not know Clang.

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tool/frontend/parsed.h"

namespace clang {
class CompilerInstance;
}
namespace llvm {
class raw_ostream;
}

namespace autoshard::tool {

struct ParseRequest {
  std::vector<std::string> headers = {};  ///< as the user gave them; parsed together, as one translation unit
  std::string source = {};  ///< that includes the headers and defines methods of their entities, and is
                            ///< parsed in their stead; empty: the headers alone are parsed
  std::set<std::string> defined_elsewhere =
      {};  ///< by method_key(); with `source`, all that it lacks is defined elsewhere
  std::vector<std::string> flags = {};  ///< of any compiler
  std::string directory = {};  ///< absolute; relative paths begin here. Empty: in the working directory
  std::map<std::string, std::string> contents = {};  ///< of files that need not be on disk, by absolute path
  bool ends_process = false;  ///< nothing is done afterwards: memory is not given back piece by piece
  bool candidates = false;    ///< fill Model::candidates, Method::updates and Method::effects
};

class ParsedHeaders : public Parsed {
 public:
  /// Every file that was read, sorted, for a depfile: absolute, or relative to the directory as the flags
  /// gave it.
  virtual std::vector<std::string> files_read() const = 0;

  /// The compiler that has parsed them, for tests that compare the generator with Clang.
  virtual clang::CompilerInstance& compiler() = 0;
};

/// Parses the headers, or the source, and calls `use` once with the result. Clang's own errors in the headers
/// go to `errors`, and then `use` is not called. Returns whether there was no error, neither of Clang nor
/// reported by `use`. If no file can hold an annotation, nothing is parsed: the model has no entities, and
/// there is no evaluator.
bool parse(const ParseRequest& request, llvm::raw_ostream& errors,
           const std::function<void(ParsedHeaders&)>& use);

/// The flags with which the compilation database in `build` compiles something near to `header`. Throws
/// std::runtime_error, which says why, where there is no such database.
std::vector<std::string> flags_from_build(const std::string& build, const std::string& header);

}  // namespace autoshard::tool
