#include "generator_fuzz.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <iterator>
#include <stdexcept>

#include "tool/pipeline.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;

/// Seconds that no run takes: only a hang.
constexpr unsigned kHang = 600;

/// Every case includes these, so they are read once.
constexpr char kStandardHeaders[] = R"(#include <algorithm>
#include <array>
#include <bitset>
#include <cassert>
#include <chrono>
#include <compare>
#include <coroutine>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <ratio>
#include <set>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>
)";

constexpr char kMapper[] = "#include <autoshard/mapper.h>\ntemplate <class T> T make();\n";

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// Lets the file `log` take what goes to the standard outputs. Returns what they were.
std::pair<int, int> redirect(const fs::path& log) {
  const std::pair before(dup(STDOUT_FILENO), dup(STDERR_FILENO));
  const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (before.first < 0 || before.second < 0 || file < 0) throw std::runtime_error("no further file");
  dup2(file, STDOUT_FILENO);
  dup2(file, STDERR_FILENO);
  close(file);
  return before;
}

void restore(std::pair<int, int> before) {
  dup2(before.first, STDOUT_FILENO);
  dup2(before.second, STDERR_FILENO);
  close(before.first);
  close(before.second);
}

/// The exit status of `work` in a process of its own, or less than 0.
int status_in_child(const fs::path& log, const std::function<int()>& work) {
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no further process");
  if (child == 0) {
    redirect(log);
    alarm(kHang);
    _exit(work());
  }
  int status = 0;
  pid_t ended;
  do {  // libFuzzer's alarm interrupts it
    ended = waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended != child) throw std::runtime_error("the process is lost");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int execute(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments.front(), arguments.data());
  return 127;
}

std::string stem(const Case& one) { return fs::path(one.name).stem().string(); }
std::string source_name(const Case& one) { return stem(one) + ".cpp"; }
std::string other_name(const Case& one) { return "other_" + one.name; }

/// Whether `output` has an error, and a place in a file of `one`: that of the error, or where the user's text
/// asked for what is wrong inside the standard library.
bool tells_of(const std::string& output, const Case& one) {
  return output.find(" error: ") != std::string::npos &&
         (output.find("/" + one.name + ":") != std::string::npos ||
          output.find("/" + source_name(one) + ":") != std::string::npos ||
          output.find("/" + other_name(one) + ":") != std::string::npos);
}

}  // namespace

std::string describe(const Finding& finding) {
  static constexpr const char* kTexts[] = {
      "the generator crashes or hangs", "the generator refuses a header without an error at a place in it",
      "the generator refuses a header and writes files", "what the generator accepts does not compile"};
  return std::string(kTexts[static_cast<std::size_t>(finding.fault)]) + "\n" + finding.output + "\n----\n" +
         finding.header + "\n----\n";
}

GeneratorFuzz::GeneratorFuzz(Process process) : process_(process) {
  fs::create_directories(folder_ / "in");
  fs::create_directories(folder_ / "out");
  compile_once("standard", kStandardHeaders);
  compile_once("mapper", std::string(kStandardHeaders) + kMapper);
}

void GeneratorFuzz::compile_once(const std::string& name, const std::string& text) const {
  write(folder_ / (name + ".h"), text);
  const int status = status_in_child(folder_ / "log", [&] {
    return execute({AUTOSHARD_CLANGXX, "-std=c++20", "-I" RUNTIME_FOLDER, "-xc++-header",
                    folder_ / (name + ".h"), "-fpch-instantiate-templates", "-o", folder_ / (name + ".pch")});
  });
  if (status != 0) throw std::runtime_error("the standard headers do not compile: " + read(folder_ / "log"));
}

std::optional<Finding> GeneratorFuzz::try_cases(const std::vector<Case>& cases) {
  std::vector<const Case*> together;
  for (const Case& one : cases) {
    write(folder_ / "in" / one.name, one.header);
    if (!one.other.empty()) write(folder_ / "in" / other_name(one), one.other);
    if (!one.source.empty()) write(folder_ / "in" / source_name(one), one.source);
    if (!one.stands_alone) {
      together.push_back(&one);
    } else if (auto finding = try_together({&one})) {
      return finding;
    }
  }
  return try_together(together);
}

std::optional<Finding> GeneratorFuzz::try_together(std::vector<const Case*> cases) {
  while (!cases.empty()) {
    const Run run = generate(cases);
    if (run.status < 0 || run.status > 1) return blame(cases, Fault::kCrash, run.output);
    const auto is_written = [&](const Case* one) {
      return fs::exists(folder_ / "out" / (stem(*one) + ".autoshard.h"));
    };
    if (run.status == 0) break;
    if (std::ranges::any_of(cases, is_written)) return blame(cases, Fault::kLeftover, run.output);
    if (std::erase_if(cases, [&](const Case* one) { return tells_of(run.output, *one); }) == 0)
      return blame(cases, Fault::kSilence, run.output);
  }
  if (cases.empty()) return std::nullopt;
  const Run run = compile(AUTOSHARD_CLANGXX, use_of(cases));
  if (run.status != 0) return blame(cases, Fault::kDoesNotCompile, run.output);
  accepted_count_ += cases.size();
  for (const Case* one : cases) accepted_.push_back(*one);
  return std::nullopt;
}

/// Finds the case that is at fault.
std::optional<Finding> GeneratorFuzz::blame(const std::vector<const Case*>& cases, Fault fault,
                                            const std::string& output) {
  std::string headers;
  for (const Case* one : cases) {
    headers += text_of(*one);
    if (cases.size() == 1) break;
    fs::remove(folder_ / "out" / (stem(*one) + ".autoshard.h"));
    if (auto finding = try_together({one})) return finding;
  }
  return Finding{fault, headers, output};
}

GeneratorFuzz::Run GeneratorFuzz::generate(const std::vector<const Case*>& cases) const {
  tool::Job job{.headers = {},
                .flags = {"-std=c++20", "-I" RUNTIME_FOLDER, "-include-pch", folder_ / "standard.pch"},
                .output_folder = folder_ / "out"};
  for (const Case* one : cases) {
    const bool has_other = !one->other.empty();
    if (has_other && one->other_first) job.headers.push_back(folder_ / "in" / other_name(*one));
    job.headers.push_back(folder_ / "in" / one->name);
    if (has_other && !one->other_first) job.headers.push_back(folder_ / "in" / other_name(*one));
    if (!one->source.empty()) job.sources.push_back(folder_ / "in" / source_name(*one));
  }
  const auto work = [&] { return tool::run(job) ? 0 : 1; };
  if (process_ == Process::kChild) {
    const int status = status_in_child(folder_ / "log", work);
    return {status, read(folder_ / "log")};
  }
  const auto before = redirect(folder_ / "log");
  const int status = work();
  restore(before);
  return {status, read(folder_ / "log")};
}

std::string GeneratorFuzz::use_of(const std::vector<const Case*>& cases) const {
  std::string text;
  for (const Case* one : cases) {
    text += "#include \"out/" + stem(*one) + ".autoshard.h\"\n" + one->use;
    if (!one->source.empty()) text += "#include \"out/" + stem(*one) + ".autoshard.cpp\"\n";
  }
  return text;
}

GeneratorFuzz::Run GeneratorFuzz::compile(const std::string& compiler, const std::string& text) const {
  const bool is_clang = compiler == AUTOSHARD_CLANGXX;
  write(folder_ / "use.cpp", is_clang ? text : kStandardHeaders + std::string(kMapper) + text);
  std::vector<std::string> command{compiler, "-std=c++20", "-fsyntax-only", "-w", "-I" RUNTIME_FOLDER};
  if (is_clang) command.insert(command.end(), {"-include-pch", folder_ / "mapper.pch"});
  command.push_back(folder_ / "use.cpp");
  const int status = status_in_child(folder_ / "log", [&] { return execute(command); });
  return {status, read(folder_ / "log")};
}

std::optional<Finding> GeneratorFuzz::try_gcc() {
  std::vector<const Case*> cases;
  for (const Case& one : accepted_) cases.push_back(&one);
  std::optional<Finding> found;
  if (!cases.empty() && compile("g++", use_of(cases)).status != 0) {
    for (const Case* one : cases) {
      const Run run = compile("g++", use_of({one}));
      if (run.status == 0) continue;
      std::string own = "#include \"in/" + one->name + "\"\n";
      if (!one->source.empty()) own += "#include \"in/" + source_name(*one) + "\"\n";
      if (compile("g++", own).status != 0) continue;  // what only Clang takes, as it was written
      found = Finding{Fault::kDoesNotCompile, text_of(*one), run.output};
      break;
    }
  }
  accepted_.clear();
  return found;
}

}  // namespace autoshard::test
