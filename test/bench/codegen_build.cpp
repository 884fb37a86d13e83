#include "codegen_build.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace autoshard::bench {
namespace {

constexpr const char* kProject = R"(cmake_minimum_required(VERSION 3.25)
project(Codegen LANGUAGES CXX)
add_library(app STATIC app.cpp)
target_compile_features(app PUBLIC cxx_std_20)
target_include_directories(app PRIVATE {headers_folder})
if(GENERATED)
  add_executable(AutoShard::autoshard IMPORTED)
  set_target_properties(AutoShard::autoshard PROPERTIES IMPORTED_LOCATION {generator})
  add_library(AutoShard::runtime INTERFACE IMPORTED)
  target_include_directories(AutoShard::runtime INTERFACE {source}/runtime/include)
  include({source}/cmake/AutoShardGenerate.cmake)
  autoshard_generate(TARGET app ROOT {headers_folder} HEADERS {headers})
  target_compile_definitions(app PRIVATE GENERATED)
else()
  target_compile_options(app PRIVATE -Wno-attributes -Wno-unknown-attributes)
endif()
)";

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream out(path);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + path.string());
}

std::string read(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string source_text(const std::vector<std::string>& headers) {
  std::string own, other;
  for (const std::string& header : headers) {
    own += fmt::format("#include \"{}.autoshard.h\"\n", std::filesystem::path(header).stem().string());
    other += fmt::format("#include \"{}\"\n", header);
  }
  return "#ifdef GENERATED\n" + own + "#else\n" + other + "#endif\n";
}

std::string name_of(bool generated) { return generated ? "with" : "without"; }

}  // namespace

BuildFolder::BuildFolder(const std::filesystem::path& folder, const std::vector<std::string>& headers,
                         const std::string& generator)
    : folder_(folder), touched_(folder.parent_path() / headers.front()) {
  std::filesystem::create_directory(folder);
  std::vector<std::string> paths;
  for (const std::string& header : headers) paths.push_back((folder.parent_path() / header).string());
  write(folder / "CMakeLists.txt",
        fmt::format(kProject, fmt::arg("headers_folder", folder.parent_path().string()),
                    fmt::arg("generator", generator), fmt::arg("source", AUTOSHARD_SOURCE),
                    fmt::arg("headers", fmt::join(paths, " "))));
  write(folder / "app.cpp", source_text(headers));
  for (const bool generated : {true, false}) {
    run_process({"cmake", "-G", "Ninja", "-S", ".", "-B", name_of(generated),
                 fmt::format("-DGENERATED={}", generated ? "ON" : "OFF")},
                folder, folder / "log");
    Cost ignored;
    build(generated, ignored);
  }
}

Cost BuildFolder::build_again(bool generated) {
  Cost cost;
  const std::string said = build(generated, cost);
  if (said.find("no work to do") == std::string::npos)
    throw std::runtime_error("an unchanged build has something to do:\n" + said);
  return cost;
}

int BuildFolder::compiled_after_touch() {
  std::filesystem::last_write_time(touched_, std::filesystem::file_time_type::clock::now());
  Cost ignored;
  const std::string said = build(true, ignored);
  if (said.find("Generating companion classes") == std::string::npos)
    throw std::runtime_error("the generator did not run after a header was touched:\n" + said);
  int compiled = 0;
  for (std::size_t at = said.find("Building CXX object"); at != std::string::npos;
       at = said.find("Building CXX object", at + 1))
    ++compiled;
  return compiled;
}

/// Returns what was said.
std::string BuildFolder::build(bool generated, Cost& cost) {
  const std::filesystem::path log = folder_ / "log";
  std::filesystem::remove(log);
  cost = run_process({"ninja", "-C", name_of(generated)}, folder_, log);
  return read(log);
}

}  // namespace autoshard::bench
