#include "tool/pipeline.h"

#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Parallel.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/check/check.h"
#include "tool/emit/emit.h"
#include "tool/examine.h"
#include "tool/frontend/frontend.h"
#include "tool/laws/explain.h"
#include "tool/laws/law_tests.h"
#include "tool/laws/laws.h"
#include "tool/model/model.h"
#include "tool/output/model_dump.h"
#include "tool/output/write.h"
#include "tool/rewrite/format.h"
#include "tool/rewrite/rewrite.h"

namespace autoshard::tool {
namespace {

bool fail(const std::string& problem) {
  llvm::errs() << "autoshard: " << problem << '\n';
  return false;
}

std::filesystem::path absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal();
}

/// The name of the generated form of `file`, as `#include` has it.
std::string include_name(const Job& job, const std::string& file) {
  const std::filesystem::path path = absolute(file);
  std::filesystem::path kept = path.filename();
  if (!job.root.empty()) {
    const std::filesystem::path below = path.lexically_relative(absolute(job.root));
    if (!below.empty() && *below.begin() != "..") kept = below;
  }
  const bool keeps_name = job.drop_in && std::ranges::find(job.sources, file) == job.sources.end();
  return keeps_name ? kept.generic_string() : generated_name(kept.generic_string());
}

/// Where the generated form of `file` goes.
std::string output_path(const Job& job, const std::string& file) {
  return (std::filesystem::path(job.output_folder) / include_name(job, file)).generic_string();
}

/// `file` as the generated form at `output` includes it: relative, so that both can move together.
std::string path_from(const std::string& output, const std::string& file) {
  const std::filesystem::path folder = std::filesystem::weakly_canonical(absolute(output).parent_path());
  return std::filesystem::weakly_canonical(absolute(file)).lexically_relative(folder).generic_string();
}

/// The generated form of `model.files[file]`, to be written to `output`.
std::string generated_form(const Job& job, const Model& model, std::uint32_t file,
                           const std::string& output) {
  const SourceFile& given = model.files[file];
  if (!given.is_source && !is_rewritten(model, file))
    return forwarding_header(absolute(given.path).filename().string(), path_from(output, given.path));
  return rewrite(model, file, job.drop_in ? Includes::kAsWritten : Includes::kOfGenerated);
}

/// The problem with what would be written where, if there is one.
std::optional<std::string> collision(const Job& job, const std::vector<OutputFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const std::string& header : job.headers) {
      std::error_code is_not_there;
      if (std::filesystem::equivalent(outputs[i].path, header, is_not_there))
        return "'" + outputs[i].path + "' would replace the original; generate into another folder (-o)";
    }
    const auto same = [&](const OutputFile& other) { return other.path == outputs[i].path; };
    if (std::any_of(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      return "two files would both become '" + outputs[i].path +
             "'; keep their subfolders with --root, or generate them into different folders";
    }
  }
  return std::nullopt;
}

OutputFile generate_law_tests(const Job& job, const Model& model) {
  std::vector<std::string> includes;
  for (const std::string& header : job.headers) includes.push_back(include_name(job, header));
  const std::string text = law_tests(model, includes);
  const EditedText unformatted{text, {{0, static_cast<std::uint32_t>(text.size())}}};
  return {job.law_tests, format(unformatted, model.files.front().path, model.files.front().text)};
}

/// What `unit` becomes: a source, or all headers where it is empty.
std::vector<OutputFile> generate(const Job& job, const Model& model, const std::string& unit) {
  if (job.dump_model || job.explain) return {};
  if (!job.law_tests.empty())
    return unit.empty() ? std::vector{generate_law_tests(job, model)} : std::vector<OutputFile>();
  std::vector<std::uint32_t> rewritten;
  for (std::uint32_t file = 0; file < model.files.size(); ++file) {
    const SourceFile& given = model.files[file];
    if (given.is_input && (unit.empty() || given.path == unit)) rewritten.push_back(file);
  }
  // Formatting takes its time, and the files have nothing to do with one another.
  std::vector<OutputFile> outputs(rewritten.size());
  llvm::parallelFor(0, rewritten.size(), [&](std::size_t at) {
    const std::uint32_t file = rewritten[at];
    std::string path = output_path(job, model.files[file].path);
    outputs[at] = {path, generated_form(job, model, file, path)};
  });
  return outputs;
}

/// The kind of each entity, its class and its header, for the check that no two classes in a program have one
/// kind.
std::string kinds_of(const Model& model) {
  llvm::json::Array kinds;
  for (const Entity& entity : model.entities)
    kinds.push_back(llvm::json::Object{{"kind", llvm::json::fixUTF8(entity.kind)},
                                       {"class", entity.qualified_name},
                                       {"header", model.files[entity.span.file].path}});
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(kinds)));
}

std::string dependency_rule(const Job& job, const std::vector<OutputFile>& outputs,
                            const std::set<std::string>& inputs) {
  std::vector<std::string> targets;
  if (!job.depfile_target.empty()) targets.push_back(job.depfile_target);
  if (targets.empty()) std::ranges::transform(outputs, std::back_inserter(targets), &OutputFile::path);
  return depfile(targets, {inputs.begin(), inputs.end()});
}

/// What one translation unit leaves to the next.
struct Progress {
  std::set<std::string> defined{};  ///< the shard methods that sources define
  Verdicts verdicts{};              ///< on the laws of what they define
  std::vector<OutputFile> outputs{};
  std::optional<OutputFile> kinds{};
  std::set<std::string> files_read{};
};

/// The stages for one unit: a source, or the headers together where it is empty. Whatever is wrong has been
/// said when it returns false.
bool take(const Job& job, const std::string& unit, Progress& progress) {
  ParseRequest request;
  request.headers = job.headers;
  request.source = unit;
  request.defined_elsewhere = progress.defined;
  request.flags = job.flags;
  request.ends_process = job.ends_process && unit.empty();  // the last one
  return parse(request, llvm::errs(), [&](ParsedHeaders& parsed) {
    const Model& model = parsed.model();
    const std::optional<Model> part =
        unit.empty() ? std::nullopt : std::optional(part_defined_in(model, unit));
    const Model& concerned = part ? *part : model;
    Evaluator* const evaluator = job.dump_model || model.entities.empty() ? nullptr : &parsed.evaluator();
    const Examination found = examine(model, concerned, evaluator, job.control, progress.verdicts);
    parsed.report(found.problems);
    if (unit.empty() && job.explain) llvm::outs() << explain(found.laws);
    if (has_errors(found.problems)) return;
    if (unit.empty() && job.dump_model) llvm::outs() << dump(model);
    progress.defined.merge(defined_outside(model));
    progress.verdicts.merge(verdicts_of(found.laws));
    std::ranges::move(generate(job, model, unit), std::back_inserter(progress.outputs));
    if (unit.empty() && !job.kinds.empty()) progress.kinds = OutputFile{job.kinds, kinds_of(model)};
    for (std::string& file : parsed.files_read()) progress.files_read.insert(std::move(file));
  });
}

}  // namespace

bool run(const Job& job) {
  if (const std::string problem = problem_with(job.control); !problem.empty()) return fail(problem);
  Progress progress;
  // What sources define, the headers need not.
  for (const std::string& source : job.sources) {
    if (!take(job, source, progress)) return false;
  }
  if (!take(job, "", progress)) return false;
  llvm::outs().flush();
  if (job.dump_model || job.explain) return true;

  if (const auto problem = collision(job, progress.outputs)) return fail(*problem);
  if (!job.depfile.empty())
    progress.outputs.push_back({job.depfile, dependency_rule(job, progress.outputs, progress.files_read)});
  if (progress.kinds) progress.outputs.push_back(std::move(*progress.kinds));
  if (const std::string problem = write_if_changed(progress.outputs); !problem.empty()) return fail(problem);
  return true;
}

std::optional<std::vector<Replacement>> run_in_place(Parsed& source, const InPlaceJob& job) {
  const Examination found =
      examine(source.model(), source.model(), job.has_errors ? nullptr : &source.evaluator(), job.control);
  if (!job.has_errors) source.report(found.problems);
  if (has_errors(found.problems)) return std::nullopt;

  Model model = source.model();
  for (std::uint32_t file = 0; file < model.files.size(); ++file) {
    model.files[file].form = file == job.main_file ? Form::kMainInPlace : Form::kIncludedInPlace;
  }
  std::vector<Replacement> replacements;
  for (std::uint32_t file = 0; file < model.files.size(); ++file) {
    if (!model.files[file].is_input) continue;
    if (auto text = rewrite_in_place(model, file)) replacements.push_back({file, std::move(*text)});
  }
  return replacements;
}

}  // namespace autoshard::tool
