#include "tool/suggest.h"

#include <llvm/Support/raw_ostream.h>

#include <filesystem>
#include <optional>

#include "tool/advise/advise.h"
#include "tool/advise/annotate.h"
#include "tool/advise/objections.h"
#include "tool/advise/report.h"
#include "tool/frontend/frontend.h"
#include "tool/output/fail.h"
#include "tool/output/write.h"
#include "tool/pipeline.h"
#include "tool/text/changes.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

/// Returns the headers with the annotations of `advice`.
std::vector<OutputFile> annotated(const Model& model, const std::vector<ClassAdvice>& advice) {
  std::vector<OutputFile> headers;
  for (std::uint32_t file = 0; file < model.files.size(); ++file) {
    const SourceFile& source = model.files[file];
    if (!source.is_input) continue;
    headers.push_back({source.path, apply_changes(source.text, annotations(model, advice, file)).text});
  }
  return headers;
}

/// Runs the stages on the annotated headers, in memory. A problem is an objection to a suggestion, or else it
/// is reported. Returns nothing if a problem was reported, or if the headers do not compile.
std::optional<std::vector<Objection>> try_out(const SuggestJob& job, const Model& model,
                                              const std::vector<ClassAdvice>& advice) {
  ParseRequest request{.headers = job.headers, .flags = job.flags};
  for (const OutputFile& header : annotated(model, advice))
    request.contents[std::filesystem::absolute(header.path).lexically_normal().string()] = header.text;
  Trial trial;
  const bool parsed = parse(request, llvm::errs(), [&](Parsed& source) {
    trial =
        judge_suggestions(advice, source.model(), compile(source, job.control, {}, Scrutiny::kLaws).problems);
    source.report(trial.unrelated);
  });
  if (!parsed) return std::nullopt;
  return trial.objections;
}

}  // namespace

bool suggest(const SuggestJob& job) {
  if (const std::string problem = problem_with(job.control); !problem.empty()) return fail(problem);
  Model model;
  const ParseRequest request{.headers = job.headers, .flags = job.flags, .candidates = true};
  if (!parse(request, llvm::errs(), [&](Parsed& source) { model = source.model(); })) return false;

  std::vector<Objection> objections;
  std::vector<ClassAdvice> advice;
  for (bool settled = false; !settled;) {
    advice = advise(model, objections);
    const auto more = try_out(job, model, with_provisional_ids(advice));
    if (!more) return false;
    settled = more->empty();
    objections.insert(objections.end(), more->begin(), more->end());
  }

  llvm::outs() << (advice.empty() ? "nothing to suggest\n" : report(model, advice));
  if (job.fix) {
    llvm::outs().flush();
    const std::string problem = write_in_place(annotated(model, advice));
    if (!problem.empty()) return fail(problem);
    std::size_t written = 0;
    for (std::uint32_t file = 0; file < model.files.size(); ++file) {
      const std::size_t added = annotations(model, advice, file).size();
      written += added;
      if (added > 0)
        llvm::outs() << "\nwrote " << count(added, "annotation") << " into " << model.files[file].path
                     << '\n';
    }
    if (written == 0 && !advice.empty()) llvm::outs() << "\nwrote nothing\n";
    llvm::outs().flush();
    return true;
  }
  for (std::uint32_t file = 0; file < model.files.size(); ++file) {
    const std::string difference = unified(model.files[file], annotations(model, advice, file));
    if (!difference.empty()) llvm::outs() << '\n' << difference;
  }
  llvm::outs().flush();
  return true;
}

}  // namespace autoshard::tool
