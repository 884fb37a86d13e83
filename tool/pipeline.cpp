#include "tool/pipeline.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "tool/check/check.h"
#include "tool/frontend/frontend.h"
#include "tool/laws/argument_value.h"
#include "tool/laws/explain.h"
#include "tool/laws/unproved.h"
#include "tool/output/fail.h"
#include "tool/output/laws_dump.h"
#include "tool/output/model_dump.h"
#include "tool/output/write.h"
#include "tool/outputs.h"
#include "tool/rewrite/rewrite.h"

namespace autoshard::tool {

Compiled compile(Parsed& parsed, const Control& control, const Verdicts& known, Scrutiny scrutiny) {
  const Model& model = parsed.model();
  Compiled result{controlled(check(model), control), {}, part_of_source(model)};
  // Without entities there is nothing to evaluate, and there may be no evaluator.
  if (scrutiny == Scrutiny::kRules || has_errors(result.problems) || model.entities.empty()) return result;
  const Model& judged = result.part ? *result.part : model;
  std::ranges::move(wrong_argument_values(judged, parsed.evaluator()), std::back_inserter(result.problems));
  if (has_errors(result.problems)) return result;
  result.laws = judge(judged, parsed.evaluator(), parsed.prover(), control);
  complete(result.laws, known);
  std::ranges::move(controlled(counterexamples(result.laws), control), std::back_inserter(result.problems));
  if (scrutiny == Scrutiny::kProofs)
    std::ranges::move(controlled(unproved(result.laws, control), control),
                      std::back_inserter(result.problems));
  return result;
}

namespace {

/// Refers to the page of the rule of the first error, which should be corrected first. It is printed only
/// once, because each diagnostic shows its own tag.
void refer_to_rule(const std::string& program, const Diagnostics& problems) {
  const auto is_error = [](const Diagnostic& one) { return one.severity == Diagnostic::Severity::kError; };
  const auto first = std::ranges::find_if(problems, is_error);
  llvm::errs() << "autoshard: for the reason and an example, run: " << program
               << " --explain-rule=" << first->rule << '\n';
}

/// The results of the units so far, for the units after them.
struct Progress {
  std::set<std::string> defined{};  ///< shard methods that sources define
  Verdicts verdicts{};              ///< verdicts on the laws of these methods
  std::vector<OutputFile> outputs{};
  std::optional<OutputFile> kinds{};
  std::set<std::string> files_read{};
};

/// The outputs for `unit`: a source, or the headers together if it is empty.
std::vector<OutputFile> products(const Job& job, const Model& model, const std::vector<EntityLaws>& laws,
                                 const std::string& unit) {
  if (job.product == Product::kHeaders) return generated_files(job, model, unit);
  if (job.product == Product::kLawTests && unit.empty()) return {generated_law_tests(job, model, laws)};
  return {};
}

/// Whether the product is only printed, and no file is written.
bool is_printed(Product product) {
  return product == Product::kModel || product == Product::kExplanation || product == Product::kLaws;
}

/// The checks for `unit`. A law that one unit cannot prove may be proved by a later unit.
Scrutiny scrutiny(const Job& job, const std::string& unit) {
  if (job.product == Product::kModel) return Scrutiny::kRules;
  return unit.empty() && job.product == Product::kHeaders ? Scrutiny::kProofs : Scrutiny::kLaws;
}

/// Runs the stages for one unit. Returns false after errors, which have been reported.
bool take(const Job& job, const std::string& unit, Progress& progress) {
  ParseRequest request;
  request.headers = job.headers;
  request.source = unit;
  request.defined_elsewhere = progress.defined;
  request.flags = job.flags;
  request.ends_process = job.ends_process && unit.empty();  // this is the last unit
  return parse(request, llvm::errs(), [&](ParsedHeaders& parsed) {
    const Compiled compiled = compile(parsed, job.control, progress.verdicts, scrutiny(job, unit));
    parsed.report(compiled.problems);
    if (unit.empty() && job.product == Product::kExplanation) llvm::outs() << explain(compiled.laws);
    if (unit.empty() && job.product == Product::kLaws) llvm::outs() << dump(compiled.laws);
    if (has_errors(compiled.problems)) return refer_to_rule(job.program, compiled.problems);
    if (unit.empty() && job.product == Product::kModel) llvm::outs() << dump(parsed.model());
    progress.defined.merge(defined_outside(parsed.model()));
    progress.verdicts.merge(verdicts_of(compiled.laws));
    std::ranges::move(products(job, parsed.model(), compiled.laws, unit),
                      std::back_inserter(progress.outputs));
    if (unit.empty() && !job.kinds.empty()) progress.kinds = list_of_kinds(job, parsed.model());
    for (std::string& file : parsed.files_read()) progress.files_read.insert(std::move(file));
  });
}

}  // namespace

bool run(const Job& job) {
  if (const std::string problem = problem_with(job.control); !problem.empty()) return fail(problem);
  Progress progress;
  // Sources come first, so that the headers know which methods are defined there.
  for (const std::string& source : job.sources) {
    if (!take(job, source, progress)) return false;
  }
  if (!take(job, "", progress)) return false;
  llvm::outs().flush();
  if (is_printed(job.product)) return true;

  if (const auto problem = collision(job, progress.outputs)) return fail(*problem);
  if (!job.depfile.empty())
    progress.outputs.push_back(dependency_file(job, progress.outputs, progress.files_read));
  if (progress.kinds) progress.outputs.push_back(std::move(*progress.kinds));
  if (const std::string problem = write_if_changed(progress.outputs); !problem.empty()) return fail(problem);
  return true;
}

std::optional<std::vector<Replacement>> run_in_place(Parsed& source, const Control& control,
                                                     bool compiler_has_errors) {
  const Compiled compiled =
      compile(source, control, {}, compiler_has_errors ? Scrutiny::kRules : Scrutiny::kProofs);
  if (!compiler_has_errors) source.report(compiled.problems);
  if (has_errors(compiled.problems)) return std::nullopt;

  const Model& model = source.model();
  std::vector<Replacement> replacements;
  for (std::uint32_t file = 0; file < model.files.size(); ++file) {
    if (!model.files[file].is_input) continue;
    if (auto text = rewrite_in_place(model, file)) replacements.push_back({file, std::move(*text)});
  }
  return replacements;
}

}  // namespace autoshard::tool
