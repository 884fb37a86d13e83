#include "tool/laws/twin.h"

#include <set>

#include "tool/text/changes.h"
#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

/// What `std` means in a twin. Names that are declared in it hide those of the real one.
constexpr std::string_view kTwin = R"(
namespace $scope$ {
namespace std {
using namespace ::std;
using autoshard_stand_ins::deque;
using autoshard_stand_ins::erase_if;
using autoshard_stand_ins::inplace_merge;
using autoshard_stand_ins::list;
using autoshard_stand_ins::map;
using autoshard_stand_ins::set;
using autoshard_stand_ins::stable_sort;
using autoshard_stand_ins::string;
using autoshard_stand_ins::to_string;
using autoshard_stand_ins::unordered_map;
using autoshard_stand_ins::unordered_set;
using autoshard_stand_ins::vector;
template <class Character, class...>
  requires is_same_v<Character, char>
using basic_string = string;
using ::std::erase_if;
inline namespace literals {
inline namespace string_literals {
constexpr string operator""s(const char* text, size_t size) { return string(text, size); }
}
}
}
$for namespace$
namespace $name$ {
using namespace ::$name$;
}
$end$
}
$macro$
namespace $scope$ {
$text$
}
)";

/// How many steps an evaluation may take: sets of a hundred elements are inserted one by one.
constexpr unsigned kMostSteps = 400'000;

/// The first word of `text` behind `at`.
std::string word_at(std::string_view text, std::size_t at) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t", at), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
  return std::string(text.substr(begin, end - begin));
}

/// `text` without the lines that include other files or say `#pragma`. `guard` becomes the macro of the first
/// `#ifndef`, which may be that of an include guard.
std::string without_includes(const std::string& text, std::string& guard) {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    const std::size_t first = text.find_first_not_of(" \t", begin);
    std::string directive;
    if (first < end && text[first] == '#') directive = word_at(text, first + 1);
    if (directive == "ifndef" && guard.empty())
      guard = word_at(text, text.find("ifndef", first) + std::string_view("ifndef").size());
    const bool is_left_out = directive.starts_with("include") || directive == "pragma";
    result += is_left_out ? "\n" : text.substr(begin, end - begin);
    begin = end;
  }
  return result;
}

std::string without_annotations(const SourceFile& file) {
  std::vector<Change> changes;
  for (const Edit& edit : file.attribute_edits) changes.push_back({edit});
  return apply_changes(file.text, std::move(changes)).text;
}

/// The names of the outermost namespaces with an entity in them: what other files declare there is to be
/// found.
Rounds outer_namespaces(const Model& model) {
  std::set<std::string> names;
  for (const Entity& entity : model.entities) {
    const std::size_t end = entity.qualified_name.find("::");
    if (end != std::string::npos) names.insert(entity.qualified_name.substr(0, end));
  }
  Rounds rounds;
  for (const std::string& name : names) rounds.push_back({{"name", name}});
  return rounds;
}

}  // namespace

Twin::Twin(const Model& model, std::uint32_t file, bool is_first, Evaluator& evaluator)
    : evaluator_(evaluator), scope_("autoshard_twin" + std::to_string(file)) {
  evaluator_.limit(kMostSteps);
  if (is_first) problem_ = evaluator_.compile("", "", kStandIns);
  if (!problem_.empty()) return;
  std::string guard;
  const std::string text = without_includes(without_annotations(model.files[file]), guard);
  problem_ = evaluator_.compile(
      "", "",
      fill(kTwin, {{"scope", scope_}, {"macro", guard.empty() ? "" : "#undef " + guard}, {"text", text}},
           {{"namespace", outer_namespaces(model)}}));
}

Twin::~Twin() { evaluator_.limit(kUsualSteps); }

std::string Twin::compile(std::string_view owner, std::string_view nested, const std::string& text) {
  const std::string qualified = owner.empty() ? "" : scope_ + "::" + std::string(owner);
  return evaluator_.compile(qualified, nested, "namespace " + scope_ + " {\n" + text + "\n}\n");
}

Evaluator::Value Twin::call(std::string_view function, const Arguments& arguments) {
  return evaluator_.call(scope_ + "::" + std::string(function), arguments);
}

}  // namespace autoshard::tool
