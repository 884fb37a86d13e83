// Whether the laws of folds and updates are known. Those of the classes in right/ hold, so each of these
// headers must be accepted without a message. Each class in wrong/ breaks a law, which its comment `// wrong:
// …` names, so each must earn an error or a warning at a line of its own. At the end, a table tells the
// verdicts.
//
// AUTOSHARD_PROOF_TIMES=1: also prints how long the laws of each class take, in milliseconds of the
// processor.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "tool/frontend/frontend.h"
#include "tool/pipeline.h"

namespace autoshard::tool {
namespace {

namespace fs = std::filesystem;

/// The headers in a folder, without extension: `right/games`.
std::vector<std::string> headers_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(CLASSES_FOLDER) / folder)) {
    if (entry.path().extension() == ".h") names.push_back(folder + "/" + entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

/// An entity, and what the generator says of it.
struct Judged {
  std::string name;
  std::string comment;  ///< what stands between the one before and it
  std::vector<std::string> messages;

  /// Whether the generator just says that it does not know.
  bool is_warned_only() const {
    return !messages.empty() && std::ranges::all_of(messages, [](const std::string& message) {
      return message.ends_with("[autoshard-law-not-proved]");
    });
  }
};

/// What the generator makes of one header.
struct Reading {
  bool parsed = false;
  std::string errors;  ///< of Clang
  std::vector<Judged> entities;
  std::vector<std::string> messages;  ///< all of them
};

/// How many laws share a folder, a verdict and a reason.
using Verdicts = std::map<std::tuple<std::string, Law::Verdict, std::string>, std::size_t>;

Verdicts& verdicts() {
  static Verdicts all;
  return all;
}

/// The part of the table that a header belongs to.
std::string part_of(const std::string& header) {
  if (header.starts_with("wrong/")) return "wrong";
  const bool has_containers = header.find("containers") != std::string::npos;
  const bool is_reachable = header.find("reachable") != std::string::npos;
  return fmt::format("right{}{}", has_containers ? ", containers" : "",
                     is_reachable ? ", reachable values" : "");
}

/// `reason` without what it quotes, which differs from law to law.
std::string general(const std::string& reason) {
  static const std::regex kQuoted("'[^']*'");
  return std::regex_replace(reason.substr(0, reason.find('\n')), kQuoted, "'…'");
}

/// How the verdict on `law` came about.
std::string way_of(const Law& law) {
  if (law.verdict != Law::Verdict::kHolds) return general(law.reason);
  switch (law.how) {
    case Law::How::kForm:
      return "proved: by its form";
    case Law::How::kSolver:
      return "proved: by the solver";
    case Law::How::kInduction:
      return "proved: by induction";
    case Law::How::kByKey:
      return "proved: by the solver, for each key";
    default:
      return "tried: " + general(law.obstacle);
  }
}

void count(const std::string& header, const std::vector<EntityLaws>& laws) {
  for (const EntityLaws& entity : laws) {
    for (const Law& law : entity.laws) ++verdicts()[{part_of(header), law.verdict, way_of(law)}];
  }
}

Judged judged(const Entity& entity, std::size_t after, const SourceFile& file, const Diagnostics& problems) {
  Judged result{entity.name, file.text.substr(after, entity.key.begin - after), {}};
  for (const Diagnostic& problem : problems) {
    const Span& at = problem.span;
    if (at.file != entity.definition.file || at.begin < entity.definition.begin ||
        at.begin >= entity.definition.end)
      continue;
    result.messages.push_back(fmt::format("{} [{}]", problem.message, problem.rule));
  }
  return result;
}

/// How long the laws of each class take.
std::map<std::string, double>& times() {
  static std::map<std::string, double> all;
  return all;
}

/// Notes when the laws of a class begin: they have the class compiled first of all.
class TimedEvaluator : public Evaluator {
 public:
  TimedEvaluator(Evaluator& evaluator, std::string header)
      : evaluator_(evaluator), header_(std::move(header)) {}
  TimedEvaluator(const TimedEvaluator&) = delete;
  TimedEvaluator& operator=(const TimedEvaluator&) = delete;
  ~TimedEvaluator() override { end_class(); }

  std::string compile(std::string_view owner, std::string_view nested, const std::string& text) override {
    if (nested == "Shard") {
      end_class();
      class_ = owner;
      begin_ = std::clock();
    }
    return evaluator_.compile(owner, nested, text);
  }
  Value call(std::string_view function, const Arguments& arguments) override {
    return evaluator_.call(function, arguments);
  }
  void limit(unsigned steps) override { evaluator_.limit(steps); }

 private:
  void end_class() {
    if (class_.empty()) return;
    const auto passed = static_cast<double>(std::clock() - begin_);
    times()[header_ + " " + class_] += 1000 * passed / static_cast<double>(CLOCKS_PER_SEC);
  }

  Evaluator& evaluator_;
  std::string header_;
  std::string class_;
  std::clock_t begin_ = 0;
};

/// What was read, with an evaluator that notes times.
class TimedParsed : public Parsed {
 public:
  TimedParsed(Parsed& parsed, const std::string& header)
      : parsed_(parsed), evaluator_(parsed.evaluator(), header) {}

  const Model& model() const override { return parsed_.model(); }
  void report(const Diagnostics& diagnostics) override { parsed_.report(diagnostics); }
  Evaluator& evaluator() override { return evaluator_; }
  Prover& prover() override { return parsed_.prover(); }

 private:
  Parsed& parsed_;
  TimedEvaluator evaluator_;
};

/// The slowest classes, and what share of all is how fast.
void print_times() {
  std::vector<std::pair<double, std::string>> sorted;
  for (const auto& [name, time] : times()) sorted.emplace_back(time, name);
  std::ranges::sort(sorted);
  if (sorted.empty()) return;
  for (const auto& [time, name] : sorted) std::cout << fmt::format("{:>9.1f} ms  {}\n", time, name);
  for (const std::size_t percent : {50, 75, 90, 95, 99})
    std::cout << fmt::format("{:>9.1f} ms  {} % of {} classes\n", sorted[sorted.size() * percent / 100].first,
                             percent, sorted.size());
}

Reading read(const std::string& header) {
  Reading result;
  llvm::raw_string_ostream errors(result.errors);
  ParseRequest request;
  request.headers = {(fs::path(CLASSES_FOLDER) / (header + ".h")).string()};
  request.flags = {"-std=c++20"};
  result.parsed = parse(request, errors, [&](ParsedHeaders& parsed) {
    TimedParsed timed(parsed, header);
    const Compiled compiled = compile(timed, {});
    std::size_t after = 0;
    for (const Entity& entity : parsed.model().entities) {
      const SourceFile& file = parsed.model().files[entity.definition.file];
      result.entities.push_back(judged(entity, after, file, compiled.problems));
      after = entity.definition.end;
    }
    for (const Diagnostic& problem : compiled.problems)
      result.messages.push_back(fmt::format("{} [{}]", problem.message, problem.rule));
    count(header, compiled.laws);
  });
  errors.flush();
  return result;
}

/// Prints the table of its headers.
class Classes : public testing::TestWithParam<std::string> {
 protected:
  static void TearDownTestSuite() {
    const std::map<Law::Verdict, std::string> words = {{Law::Verdict::kHolds, "holds"},
                                                       {Law::Verdict::kBroken, "broken"},
                                                       {Law::Verdict::kLeftToTests, "left to tests"},
                                                       {Law::Verdict::kNotJudged, "not judged"}};
    std::cout << fmt::format("\n{:<35} {:<14} {:>5}  {}\n", "classes", "verdict", "laws", "reason");
    for (const auto& [of, laws] : verdicts()) {
      const auto& [part, verdict, reason] = of;
      std::cout << fmt::format("{:<35} {:<14} {:>5}  {}\n", part, words.at(verdict), laws, reason);
    }
    std::cout << std::flush;
    verdicts().clear();
    if (std::getenv("AUTOSHARD_PROOF_TIMES")) print_times();
    times().clear();
  }
};

class RightClasses : public Classes {};
class WrongClasses : public Classes {};

/// The prover follows less of what LLVM 19 makes of a class.
fs::path gaps_file() {
  return fs::path(CLASSES_FOLDER) / (LLVM_VERSION_MAJOR >= 22 ? "gaps.txt" : "gaps-llvm19.txt");
}

/// The entities that the generator judges wrongly so far, each as `wrong/ties Quote`, or as
/// `wrong/ties Quote: not proved`.
std::set<std::string> known_gaps() {
  std::set<std::string> gaps;
  std::ifstream in(gaps_file());
  for (std::string line; std::getline(in, line);) {
    if (!line.empty() && !line.starts_with('#')) gaps.insert(line);
  }
  return gaps;
}

void write_gaps(const std::set<std::string>& gaps) {
  std::ofstream out(gaps_file());
  out << "# Classes in right/ that earn a message, and classes in wrong/ that are accepted in silence, or of "
         "which is only said that they are not proved. There should be none.\n# AUTOSHARD_UPDATE_GOLDEN=1 "
         "build/bin/proof_test writes this list.\n";
  for (const std::string& gap : gaps) out << gap << '\n';
}

/// Compares the gaps among `entities` with those that are known.
void expect_gaps(const std::string& header, const Reading& reading, bool is_wrong) {
  std::set<std::string> expected = known_gaps();
  std::set<std::string> all = expected;
  std::erase_if(expected, [&](const std::string& gap) { return !gap.starts_with(header + " "); });
  std::set<std::string> found;
  std::string said;
  for (const Judged& entity : reading.entities) {
    if (entity.messages.empty() == is_wrong) found.insert(header + " " + entity.name);
    if (is_wrong && entity.is_warned_only()) found.insert(header + " " + entity.name + ": not proved");
    if (!is_wrong) said += fmt::format("{}\n", fmt::join(entity.messages, "\n"));
  }
  if (std::getenv("AUTOSHARD_UPDATE_GOLDEN")) {
    std::erase_if(all, [&](const std::string& gap) { return gap.starts_with(header + " "); });
    all.merge(std::set(found));
    return write_gaps(all);
  }
  EXPECT_EQ(found, expected) << said;
}

TEST_P(RightClasses, AreAcceptedInSilence) {
  const Reading reading = read(GetParam());
  ASSERT_TRUE(reading.parsed) << reading.errors;
  EXPECT_EQ(reading.errors, "");
  EXPECT_FALSE(reading.entities.empty());
  expect_gaps(GetParam(), reading, false);
}

TEST_P(WrongClasses, AreNeverAcceptedInSilence) {
  const Reading reading = read(GetParam());
  ASSERT_TRUE(reading.parsed) << reading.errors;
  EXPECT_EQ(reading.errors, "");
  EXPECT_FALSE(reading.entities.empty());
  for (const Judged& entity : reading.entities) {
    EXPECT_TRUE(entity.comment.find("// wrong: ") != std::string::npos)
        << entity.name << " does not say what is wrong";
  }
  expect_gaps(GetParam(), reading, true);
}

std::string name_of(const testing::TestParamInfo<std::string>& header) {
  return fs::path(header.param).filename().string();
}

INSTANTIATE_TEST_SUITE_P(Headers, RightClasses, testing::ValuesIn(headers_in("right")), name_of);
INSTANTIATE_TEST_SUITE_P(Headers, WrongClasses, testing::ValuesIn(headers_in("wrong")), name_of);

/// The classes break a law where elements of different keys meet, mostly for two values that are rarely
/// tried. Each hides that in another way. The broken law is that of the fold, or, of some classes, that of
/// the update: no other law may be proved key by key.
TEST(HiddenClasses, AreNotProvedByKey) {
  const std::set<std::string> of_wrong_updates = {"aliasm", "dbl", "mapeq", "swapref"};
  std::string output;
  llvm::raw_string_ostream errors(output);
  ParseRequest request;
  for (const std::string& header : headers_in("hidden"))
    request.headers.push_back((fs::path(CLASSES_FOLDER) / (header + ".h")).string());
  request.flags = {"-std=c++20"};
  std::size_t classes = 0;
  parse(request, errors, [&](ParsedHeaders& parsed) {
    const Compiled compiled = compile(parsed, {}, {}, Scrutiny::kLaws);
    for (const EntityLaws& one : compiled.laws) {
      ++classes;
      for (const Law& law : one.laws) {
        if (law.how != Law::How::kByKey) continue;
        EXPECT_TRUE(law.property && of_wrong_updates.contains(one.entity->kind)) << one.entity->kind;
      }
    }
  });
  EXPECT_GT(classes, 70U) << output;
}

}  // namespace
}  // namespace autoshard::tool
