#pragma once

/// The generator from annotated headers to files on disk.

#include <string>
#include <vector>

#include "tool/check/control.h"

namespace autoshard::tool {

/// What one run is asked to do.
struct Job {
  std::vector<std::string> headers;
  std::vector<std::string> flags{};  ///< of the compiler that the headers are meant for
  std::string output_folder = ".";
  std::string root{};            ///< headers below it keep their subfolders in the output; empty: none do
  std::string depfile{};         ///< empty: none is written
  std::string depfile_target{};  ///< what depends on the headers; empty: the generated files
  std::string law_tests{};  ///< a source of GoogleTest to be written instead of the headers; empty: none is
  bool dump_model = false;  ///< print the model instead of generating
  bool explain = false;     ///< print what becomes of the entities instead of generating
  Control control{};        ///< of the diagnostics
};

/// Runs every stage. Returns whether all went well; what did not has been said on standard error, and then no
/// file was written.
bool run(const Job& job);

}  // namespace autoshard::tool
