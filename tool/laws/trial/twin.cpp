#include "tool/laws/trial/twin.h"

#include <set>
#include <utility>
#include <vector>

#include "tool/text/changes.h"
#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

/// The namespace `std` of a twin. Names that are declared in it hide those of the real `std`.
constexpr std::string_view kTwin = R"(
namespace $scope$ {
namespace std {
using namespace ::std;
$for name$
using $stand_ins$::$name$;
$end$
template <class Character, class...>
  requires is_same_v<Character, char>
using basic_string = string;
using ::std::erase_if;
inline namespace literals {
inline namespace string_literals {
$how$ string operator""s(const char* text, size_t size) { return string(text, size); }
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

/// The stand-ins for names of namespace std.
struct StandIns {
  std::string_view scope;
  std::vector<std::string> names;
  std::string_view how;  ///< the specifier of functions
};
StandIns stand_ins_for(Follower follower) {
  std::vector<std::string> names = {"erase_if",  "map",           "set",          "string",
                                    "to_string", "unordered_map", "unordered_set"};
  if (follower == Follower::kProver) {
    return {"autoshard_one_key", std::move(names), "inline"};
  }
  for (const char* name : {"deque", "inplace_merge", "list", "stable_sort", "vector"})
    names.emplace_back(name);
  return {"autoshard_stand_ins", std::move(names), "constexpr"};
}

/// The most steps of an evaluation. Sets of a hundred elements are inserted one by one.
constexpr unsigned kMostSteps = 400'000;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The text of `file` without annotations, `#include` and `#pragma`.
std::string text_of(const SourceFile& file) {
  std::vector<Change> changes;
  for (const Edit& edit : file.attribute_edits) changes.push_back({edit});
  for (const Span& directive : file.directives) changes.push_back({{directive, "\n"}});
  if (file.text.starts_with(kByteOrderMark))
    changes.push_back({{{.file = 0, .begin = 0, .end = kByteOrderMark.size()}, ""}});
  return apply_changes(file.text, std::move(changes)).text;
}

/// The macros that the text defines, such as its include guard.
Rounds macros_of(const SourceFile& file) {
  Rounds rounds;
  for (const std::string& name : file.macros) rounds.push_back({{"name", name}});
  return rounds;
}

/// The outermost namespaces with an entity in them. The twin must find names that other files declare there.
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

Twin::Twin(const Model& model, std::uint32_t file, bool is_first, Evaluator& evaluator, Follower follower)
    : evaluator_(evaluator),
      scope_((follower == Follower::kProver ? "autoshard_followed" : "autoshard_twin") +
             std::to_string(file)) {
  evaluator_.limit(kMostSteps);
  if (is_first)
    problem_ = evaluator_.compile("", "", follower == Follower::kProver ? kOneKeyStandIns : kStandIns);
  if (!problem_.empty()) return;
  const SourceFile& source = model.files[file];
  const StandIns stand_ins = stand_ins_for(follower);
  Rounds names;
  for (const std::string& name : stand_ins.names)
    names.push_back({{"name", name}, {"stand_ins", std::string(stand_ins.scope)}});
  problem_ = evaluator_.compile(
      "", "",
      fill(kTwin, {{"scope", scope_}, {"how", std::string(stand_ins.how)}, {"text", text_of(source)}},
           {{"name", names}, {"namespace", outer_namespaces(model)}, {"macro", macros_of(source)}}));
}

Twin::~Twin() { evaluator_.limit(kUsualSteps); }

std::string Twin::compile(std::string_view owner, std::string_view nested, const std::string& text) {
  const std::string qualified = owner.empty() ? "" : scope_ + "::" + std::string(owner);
  return evaluator_.compile(qualified, nested, "namespace " + scope_ + " {\n" + text + "\n}\n");
}

Evaluator::Value Twin::call(std::string_view function, const Arguments& arguments) {
  return evaluator_.call(name_of(function), arguments);
}

}  // namespace autoshard::tool
