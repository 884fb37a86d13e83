// The generator reads the bodies of real headers: real_headers [--plugin CLANG PLUGIN] LEAST HEADER...
//
// Each header, as it stands in an `#include`, is one translation unit in a process of its own. Every class
// that it brings gets annotations, which are mostly nonsense for it. The rules may refuse them. The generator
// must not crash or hang: as it generates, as it advises, and as a plugin. A header that does not parse with
// its annotations is a fault, too: no rule runs on its classes then. Fails after a fault, or if the generator
// read fewer than LEAST classes.

#include <fcntl.h>
#include <llvm/Support/Signals.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <regex>

#include "plant.h"
#include "support/temporary_folder.h"
#include "tool/advise/advise.h"
#include "tool/frontend/frontend.h"
#include "tool/laws/explain.h"
#include "tool/pipeline.h"

namespace autoshard::test {
namespace {

namespace fs = std::filesystem;

/// Seconds of processor time that no translation unit takes: only a hang.
constexpr unsigned kHang = 600;

struct Options {
  std::string compiler;
  std::string plugin;  ///< empty: it is not tried
  std::size_t least = 0;
  std::vector<std::string> headers;
};

/// With an empty prefix, no header is one of the system's: the generator leaves those alone. Some warnings
/// are errors unless a header is one of the system's.
std::vector<std::string> flags() {
  return {"-std=c++20", "--no-system-header-prefix=", "-Wno-invalid-constexpr", "-D__STDC_CONSTANT_MACROS",
          "-D__STDC_LIMIT_MACROS"};
}

void write(const fs::path& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }

/// The last lines of a file: how a crash introduces itself.
std::string last_lines(const fs::path& path) {
  constexpr std::size_t kMost = 40;
  std::ifstream file(path);
  std::deque<std::string> last;
  for (std::string line; std::getline(file, line);) {
    last.push_back(line);
    if (last.size() > kMost) last.pop_front();
  }
  std::string text;
  for (const std::string& line : last) text += "\n  " + line;
  return text;
}

/// The first error in `log` that is not a rule's: of Clang's parser, or of its driver that cannot load a
/// plugin. Empty if there is none.
std::string foreign_error(const fs::path& log) {
  static const std::regex error("^([^ ]+: )?(fatal )?error: .*");
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    if (line.find("[autoshard-") == std::string::npos && std::regex_match(line, error)) return line;
  }
  return "";
}

/// Runs `work` in a process of its own, whose output goes to `log`. Returns the fault of the process, empty
/// if it ended normally and reported no errors but those of rules.
std::string in_child(const fs::path& log, const std::function<void()>& work) {
  const pid_t child = fork();
  if (child < 0) return "no further process";
  if (child == 0) {
    const int output = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    alarm(kHang);
    llvm::sys::PrintStackTraceOnErrorSignal("real_headers");
    work();
    _exit(EXIT_SUCCESS);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) return "the process is lost";
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return "hangs";
  if (WIFSIGNALED(status))
    return "is ended by signal " + std::to_string(WTERMSIG(status)) + ": " + last_lines(log);
  // A compiler catches the signal that ends it, and a shell's number of that is returned.
  if (WEXITSTATUS(status) > 127) return "crashes: " + last_lines(log);
  const std::string error = foreign_error(log);
  return error.empty() ? "" : "does not read it: " + error;
}

/// The planted files on disk, for programs that cannot be given them in memory.
class OnDisk {
 public:
  OnDisk(const Planted& planted, const std::string& source) {
    std::string roots;
    std::size_t number = 0;
    for (const auto& [path, text] : planted.texts) {
      const fs::path copy = folder_ / std::to_string(number++);
      write(copy, text);
      roots += "{\"name\": \"" + path + "\", \"type\": \"file\", \"external-contents\": \"" + copy.string() +
               "\"},\n";
    }
    write(overlay(), "{\"version\": 0, \"use-external-names\": false, \"roots\": [\n" + roots + "]}\n");
    write(main_file(), source);
  }

  fs::path log() const { return folder_ / "log"; }
  fs::path classes() const { return folder_ / "classes"; }  ///< that the generator read, one a line
  fs::path overlay() const { return folder_ / "overlay.yaml"; }
  fs::path main_file() const { return folder_ / "main.cpp"; }

 private:
  const test::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

/// Writes the places of the entities in `model` to `path`.
void write_classes(const tool::Model& model, const fs::path& path) {
  std::string places;
  for (const tool::Entity& entity : model.entities)
    places += model.files[entity.definition.file].path + ":" + std::to_string(entity.definition.begin) + "\n";
  write(path, places);
}

/// As the generator does with a source and its headers: first the annotated ones, then, for suggestions,
/// those on disk.
void generate(const Planted& planted, const std::string& source, const OnDisk& disk) {
  tool::ParseRequest request;
  request.source = "/autoshard-real-headers.cpp";
  request.flags = flags();
  request.contents = planted.texts;
  request.contents[request.source] = source;
  for (const auto& [path, text] : planted.texts) request.headers.push_back(path);
  tool::parse(request, llvm::errs(), [&](tool::Parsed& parsed) {
    write_classes(parsed.model(), disk.classes());
    const tool::Compiled found = tool::compile(parsed, {});
    llvm::outs() << tool::explain(found.laws);
    parsed.report(found.problems);
  });
  request.contents = {{request.source, source}};
  request.candidates = true;
  tool::parse(request, llvm::errs(),
              [](tool::Parsed& parsed) { static_cast<void>(tool::advise(parsed.model(), {})); });
}

void compile_with_plugin(const Options& options, const OnDisk& disk) {
  std::vector<std::string> command{options.compiler,
                                   "-fsyntax-only",
                                   "-w",
                                   "-ferror-limit=0",
                                   "-fplugin=" + options.plugin,
                                   "-ivfsoverlay",
                                   disk.overlay(),
                                   std::string("-I") + RUNTIME_INCLUDE};
  for (const std::string& flag : flags()) command.push_back(flag);
  command.push_back(disk.main_file());
  std::vector<char*> arguments;
  for (std::string& one : command) arguments.push_back(one.data());
  arguments.push_back(nullptr);
  execv(options.compiler.c_str(), arguments.data());
  _exit(127 + 1);
}

class RealHeaders {
 public:
  explicit RealHeaders(Options options) : options_(std::move(options)) {}

  int run() {
    for (const std::string& header : options_.headers) read(header);
    std::cout << read_.size() << " classes in " << headers_ << " headers were read, " << faults_
              << " faults, " << unreadable_ << " headers left out" << std::endl;
    if (read_.size() < options_.least) std::cout << "expected " << options_.least << " classes" << std::endl;
    return faults_ == 0 && read_.size() >= options_.least ? EXIT_SUCCESS : EXIT_FAILURE;
  }

 private:
  void read(const std::string& header) {
    const std::string source = "#include <" + header + ">\n";
    const Planted planted = plant(source, flags(), known_);
    if (!planted.problem.empty()) {
      ++unreadable_;
      std::cout << header << ": " << planted.problem << std::endl;
      return;
    }
    ++headers_;
    known_.insert(planted.classes.begin(), planted.classes.end());
    if (planted.classes.empty()) return;
    const OnDisk disk(planted, source);
    tell(header, "the generator", in_child(disk.log(), [&] { generate(planted, source, disk); }));
    std::ifstream classes(disk.classes());
    for (std::string place; std::getline(classes, place);) read_.insert(place);
    if (options_.plugin.empty()) return;
    tell(header, "the plugin", in_child(disk.log(), [&] { compile_with_plugin(options_, disk); }));
  }

  void tell(const std::string& header, const std::string& who, const std::string& ending) {
    if (ending.empty()) return;
    ++faults_;
    std::cout << header << ": " << who << " " << ending << std::endl;
  }

  Options options_;
  std::set<std::string> known_;  ///< the classes that got annotations
  std::set<std::string> read_;   ///< the classes that the generator read
  std::size_t headers_ = 0;
  std::size_t unreadable_ = 0;
  std::size_t faults_ = 0;
};

int run(std::vector<std::string> arguments) {
  Options options;
  if (arguments.size() > 3 && arguments.front() == "--plugin") {
    options.compiler = arguments[1];
    options.plugin = arguments[2];
    arguments.erase(arguments.begin(), arguments.begin() + 3);
  }
  if (arguments.size() < 2) {
    std::cerr << "usage: real_headers [--plugin CLANG PLUGIN] LEAST HEADER...\n";
    return EXIT_FAILURE;
  }
  options.least = std::stoul(arguments.front());
  options.headers.assign(arguments.begin() + 1, arguments.end());
  return RealHeaders(std::move(options)).run();
}

}  // namespace
}  // namespace autoshard::test

int main(int argc, char** argv) { return autoshard::test::run({argv + 1, argv + argc}); }
