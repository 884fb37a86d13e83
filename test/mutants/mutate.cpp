// Rewrites sources so that each of many mutants can be chosen when the program runs (see mutants.h):
//   mutate LIST PERCENT SOURCE... -- FLAG...
// LIST gets a line for each mutant, with tabs between: number, file, line, function, original text, changed
// text. PERCENT: the share of all possible mutants that is taken. What is taken depends on a mutant's file,
// function and texts alone, so that it stays the same when something else changes.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/CompilationDatabase.h"
#include "clang/Tooling/Tooling.h"
#include "edits.h"
#include "places.h"

namespace mutants {
namespace {

struct Source {
  std::string text;
  std::vector<Place> places;
};

using Sources = std::map<std::string, Source>;

class Consumer final : public clang::ASTConsumer {
 public:
  explicit Consumer(Source& source) : source_(source) {}

  void HandleTranslationUnit(clang::ASTContext& ast) override {
    const clang::SourceManager& sources = ast.getSourceManager();
    source_.text = sources.getBufferData(sources.getMainFileID()).str();
    source_.places = find_places(ast);
  }

 private:
  Source& source_;
};

class Action final : public clang::ASTFrontendAction {
 public:
  explicit Action(Sources& sources) : sources_(sources) {}

  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance&,
                                                        llvm::StringRef file) override {
    return std::make_unique<Consumer>(sources_[file.str()]);
  }

 private:
  Sources& sources_;
};

class Factory final : public clang::tooling::FrontendActionFactory {
 public:
  explicit Factory(Sources& sources) : sources_(sources) {}
  std::unique_ptr<clang::FrontendAction> create() override { return std::make_unique<Action>(sources_); }

 private:
  Sources& sources_;
};

/// FNV-1a, and a last step that spreads it over all bits.
std::uint64_t hash(std::string_view text) {
  std::uint64_t result = 14695981039346656037U;
  for (const char letter : text) result = (result ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  result ^= result >> 32;
  return result * 0x9E3779B97F4A7C15U;
}

bool is_taken(const std::string& name, const Place& place, std::map<std::string, int>& alike,
              unsigned percent) {
  const std::string texts = name + '\n' + place.function + '\n' + place.original + '\n' + place.changed;
  const int number = alike[texts]++;
  return (hash(texts + '\n' + std::to_string(number)) >> 32) % 100 < percent;
}

std::string with_number(std::string text, int number) {
  if (const std::size_t place = text.find('#'); place != std::string::npos)
    text.replace(place, 1, std::to_string(number));
  return text;
}

void mutate(const std::string& path, const Source& source, unsigned percent, std::ofstream& list,
            int& number) {
  const std::filesystem::path whole(path);
  const std::string name = whole.parent_path().filename() / whole.filename();
  std::map<std::string, int> alike;
  Edits edits;
  edits.replace(0, 0, "#include \"mutants.h\"\n#line 1\n");
  for (const Place& place : source.places) {
    if (!is_taken(name, place, alike, percent)) continue;
    edits.wrap(place.begin, place.end, with_number(place.before, number), place.after);
    if (place.operator_end > 0) edits.replace(place.operator_begin, place.operator_end, ",");
    list << number << '\t' << name << '\t' << place.line << '\t' << place.function << '\t' << place.original
         << '\t' << place.changed << '\n';
    ++number;
  }
  std::ofstream(path) << edits.apply(source.text);
}

int run(int argc, const char** argv) {
  std::string error;
  const auto flags = clang::tooling::FixedCompilationDatabase::loadFromCommandLine(argc, argv, error);
  if (!flags || argc < 4) {
    std::cerr << "usage: mutate LIST PERCENT SOURCE... -- FLAG...\n" << error;
    return EXIT_FAILURE;
  }
  clang::tooling::ClangTool tool(*flags, std::vector<std::string>(argv + 3, argv + argc));
  tool.appendArgumentsAdjuster(
      clang::tooling::getInsertArgumentAdjuster("-resource-dir=" AUTOSHARD_RESOURCE_DIR));
  Sources sources;
  Factory factory(sources);
  if (tool.run(&factory) != 0) return EXIT_FAILURE;
  std::ofstream list(argv[1]);
  int number = 0;
  std::size_t possible = 0;
  for (const auto& [path, source] : sources) {
    mutate(path, source, static_cast<unsigned>(std::stoi(argv[2])), list, number);
    possible += source.places.size();
  }
  std::cout << number << " mutants of " << possible << " possible ones in " << sources.size() << " sources\n";
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace mutants

int main(int argc, const char** argv) { return mutants::run(argc, argv); }
