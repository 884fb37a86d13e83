#pragma once

/// The stages of the generator in their order: from annotated headers, and the sources that belong to them,
/// to files on disk; and from what a compiler is about to compile to what it compiles instead.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tool/check/control.h"
#include "tool/frontend/parsed.h"
#include "tool/rewrite/in_place.h"

namespace autoshard::tool {

/// What one run is asked to do.
struct Job {
  std::vector<std::string> headers;
  std::vector<std::string> sources{};  ///< that define shard methods of classes in the headers
  std::vector<std::string> flags{};    ///< of the compiler that the headers are meant for
  std::string output_folder = ".";
  std::string root{};            ///< headers below it keep their subfolders in the output; empty: none do
  std::string depfile{};         ///< empty: none is written
  std::string depfile_target{};  ///< what depends on the headers; empty: the generated files
  std::string kinds{};      ///< becomes a list of the kinds of the entities, in JSON; empty: none is written
  std::string law_tests{};  ///< a source of GoogleTest to be written instead of the headers; empty: none is
  bool dump_model = false;  ///< print the model instead of generating
  bool drop_in = false;     ///< generated headers have the names of the original ones
  bool explain = false;     ///< print what becomes of the entities instead of generating
  Control control{};        ///< of the diagnostics
  bool ends_process = false;  ///< memory need not be given back
};

/// Runs every stage. Returns whether all went well; what did not has been said on standard error, and then no
/// file was written.
bool run(const Job& job);

/// A file of the model's, and what the compiler reads instead of it.
struct Replacement {
  std::uint32_t file;
  InPlaceText text;
};

/// What one compilation is asked to do.
struct InPlaceJob {
  std::optional<std::uint32_t> main_file{};  ///< of the model's, if it is one of them
  bool has_errors = false;  ///< of Clang's own, which the compiler tells of: nothing else is said then
  Control control{};        ///< of the diagnostics
};

/// Runs the stages on what was read from within a compiler. Returns what is to be replaced, or nothing where
/// an annotation is wrong, which has been reported.
std::optional<std::vector<Replacement>> run_in_place(Parsed& source, const InPlaceJob& job);

}  // namespace autoshard::tool
