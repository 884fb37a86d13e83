// Whether the prover sees mistakes. Each class in right/ is changed in many ways, one mistake at a time. The
// generator must refuse each of these mutants, unless it is right: then, its laws hold for random values in
// machine code, too. The laws of the classes as they are, and those that hold in wrong/, are tried on more
// values.
//
// AUTOSHARD_MUTANTS: how many mutants are tried, or `all`. AUTOSHARD_TEST_SEED chooses others.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <random>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "mutations.h"
#include "sampled_prover.h"
#include "test/tool/diagnostics/source.h"
#include "tool/check/check.h"
#include "tool/frontend/frontend.h"
#include "tool/laws/known.h"
#include "tool/pipeline.h"

namespace autoshard::tool {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kUsualMutants = 80;
/// Mutants that are parsed as one source.
constexpr std::size_t kTogether = 40;
constexpr std::size_t kTriesOfMutants = 3'000;
constexpr std::size_t kTriesOfProofs = 10'000;

std::uint64_t seed() {
  const char* const given = std::getenv("AUTOSHARD_TEST_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 20;
}

std::size_t mutants_wanted() {
  const char* const given = std::getenv("AUTOSHARD_MUTANTS");
  if (!given) return kUsualMutants;
  return std::string(given) == "all" ? SIZE_MAX : std::strtoull(given, nullptr, 10);
}

std::string text_of(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<fs::path> headers_in(const std::string& folder) {
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(CLASSES_FOLDER) / folder)) {
    if (entry.path().extension() == ".h") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  return paths;
}

/// What the generator, and random values, say of an entity.
struct Judged {
  std::vector<std::string> messages{};
  bool all_laws_proved = false;
  Objections objections{};  ///< of an entity without messages
};

struct Reading {
  bool parsed = false;
  std::string errors{};
  std::vector<std::pair<Span, Judged>> entities{};  ///< by their definitions
};

/// What was read, less the forms of methods and folds: laws that follow from them are asked of the prover,
/// too, but only to be tried.
class Asked : public Parsed {
 public:
  Asked(Parsed& parsed, const Model& model)
      : parsed_(parsed), model_(without_forms(model)), prover_(parsed.prover()) {}

  const Model& model() const override { return model_; }
  void report(const Diagnostics& /*diagnostics*/) override {}
  Evaluator& evaluator() override { return parsed_.evaluator(); }
  RecordingProver& prover() override { return prover_; }

 private:
  Parsed& parsed_;
  Model model_;
  RecordingProver prover_;
};

/// Whether one of the laws of `asked` is proved, or follows from the form of the same class as it was read.
bool is_known(const Entity& read, const EntityLaws& asked, Law law) {
  if (law.is_proved()) return true;
  if (law.method)
    law.method = &read.methods[static_cast<std::size_t>(law.method - &asked.entity->methods[0])];
  if (law.property)
    law.property = &read.properties[static_cast<std::size_t>(law.property - &asked.entity->properties[0])];
  return follows_from_form(read, law);
}

bool is_within(const Span& place, const Span& whole) {
  return place.file == whole.file && place.begin >= whole.begin && place.begin < whole.end;
}

/// `model` with a kind for each entity: mutants share the name of their class.
Model with_own_kinds(Model model) {
  for (Entity& entity : model.entities) entity.kind = entity.qualified_name;
  return model;
}

/// Those of `model` whose rules are kept, so that a mistake in one does not keep the laws of others from
/// being tried.
Model right_part(Model model, const Diagnostics& problems) {
  std::erase_if(model.entities, [&](const Entity& entity) {
    return std::ranges::any_of(problems,
                               [&](const Diagnostic& one) { return is_within(one.span, entity.definition); });
  });
  return model;
}

/// Which proofs are tried.
enum class Tried { kOfAccepted, kAll };

Reading read(const fs::path& path, const std::string& text, Tried which, std::size_t tries) {
  Reading result;
  llvm::raw_string_ostream errors(result.errors);
  ParseRequest request;
  request.headers = {path.string()};
  request.contents = {{path.string(), text}};
  // What the standard library asserts counts for nothing, in the prover and in machine code.
  request.flags = {"-std=c++20", "-w", "-ferror-limit=0", "-D_GLIBCXX_ASSERTIONS"};
  parse(request, errors, [&](ParsedHeaders& parsed) {
    result.parsed = true;
    const Model model = with_own_kinds(parsed.model());
    Diagnostics messages = check(model);
    const Model right = right_part(model, messages);
    Asked asked(parsed, right);
    Compiled compiled = compile(asked, {}, {}, Scrutiny::kLaws);
    std::ranges::move(compiled.problems, std::back_inserter(messages));
    for (const Entity& entity : model.entities) {
      Judged judged;
      for (const Diagnostic& one : messages) {
        if (is_within(one.span, entity.definition))
          judged.messages.push_back(fmt::format("{} [{}]", one.message, one.rule));
      }
      const auto found = std::ranges::find_if(compiled.laws, [&](const EntityLaws& one) {
        return one.entity->definition.begin == entity.definition.begin;
      });
      if (found != compiled.laws.end() && (judged.messages.empty() || which == Tried::kAll)) {
        judged.all_laws_proved =
            std::ranges::all_of(found->laws, [&](const Law& law) { return is_known(entity, *found, law); });
        const std::string scope = fmt::format("autoshard_laws::e{}::", found - compiled.laws.begin());
        const std::string_view own(text.data() + entity.definition.begin,
                                   entity.definition.end - entity.definition.begin);
        judged.objections = objections_to(asked.prover(), scope, parsed.compiler(), own, tries, seed());
      }
      result.entities.emplace_back(entity.definition, std::move(judged));
    }
  });
  errors.flush();
  return result;
}

/// A class in right/, which is to be changed.
struct Original {
  fs::path path;
  std::string name;
  std::string text;                 ///< of its header, without the other entities and the directives
  std::string directives;           ///< of its header
  std::vector<Mutation> mutations;  ///< of the text
};

/// `text` without the bytes in `dropped`, but with all line ends; directives go to `directives`.
std::string without(std::string text, const std::vector<Span>& dropped, std::string& directives) {
  for (const Span& span : dropped) {
    for (std::size_t at = span.begin; at < span.end; ++at) {
      if (text[at] != '\n') text[at] = ' ';
    }
  }
  for (std::size_t line = 0; line < text.size(); line = text.find('\n', line) + 1) {
    if (text[line] == '#') {
      const std::size_t end = text.find('\n', line);
      if (!text.substr(line).starts_with("#pragma once")) directives += text.substr(line, end - line) + "\n";
      std::fill(text.begin() + static_cast<std::ptrdiff_t>(line),
                text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
    }
    if (text.find('\n', line) == std::string::npos) break;
  }
  return text;
}

/// Where a mistake is one in the laws: the bodies of shard methods, folds and what they may call, and the
/// folds and neutral values in annotations.
std::vector<Span> places_in(const Entity& entity) {
  std::vector<Span> places;
  for (const Method& method : entity.methods) {
    const bool matters = method.is_shard_method() || method.is_shard_fold() || method.is_static;
    if (matters && method.has_body && method.body.file == entity.definition.file)
      places.push_back(method.body);
  }
  for (const Property& property : entity.properties) {
    if (!property.marks.shardable) continue;
    for (const auto* argument : {&property.marks.shardable->fold, &property.marks.shardable->neutral}) {
      if (*argument) places.push_back((*argument)->value_span);
    }
  }
  return places;
}

void add_originals(const fs::path& path, std::vector<Original>& all) {
  const std::string text = text_of(path);
  std::string problem;
  llvm::raw_string_ostream errors(problem);
  ParseRequest request;
  request.headers = {path.string()};
  request.flags = {"-std=c++20"};
  parse(request, errors, [&](ParsedHeaders& parsed) {
    for (const Entity& entity : parsed.model().entities) {
      Original original{path, entity.name, {}, {}, {}};
      std::vector<Span> others;
      for (const Entity& other : parsed.model().entities) {
        if (other.definition.begin != entity.definition.begin) others.push_back(other.definition);
      }
      original.text = without(text, others, original.directives);
      for (const Span& place : places_in(entity))
        std::ranges::move(mutations_of(text, place.begin, place.end), std::back_inserter(original.mutations));
      all.push_back(std::move(original));
    }
  });
}

const std::vector<Original>& originals() {
  static const std::vector<Original> kAll = [] {
    std::vector<Original> all;
    for (const fs::path& path : headers_in("right")) add_originals(path, all);
    return all;
  }();
  return kAll;
}

struct Mutant {
  const Original* original = nullptr;
  const Mutation* mutation = nullptr;

  std::string text() const {
    std::string changed = original->text;
    return changed.replace(mutation->begin, mutation->end - mutation->begin, mutation->text);
  }
  std::string description() const {
    const std::string& text = original->text;
    const auto line = 1 + std::ranges::count(text.substr(0, mutation->begin), '\n');
    return fmt::format("{}:{}: {}: `{}` becomes `{}`", original->path.filename().string(), line,
                       original->name, text.substr(mutation->begin, mutation->end - mutation->begin),
                       mutation->text);
  }
};

struct Tally {
  std::size_t mutants = 0;
  std::size_t not_compiled = 0;
  std::size_t refused = 0;
  std::size_t proved = 0;      ///< right, by proofs that random values do not contradict
  std::size_t not_proved = 0;  ///< accepted, with a law that was only tried or left to tests
  std::size_t values = 0;
  std::size_t not_sampled = 0;
  std::vector<std::string> wrong_proofs{};
  std::vector<std::string> wrong_silence{};
};

/// The mutants of one header, in one text: each with a namespace around it.
class Together {
 public:
  explicit Together(const std::vector<Mutant>& mutants) : mutants_(mutants) {}

  void judge(Tally& tally) {
    tally.mutants += mutants_.size();
    compiled_ = std::vector(mutants_.size(), true);
    Reading reading;
    for (int round = 0; round < 4; ++round) {
      reading = read(path(), text(), Tried::kOfAccepted, kTriesOfMutants);
      if (reading.parsed) break;
      drop_those_in(reading.errors);
    }
    ASSERT_TRUE(reading.parsed) << reading.errors;
    tally.not_compiled += static_cast<std::size_t>(std::ranges::count(compiled_, false));
    for (const auto& [span, judged] : reading.entities) note(number_at(span.begin), judged, tally);
  }

 private:
  fs::path path() const { return mutants_.front().original->path.parent_path() / "mutants.h"; }

  std::string text() {
    std::string all = "#pragma once\n" + mutants_.front().original->directives;
    begins_.clear();
    for (std::size_t at = 0; at < mutants_.size(); ++at) {
      begins_.push_back(all.size());
      if (compiled_[at]) all += fmt::format("namespace mutant{} {{\n{}\n}}\n", at, mutants_[at].text());
    }
    text_ = all;
    return all;
  }

  std::size_t number_at(std::size_t offset) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(begins_, offset) - begins_.begin()) - 1;
  }

  void drop_those_in(const std::string& errors) {
    std::vector<std::size_t> lines = {0};
    for (std::size_t at = 0; (at = text_.find('\n', at)) != std::string::npos;) lines.push_back(++at);
    static const std::regex kPlace("mutants\\.h:([0-9]+):");
    for (std::sregex_iterator place(errors.begin(), errors.end(), kPlace), end; place != end; ++place) {
      const std::size_t offset = lines.at(std::stoul((*place)[1]) - 1);
      if (offset >= begins_.front()) compiled_[number_at(offset)] = false;
    }
  }

  void note(std::size_t number, const Judged& judged, Tally& tally) {
    const std::string what = mutants_[number].description();
    const Objections& objections = judged.objections;
    tally.values += objections.counted;
    tally.not_sampled += objections.not_sampled.size();
    for (const std::string& one : objections.against_proofs)
      tally.wrong_proofs.push_back(what + "\n    " + one);
    if (!judged.messages.empty()) {
      ++tally.refused;
    } else if (judged.all_laws_proved && objections.against_the_rest.empty()) {
      ++tally.proved;
    } else {
      ++tally.not_proved;
      auto& list = judged.all_laws_proved ? tally.wrong_proofs : tally.wrong_silence;
      for (const std::string& one : objections.against_the_rest) list.push_back(what + "\n    " + one);
    }
  }

  const std::vector<Mutant>& mutants_;
  std::vector<bool> compiled_;
  std::vector<std::size_t> begins_;
  std::string text_;
};

/// Some mutants, by the headers of their classes.
std::map<fs::path, std::vector<Mutant>> chosen() {
  std::vector<Mutant> all;
  for (const Original& original : originals()) {
    for (const Mutation& mutation : original.mutations) all.push_back({&original, &mutation});
  }
  std::cout << fmt::format("{} classes have {} mutants\n", originals().size(), all.size());
  std::mt19937_64 random(seed());
  std::ranges::shuffle(all, random);
  all.resize(std::min(all.size(), mutants_wanted()));
  std::map<fs::path, std::vector<Mutant>> by_header;
  for (const Mutant& mutant : all) by_header[mutant.original->path].push_back(mutant);
  return by_header;
}

TEST(Mutants, AreRefusedOrRight) {
  std::cout << "AUTOSHARD_TEST_SEED=" << seed() << '\n';
  Tally tally;
  for (const auto& [path, mutants] : chosen()) {
    for (std::size_t at = 0; at < mutants.size(); at += kTogether) {
      const std::vector<Mutant> some(
          mutants.begin() + static_cast<std::ptrdiff_t>(at),
          mutants.begin() + static_cast<std::ptrdiff_t>(std::min(at + kTogether, mutants.size())));
      Together(some).judge(tally);
      if (HasFatalFailure()) return;
    }
  }
  for (const std::string& one : tally.wrong_silence)
    std::cout << "accepted, not proved, and wrong: " << one << '\n';
  std::cout << fmt::format(
      "{} mutants: {} do not compile, {} are refused, {} are right, {} are accepted without a proof, of "
      "which "
      "{} are wrong; {} values, {} proofs could not be sampled\n",
      tally.mutants, tally.not_compiled, tally.refused, tally.proved, tally.not_proved,
      tally.wrong_silence.size(), tally.values, tally.not_sampled);
  EXPECT_GT(tally.refused, 0U);
  EXPECT_GT(tally.proved, 0U);
  EXPECT_TRUE(tally.wrong_proofs.empty()) << fmt::format("{}", fmt::join(tally.wrong_proofs, "\n"));
}

/// Every proof of a test's class holds for random values.
class Proofs : public testing::TestWithParam<fs::path> {};

TEST_P(Proofs, HoldForRandomValues) {
  std::string text = text_of(GetParam());
  const Reading reading = read(GetParam(), text, Tried::kAll, kTriesOfProofs);
  ASSERT_TRUE(reading.parsed) << reading.errors;
  std::size_t sampled = 0;
  std::vector<std::string> not_sampled;
  for (const auto& [span, judged] : reading.entities) {
    const Objections& objections = judged.objections;
    sampled += objections.sampled;
    std::ranges::copy(objections.not_sampled, std::back_inserter(not_sampled));
    EXPECT_TRUE(objections.against_proofs.empty())
        << fmt::format("{}", fmt::join(objections.against_proofs, "\n"));
  }
  for (const std::string& one : not_sampled) std::cout << "not sampled: " << one << '\n';
  std::cout << fmt::format("{} proofs hold for random values, {} could not be sampled\n", sampled,
                           not_sampled.size());
}

std::vector<fs::path> all_headers() {
  std::vector<fs::path> all = headers_in("right");
  std::ranges::move(headers_in("wrong"), std::back_inserter(all));
  return all;
}

std::string name_of(const testing::TestParamInfo<fs::path>& header) { return header.param.stem().string(); }

INSTANTIATE_TEST_SUITE_P(Headers, Proofs, testing::ValuesIn(all_headers()), name_of);

}  // namespace
}  // namespace autoshard::tool
