#pragma once

/// The stages of the generator in their order: from annotated headers, and the sources that belong to them,
/// to files on disk; and from what a compiler is about to compile to what it compiles instead.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/check/control.h"
#include "tool/frontend/parsed.h"
#include "tool/laws/laws.h"
#include "tool/rewrite/in_place.h"

namespace autoshard::tool {

/// Whether annotations are right.
struct Compiled {
  Diagnostics problems;
  /// Of the classes that the unit defines, or defines methods of; none where a rule is broken. They point
  /// into the model that was read, or into `part`.
  std::vector<EntityLaws> laws;
  std::unique_ptr<const Model> part;  ///< of the model, where a source was read
};

/// How much is asked of the annotations.
enum class Scrutiny {
  kRules,   ///< what the model alone tells
  kLaws,    ///< and what running the user's functions in the compiler tells
  kProofs,  ///< and that each law is proved, tested or trusted
};

/// The stages between reading and generating: applies every rule, and where none is broken, has the compiler
/// look at the values of arguments, and tries the laws. `known` is what earlier units told of the laws.
Compiled compile(Parsed& parsed, const Control& control, const Verdicts& known = {},
                 Scrutiny scrutiny = Scrutiny::kProofs);

/// What a run makes of annotated headers.
enum class Product {
  kHeaders,      ///< files: the generated forms of headers and sources
  kLawTests,     ///< a file: a source of GoogleTest
  kModel,        ///< print what was read, as JSON
  kExplanation,  ///< print what becomes of the entities
  kLaws,         ///< print what is known of their laws, as JSON
};

/// What one run is asked to do.
struct Job {
  std::string program = "autoshard";  ///< how the generator was started
  std::vector<std::string> headers;
  std::vector<std::string> sources{};  ///< that define shard methods of classes in the headers
  std::vector<std::string> flags{};    ///< of the compiler that the headers are meant for
  Product product = Product::kHeaders;
  std::string output_folder = ".";
  std::string root{};            ///< headers below it keep their subfolders in the output; empty: none do
  std::string depfile{};         ///< empty: none is written
  std::string depfile_target{};  ///< what depends on the headers; empty: the generated files
  std::string kinds{};      ///< becomes a list of the kinds of the entities, in JSON; empty: none is written
  std::string law_tests{};  ///< where they go
  bool drop_in = false;     ///< generated headers have the names of the original ones
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

/// Runs the stages on what was read from within a compiler. Where the compiler has errors of its own to tell,
/// nothing is reported, and no law is tried. Returns what is to be replaced, or nothing where an annotation
/// is wrong.
std::optional<std::vector<Replacement>> run_in_place(Parsed& source, const Control& control,
                                                     bool compiler_has_errors = false);

}  // namespace autoshard::tool
