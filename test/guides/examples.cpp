#include "examples.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

#include "support/shell.h"
#include "support/temporary_folder.h"

namespace autoshard::guides {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestOutput = std::size_t{1} << 20;

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

using Result = test::ShellResult;

/// Runs a command of the shell in a folder.
Result run(const fs::path& folder, const std::string& command) {
  return test::run_in_shell("cd '" + folder.string() + "' && " + command, kLongestOutput);
}

Result generate(const fs::path& folder, const std::string& files) {
  return run(folder, GENERATOR " -o generated " + files + " -- -std=c++20 -I" RUNTIME_FOLDER " 2>&1");
}

/// The folder of the precompiled header goes first.
Result compile(const fs::path& folder, const std::string& files) {
  return run(folder, COMPILER " " COMPILER_FLAGS " -I" PRECOMPILED_FOLDER " -isystem " RUNTIME_FOLDER
                              " -Igenerated -I. -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror " +
                         files + " 2>&1");
}

std::string generated(const std::string& name) {
  return fs::path(name).replace_extension(".autoshard" + fs::path(name).extension().string()).string();
}

bool is_program(const Block& block) { return block.text.find("int main(") != std::string::npos; }

bool is_wrong(const Block& block) { return block.language == "cpp" && block.about.starts_with("wrong "); }

class Examples {
 public:
  explicit Examples(const Page& page) : page_(page) {}

  Findings wrong() {
    for (const Block& block : page_.blocks) {
      const std::optional<std::string> name = file_of(block);
      if (!name) continue;
      write(folder_.path() / *name, block.text);
      if (name->ends_with(".h")) headers_.push_back(&block);
      if (name->ends_with(".cpp")) (is_program(block) ? programs_ : sources_).push_back(&block);
    }
    if (!headers_.empty()) generate_all();
    for (const Block* header : headers_) compile_alone(*header);
    for (const Block* program : programs_) compile_and_run(*program);
    for (const Block& block : page_.blocks) {
      if (is_wrong(block)) refuse(block);
      if (block.about.starts_with("output of ")) find_program(block);
    }
    for (const std::string& finding : changed_excerpts(page_, files_below(folder_.path() / "generated"))) {
      if (finding.find("there is no ") == std::string::npos) findings_.push_back(finding);
    }
    return findings_;
  }

 private:
  void find(const Block& block, const std::string& what) {
    findings_.push_back(at(page_, block.line) + block.about + ": " + what);
  }

  void generate_all() {
    std::string files;
    for (const Block* source : sources_) files += "--source=" + source->about + " ";
    for (const Block* header : headers_) files += header->about + " ";
    const Result result = generate(folder_.path(), files);
    if (result.status != 0 || !result.output.empty())
      find(*headers_.front(), "the generator does not take the headers of the page\n" + result.output);
  }

  /// A header that no program includes must compile all the same.
  void compile_alone(const Block& header) {
    const std::string include = "#include \"" + generated(header.about) + "\"\n";
    const auto has_it = [&](const Block* file) { return file->text.find(include) != std::string::npos; };
    if (std::ranges::any_of(programs_, has_it)) return;
    write(folder_.path() / "alone.cpp", "#include <autoshard/autoshard.h>\n" + include);
    const Result result = compile(folder_.path(), "-fsyntax-only alone.cpp");
    if (result.status != 0) find(header, "its companion does not compile\n" + result.output);
  }

  void compile_and_run(const Block& program) {
    std::string files = program.about;
    for (const Block* source : sources_) files += " generated/" + generated(source->about);
    const Result compiled = compile(folder_.path(), files + " -o program " LIBRARIES);
    if (compiled.status != 0) return find(program, "it does not compile\n" + compiled.output);
    const test::TemporaryFolder empty;
    const Result result = run(empty.path(), "timeout 60 '" + (folder_.path() / "program").string() + "'");
    if (result.status != 0)
      find(program, "it ends with status " + std::to_string(result.status) + '\n' + result.output);
    for (const Block& block : page_.blocks) {
      if (block.about == "output of " + program.about && block.text != result.output)
        find(block, "the program prints\n" + result.output);
    }
  }

  void find_program(const Block& output) {
    const auto prints_it = [&](const Block* program) {
      return output.about == "output of " + program->about;
    };
    if (std::ranges::none_of(programs_, prints_it)) find(output, "there is no such program");
  }

  void refuse(const Block& block) {
    write(folder_.path() / "wrong.h", block.text);
    const Result result = generate(folder_.path(), "--werror wrong.h");
    if (result.status != 1) return find(block, "the generator takes it\n" + result.output);
    static const std::regex message(R"((error|warning): .*\[([\w-]+)[^\[\n]*\]\n)");
    const std::string tag = block.about.substr(std::string("wrong ").size());
    bool is_found = false, is_alone = true;
    for (std::sregex_iterator one(result.output.begin(), result.output.end(), message), end; one != end;
         ++one)
      (one->str(2) == tag ? is_found : is_alone) = one->str(2) == tag;
    if (!is_found || !is_alone) find(block, "the generator says something else\n" + result.output);
  }

  const Page& page_;
  const test::TemporaryFolder folder_;
  std::vector<const Block*> headers_, sources_, programs_;
  Findings findings_;
};

}  // namespace

bool has_examples(const Page& page) {
  return std::ranges::any_of(page.blocks, [](const Block& block) {
    return file_of(block) || is_wrong(block) || block.about.starts_with("output of ");
  });
}

Findings wrong_examples(const Page& page) { return Examples(page).wrong(); }

}  // namespace autoshard::guides
