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
$for macro$
#undef $name$
$end$
namespace $scope$ {
$text$
}
)";

/// How many steps an evaluation may take: sets of a hundred elements are inserted one by one.
constexpr unsigned kMostSteps = 400'000;

/// The text of `file` without annotations, `#include` and `#pragma`.
std::string text_of(const SourceFile& file) {
  std::vector<Change> changes;
  for (const Edit& edit : file.attribute_edits) changes.push_back({edit});
  for (const Span& directive : file.directives) changes.push_back({{directive, "\n"}});
  return apply_changes(file.text, std::move(changes)).text;
}

/// The macros that the text defines, such as its include guard.
Rounds macros_of(const SourceFile& file) {
  Rounds rounds;
  for (const std::string& name : file.macros) rounds.push_back({{"name", name}});
  return rounds;
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
  problem_ = evaluator_.compile(
      "", "",
      fill(kTwin, {{"scope", scope_}, {"text", text_of(model.files[file])}},
           {{"namespace", outer_namespaces(model)}, {"macro", macros_of(model.files[file])}}));
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
