#include "tool/outputs.h"

#include <fmt/format.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/Parallel.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "tool/emit/emit.h"
#include "tool/laws/law_tests.h"
#include "tool/rewrite/format.h"
#include "tool/rewrite/rewrite.h"

namespace autoshard::tool {
namespace {

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

/// The output path of the generated form of `file`.
std::string output_path(const Job& job, const std::string& file) {
  return (std::filesystem::path(job.output_folder) / include_name(job, file)).generic_string();
}

/// The path of `file` relative to the generated form at `output`, so that both can be moved together.
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

}  // namespace

std::vector<OutputFile> generated_files(const Job& job, const Model& model, const std::string& unit) {
  std::vector<std::uint32_t> rewritten;
  for (std::uint32_t file = 0; file < model.files.size(); ++file) {
    const SourceFile& given = model.files[file];
    if (given.is_input && (unit.empty() || given.path == unit)) rewritten.push_back(file);
  }
  // The files are formatted in parallel: formatting is slow, and the files are independent.
  std::vector<OutputFile> outputs(rewritten.size());
  llvm::parallelFor(0, rewritten.size(), [&](std::size_t at) {
    const std::uint32_t file = rewritten[at];
    std::string path = output_path(job, model.files[file].path);
    outputs[at] = {path, generated_form(job, model, file, path)};
  });
  return outputs;
}

OutputFile generated_law_tests(const Job& job, const Model& model, const std::vector<EntityLaws>& laws) {
  std::vector<std::string> includes;
  for (const std::string& header : job.headers) includes.push_back(include_name(job, header));
  const auto is_out = [&](std::string_view tag) { return is_disabled(job.control, tag); };
  const std::string text = law_tests(model, laws, includes, is_out);
  const EditedText unformatted{text, {{0, static_cast<std::uint32_t>(text.size())}}};
  return {job.law_tests, format(unformatted, model.files.front().path, model.files.front().text)};
}

OutputFile list_of_kinds(const Job& job, const Model& model) {
  llvm::json::Array kinds;
  for (const Entity& entity : model.entities)
    kinds.push_back(llvm::json::Object{{"kind", llvm::json::fixUTF8(entity.kind)},
                                       {"class", entity.qualified_name},
                                       {"header", model.files[entity.span.file].path}});
  return {job.kinds, llvm::formatv("{0:2}\n", llvm::json::Value(std::move(kinds)))};
}

OutputFile dependency_file(const Job& job, const std::vector<OutputFile>& outputs,
                           const std::set<std::string>& inputs) {
  std::vector<std::string> targets;
  if (!job.depfile_target.empty()) targets.push_back(job.depfile_target);
  if (targets.empty()) std::ranges::transform(outputs, std::back_inserter(targets), &OutputFile::path);
  return {job.depfile, depfile(targets, {inputs.begin(), inputs.end()})};
}

std::optional<std::string> collision(const Job& job, const std::vector<OutputFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const std::string& header : job.headers) {
      std::error_code is_not_there;
      if (std::filesystem::equivalent(outputs[i].path, header, is_not_there))
        return fmt::format("'{}' would replace the original; generate into another folder (-o)",
                           outputs[i].path);
    }
    const auto same = [&](const OutputFile& other) { return other.path == outputs[i].path; };
    if (std::any_of(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i), same)) {
      return fmt::format(
          "two files would both become '{}'; keep their subfolders with --root, or generate them into "
          "different folders",
          outputs[i].path);
    }
  }
  return std::nullopt;
}

}  // namespace autoshard::tool
