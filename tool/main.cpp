/// The command line of the generator.

#include <llvm/Config/llvm-config.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tool/check/rule.h"
#include "tool/check/rule_pages.h"
#include "tool/frontend/frontend.h"
#include "tool/frontend/proof/clang_prover.h"
#include "tool/large_pages.h"
#include "tool/output/fail.h"
#include "tool/pipeline.h"
#include "tool/suggest.h"

namespace {

namespace cl = llvm::cl;

cl::OptionCategory output_category("Output");
cl::OptionCategory input_category("How the headers are read");
cl::OptionCategory diagnostics_category("Diagnostics");
cl::OptionCategory advice_category("Suggestions");

cl::list<std::string> headers(cl::Positional, cl::desc("<files> [-- <compiler flags>]"),
                              cl::cat(input_category));
cl::opt<std::string> build(
    "p", cl::desc("Take the compiler's flags from the\ncompile_commands.json in this folder"),
    cl::value_desc("build"), cl::cat(input_category));
cl::list<std::string> sources("source",
                              cl::desc("Also rewrite this source, which defines\nmethods of the headers' "
                                       "classes; with --advise,\nlook into it"),
                              cl::value_desc("file"), cl::cat(input_category));
cl::opt<bool> drop_in(
    "drop-in", cl::desc("Keep the headers' names, for an include folder\nthat is searched before theirs"),
    cl::cat(output_category));
cl::opt<std::string> output_folder("o", cl::desc("Where question.autoshard.h goes (default: here)"),
                                   cl::value_desc("dir"), cl::init("."), cl::cat(output_category));
cl::opt<std::string> root("root", cl::desc("Headers below it keep their subfolders\nin the output"),
                          cl::value_desc("dir"), cl::cat(output_category));
cl::opt<std::string> depfile("depfile", cl::desc("Write what the output depends on,\nfor Make and Ninja"),
                             cl::value_desc("file"), cl::cat(output_category));
cl::opt<std::string> depfile_target("depfile-target", cl::desc("The target in it (default: the output)"),
                                    cl::value_desc("name"), cl::cat(output_category));
cl::opt<std::string> kinds("kinds", cl::desc("Write the kinds of the entities, in JSON"),
                           cl::value_desc("file"), cl::cat(output_category));
cl::opt<std::string> law_tests("law-tests",
                               cl::desc("Write a GoogleTest source that tries all laws,\ninstead of headers"),
                               cl::value_desc("file"), cl::cat(output_category));
cl::opt<bool> explain("explain",
                      cl::desc("Print the records, strategies and laws of\neach entity, and write nothing"),
                      cl::cat(output_category));
cl::opt<bool> as_json("json", cl::desc("With --explain: print what is known of the laws,\nas JSON"),
                      cl::cat(output_category));
cl::list<std::string> disabled("disable",
                               cl::desc("Do not report this rule; also written\n-Wno-autoshard-<rule>"),
                               cl::value_desc("rule"), cl::cat(diagnostics_category));
cl::opt<bool> warnings_are_errors("werror", cl::desc("Treat warnings as errors"),
                                  cl::cat(diagnostics_category));
cl::opt<bool> laws_are_tested(
    "laws-are-tested", cl::desc("Do not warn of laws that are not proved, where\nthe law tests try them"),
    cl::cat(diagnostics_category));
cl::opt<bool> list_rules("list-rules", cl::desc("Print all rules, and read no headers"),
                         cl::cat(diagnostics_category));
cl::opt<bool> markdown("markdown", cl::desc("With --list-rules: print tool/RULES.md"),
                       cl::cat(diagnostics_category));
cl::opt<std::string> explain_rule(
    "explain-rule", cl::desc("Print why there is this rule, with an example\nof wrong and of right"),
    cl::value_desc("rule"), cl::cat(diagnostics_category));
cl::opt<bool> dump_model("dump-model", cl::desc("Print what was understood, as JSON,\nand write nothing"),
                         cl::cat(output_category));

cl::opt<bool> advise(
    "advise",
    cl::desc("Find members of classes that are not\nannotated whose updates commute, and print\n"
             "what could be written, why, and what that\ncosts, instead of generating"),
    cl::cat(advice_category));
cl::opt<bool> fix("fix", cl::desc("With --advise: write it into the headers"), cl::cat(advice_category));

constexpr const char* kOverview =
    "generates shard-aware companion classes, question.autoshard.h\n"
    "for question.h. The compiler's flags follow after --, where @file stands for\n"
    "the lines of a file, or come from a build folder; -std=c++20 is the default.\n"
    "Exit code 1: there was an error, and nothing was written.\n";

void print_version(llvm::raw_ostream& out) {
  out << "autoshard " AUTOSHARD_VERSION "\nLLVM " LLVM_VERSION_STRING "\n"
      << (autoshard::tool::has_solver() ? "laws are proved with Z3\n"
                                        : "without a solver: laws are tried on some values\n");
}

/// Hides all options except those of the generator, `--help` and `--version`.
void hide_options_of_llvm() {
  cl::HideUnrelatedOptions({&output_category, &input_category, &diagnostics_category, &advice_category});
  auto& options = cl::getRegisteredOptions(cl::SubCommand::getAll());
  if (const auto help = options.find("help"); help != options.end())
    help->second->setDescription("Show this");
  // LLVM always shows this option again if there are categories.
  if (const auto list = options.find("help-list"); list != options.end()) list->second->removeArgument();
}

/// The flags in a file, one on each line. A line `SHELL:…`, as CMake writes it, has flags that are split as a
/// shell splits them.
std::vector<std::string> flags_in(const std::string& file) {
  std::ifstream lines(file);
  if (!lines) throw std::runtime_error("cannot read " + file);
  std::vector<std::string> flags;
  for (std::string line; std::getline(lines, line);) {
    llvm::StringRef rest = line;
    if (!rest.consume_front("SHELL:")) {
      if (!rest.empty()) flags.push_back(line);
      continue;
    }
    llvm::BumpPtrAllocator memory;
    llvm::StringSaver saver(memory);
    llvm::SmallVector<const char*> words;
    cl::TokenizeGNUCommandLine(rest, saver, words);
    flags.insert(flags.end(), words.begin(), words.end());
  }
  return flags;
}

/// Removes `-- <compiler flags>` from the arguments, and returns these flags.
std::vector<std::string> take_compiler_flags(std::vector<const char*>& arguments) {
  const auto separator = std::ranges::find(arguments, std::string("--"));
  if (separator == arguments.end()) return {};
  std::vector<std::string> flags;
  for (const std::string flag : std::vector<const char*>(separator + 1, arguments.end())) {
    if (flag.starts_with('@')) {
      std::ranges::move(flags_in(flag.substr(1)), std::back_inserter(flags));
    } else {
      flags.push_back(flag);
    }
  }
  arguments.erase(separator, arguments.end());
  return flags;
}

/// Replaces `-Wno-autoshard-<rule>`, the form of compilers, by `--disable=<rule>`.
std::vector<std::string> with_plain_options(const std::vector<const char*>& arguments) {
  constexpr std::string_view kCompilerStyle = "-Wno-autoshard-";
  std::vector<std::string> result;
  for (const std::string argument : arguments) {
    const bool is_control = argument.starts_with(kCompilerStyle);
    result.push_back(is_control ? "--disable=" + argument.substr(kCompilerStyle.size()) : argument);
  }
  return result;
}

int fail(const std::string& problem) {
  autoshard::tool::fail(problem);
  return EXIT_FAILURE;
}

/// The product that the options select; nothing if they exclude each other.
std::optional<autoshard::tool::Product> product() {
  using autoshard::tool::Product;
  if (explain + dump_model + !law_tests.empty() > 1) return std::nullopt;
  if (explain) return as_json ? Product::kLaws : Product::kExplanation;
  if (dump_model) return Product::kModel;
  return law_tests.empty() ? Product::kHeaders : Product::kLawTests;
}

int print(const std::string& text) {
  llvm::outs() << text;
  return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) try {
  autoshard::tool::use_large_pages();
  std::vector<const char*> arguments(argv, argv + argc);
  std::vector<std::string> flags = take_compiler_flags(arguments);
  hide_options_of_llvm();
  cl::SetVersionPrinter(print_version);
  const std::vector<std::string> plain = with_plain_options(arguments);
  std::ranges::transform(plain, arguments.begin(), &std::string::c_str);
  cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(), kOverview);

  namespace tool = autoshard::tool;
  if (list_rules) return print(markdown ? tool::rules_in_markdown() : tool::list_of_rules());
  if (markdown) return fail("--markdown goes with --list-rules; see --help");
  if (!explain_rule.empty()) {
    const std::string page = tool::page_of_rule(explain_rule);
    return page.empty() ? fail(tool::no_such_rule(explain_rule, "see --list-rules")) : print(page);
  }
  if (as_json && !explain) return fail("--json goes with --explain; see --help");
  if (headers.empty()) return fail("no header given; see --help");
  if (fix && !advise) return fail("--fix goes with --advise; see --help");
  if (!build.empty()) {
    std::vector<std::string> found = autoshard::tool::flags_from_build(build, headers.front());
    flags.insert(flags.begin(), found.begin(), found.end());
  }
  const autoshard::tool::Control control{.warnings_are_errors = warnings_are_errors,
                                         .laws_are_tested = laws_are_tested,
                                         .disabled = {disabled.begin(), disabled.end()}};
  if (advise) {
    std::vector<std::string> files(headers.begin(), headers.end());
    files.insert(files.end(), sources.begin(), sources.end());
    const bool succeeded = autoshard::tool::suggest(
        {.headers = std::move(files), .flags = std::move(flags), .fix = fix, .control = control});
    return succeeded ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  const auto wanted = product();
  if (!wanted) return fail("--explain, --dump-model and --law-tests exclude each other; see --help");
  const bool succeeded = autoshard::tool::run({.program = argv[0],
                                               .headers = {headers.begin(), headers.end()},
                                               .sources = {sources.begin(), sources.end()},
                                               .flags = std::move(flags),
                                               .product = *wanted,
                                               .output_folder = output_folder,
                                               .root = root,
                                               .depfile = depfile,
                                               .depfile_target = depfile_target,
                                               .kinds = kinds,
                                               .law_tests = law_tests,
                                               .drop_in = drop_in,
                                               .control = control,
                                               .ends_process = true});
  return succeeded ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  return fail(error.what());
}
