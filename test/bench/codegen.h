#pragma once

#include <string>
#include <vector>

#include "rows.h"

namespace autoshard::bench {

struct CodegenOptions {
  int rounds = 11;
  int headers = 100;                            ///< given to the generator at once
  std::string autoshard = AUTOSHARD_GENERATOR;  ///< the generator
  std::string clang = AUTOSHARD_CLANGXX;        ///< `clang++` of the version that it is built on
  std::string compiler = AUTOSHARD_CXX;         ///< compiles what includes the runtime's headers
};

/// The generator next to `clang++ -fsyntax-only` of the same header with the same flags; a build with it,
/// once all is built, next to one without; and the compilation of a source that saves, applies and loads next
/// to one that only includes `<rocksdb/db.h>`. Times are medians over the rounds, in which all take turns,
/// and of whole processes.
std::vector<Row> run_codegen(const CodegenOptions& options);

}  // namespace autoshard::bench
