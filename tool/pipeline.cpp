#include "tool/pipeline.h"

#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>

#include "tool/check/check.h"
#include "tool/emit/emit.h"
#include "tool/frontend/frontend.h"
#include "tool/laws/explain.h"
#include "tool/laws/laws.h"
#include "tool/model/model.h"
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

/// The name of the generated form of `header`, as `#include` has it.
std::string include_name(const Job& job, const std::string& header) {
  const std::filesystem::path path = absolute(header);
  std::filesystem::path kept = path.filename();
  if (!job.root.empty()) {
    const std::filesystem::path below = path.lexically_relative(absolute(job.root));
    if (!below.empty() && *below.begin() != "..") kept = below;
  }
  return generated_name(kept.generic_string());
}

/// Where the generated form of `header` goes.
std::string output_path(const Job& job, const std::string& header) {
  return (std::filesystem::path(job.output_folder) / include_name(job, header)).generic_string();
}

/// The problem with what would be written where, if there is one.
std::optional<std::string> collision(const std::vector<OutputFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const auto same = [&](const OutputFile& other) { return other.path == outputs[i].path; };
    if (std::any_of(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      return "two headers would both become '" + outputs[i].path +
             "'; keep their subfolders with --root, or generate them into different folders";
    }
  }
  return std::nullopt;
}

std::vector<OutputFile> generate_law_tests(const Job& job, const Model& model) {
  std::vector<std::string> includes;
  for (const SourceFile& file : model.files) {
    if (file.is_input) includes.push_back(include_name(job, file.path));
  }
  const std::string text = law_tests(model, includes);
  const EditedText unformatted{text, {{0, static_cast<std::uint32_t>(text.size())}}};
  return {{job.law_tests, format(unformatted, model.files.front().path)}};
}

std::vector<OutputFile> generate(const Job& job, const Model& model) {
  if (!job.law_tests.empty()) return generate_law_tests(job, model);
  std::vector<OutputFile> outputs;
  for (std::uint32_t file = 0; file < model.files.size(); ++file) {
    if (!model.files[file].is_input) continue;
    outputs.push_back({output_path(job, model.files[file].path), rewrite(model, file)});
  }
  return outputs;
}

std::string dependency_rule(const Job& job, const std::vector<OutputFile>& outputs,
                            const std::vector<std::string>& inputs) {
  std::vector<std::string> targets;
  if (!job.depfile_target.empty()) targets.push_back(job.depfile_target);
  if (targets.empty()) std::ranges::transform(outputs, std::back_inserter(targets), &OutputFile::path);
  return depfile(targets, inputs);
}

}  // namespace

bool run(const Job& job) {
  if (const std::string problem = problem_with(job.control); !problem.empty()) return fail(problem);
  std::vector<OutputFile> outputs;
  bool accepted = false;

  ParseRequest request;
  request.headers = job.headers;
  request.flags = job.flags;
  const bool parsed = parse(request, llvm::errs(), [&](Parsed& source) {
    Diagnostics problems = controlled(check(source.model()), job.control);
    std::vector<EntityLaws> laws;
    if (!has_errors(problems) && !job.dump_model) {
      laws = judge(source.model(), source.evaluator());
      std::ranges::move(controlled(counterexamples(laws), job.control), std::back_inserter(problems));
    }
    source.report(problems);
    accepted = !has_errors(problems);
    if (job.explain) llvm::outs() << explain(laws);
    if (job.dump_model && accepted) llvm::outs() << dump(source.model());
    llvm::outs().flush();
    if (!accepted || job.dump_model || job.explain) return;
    outputs = generate(job, source.model());
    if (!job.depfile.empty())
      outputs.push_back({job.depfile, dependency_rule(job, outputs, source.files_read())});
  });

  if (!parsed || !accepted) return false;
  if (const auto problem = collision(outputs)) return fail(*problem);
  if (const std::string problem = write_if_changed(outputs); !problem.empty()) return fail(problem);
  return true;
}

}  // namespace autoshard::tool
