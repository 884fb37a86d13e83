#include "tool/output/write.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace autoshard::tool {
namespace {

bool holds(const std::string& path, const std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  std::ostringstream content;
  content << file.rdbuf();
  return content.str() == text;
}

/// The path of the temporary file, which is renamed to its place. Its name has the process id, because other
/// processes may write the same file at this time.
std::string temporary(const OutputFile& output) { return fmt::format("{}.{}.part", output.path, getpid()); }

std::string prepare(const OutputFile& output) {
  const std::filesystem::path path(output.path);
  std::error_code error;
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
  if (error) return fmt::format("cannot make the folder of '{}': {}", output.path, error.message());

  std::ofstream file(temporary(output), std::ios::binary | std::ios::trunc);
  file << output.text;
  file.close();
  if (!file)
    return fmt::format("cannot write '{}'; is the folder writable, and is there space left?", output.path);
  const std::filesystem::file_status replaced = std::filesystem::status(path, error);
  if (std::filesystem::exists(replaced))
    std::filesystem::permissions(temporary(output), replaced.permissions(), error);
  return {};
}

std::string put_in_place(const OutputFile& output) {
  std::error_code error;
  std::filesystem::rename(temporary(output), output.path, error);
  return error ? fmt::format("cannot write '{}': {}", output.path, error.message()) : std::string();
}

/// Escapes a path for Make, which takes blanks for separators, and `$` for the begin of a variable.
std::string escaped(const std::string& path) {
  std::string result;
  for (const char c : path) {
    if (c == ' ' || c == '#') result += '\\';
    if (c == '$') result += '$';
    result += c;
  }
  return result;
}

}  // namespace

std::string write_if_changed(const std::vector<OutputFile>& files) {
  std::vector<const OutputFile*> changed;
  for (const OutputFile& file : files) {
    if (!holds(file.path, file.text)) changed.push_back(&file);
  }
  std::string problem;
  for (const OutputFile* file : changed) {
    if (problem.empty()) problem = prepare(*file);
  }
  for (const OutputFile* file : changed) {
    if (problem.empty()) problem = put_in_place(*file);
  }
  if (!problem.empty()) {
    std::error_code ignored;
    for (const OutputFile* file : changed) std::filesystem::remove(temporary(*file), ignored);
  }
  return problem;
}

std::string write_in_place(std::vector<OutputFile> files) {
  for (OutputFile& file : files) {
    if (holds(file.path, file.text)) continue;
    std::error_code error;
    const std::filesystem::path path = std::filesystem::canonical(file.path, error);
    if (error) return fmt::format("cannot write '{}': {}", file.path, error.message());
    const std::filesystem::perms permissions = std::filesystem::status(path, error).permissions();
    if ((permissions & std::filesystem::perms::owner_write) == std::filesystem::perms::none)
      return fmt::format("cannot write '{}': it is read-only", file.path);
    file.path = path.string();
  }
  return write_if_changed(files);
}

std::string depfile(const std::vector<std::string>& targets, const std::vector<std::string>& inputs) {
  std::string rule;
  for (const std::string& target : targets) rule += (rule.empty() ? "" : " ") + escaped(target);
  rule += ":";
  for (const std::string& input : inputs) rule += " \\\n  " + escaped(input);
  return rule + "\n";
}

}  // namespace autoshard::tool
