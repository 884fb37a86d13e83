#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tool/emit/emit.h"
#include "tool/emit/origin.h"
#include "tool/emit/sharded_members.h"
#include "tool/emit/signature.h"
#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

bool has_parameter(const Method& method, std::string_view name) {
  return std::ranges::find(method.parameters, name, &Parameter::name) != method.parameters.end();
}

/// A name for a local variable that hides no parameter and no member.
std::string local(const Entity& entity, const Method& method, std::string name) {
  while (has_parameter(method, name) || has_member(entity, name)) name = "the_" + name;
  return name;
}

std::string specifier(const Entity& entity, const Method& method) {
  if (is_constexpr(entity, method)) return "constexpr ";
  return method.is_inline && !is_declared_inline(method) ? "inline " : "";
}

std::string declarator(const Entity& entity, const Method& method) {
  // Inside the companion, another declaration may have the name of a class.
  const bool leads =
      return_type_leads(method) || (method.scope.empty() && method.return_type == entity.name + "&");
  return fill("$specifier$$leading$ $scope$::$name$($parameters$)$qualifiers$$trailing$",
              {{"specifier", specifier(entity, method)},
               {"leading", leads ? method.return_type : "auto"},
               {"scope", method.scope.empty() ? entity.name : method.scope},
               {"name", method.name},
               {"parameters", parameter_list(method, Where::kWrapper)},
               {"qualifiers", behind_blank(method.qualifiers)},
               {"trailing", leads ? "" : " -> " + method.return_type}});
}

/// Whether a run of the method might change the argument for `parameter`.
bool is_changed(const Parameter& parameter) {
  return parameter.passing == Passing::kReference || parameter.passing == Passing::kRvalueReference;
}

/// The run of the method that a call belongs to.
enum class Run { kFirst, kLast };

/// The argument for `parameter`. The last run may move from the caller's arguments.
std::string argument(const Parameter& parameter, Run run) {
  const bool is_own_value = parameter.passing == Passing::kValue && !parameter.type.trivially_copyable;
  const bool is_moved = parameter.passing == Passing::kRvalueReference || (is_own_value && run == Run::kLast);
  return is_moved ? "std::move(" + parameter.name + ")" : parameter.name;
}

/// The captures of the lambda that calls the method. The first run captures copies of the arguments that it
/// might change.
std::string captures(const Method& method, Run run) {
  if (method.parameters.empty()) return {};
  std::string copies;
  bool has_others = false;
  for (const Parameter& parameter : method.parameters) {
    if (run == Run::kFirst && is_changed(parameter)) {
      copies += (copies.empty() ? "" : ", ") + parameter.name;
    } else {
      has_others = true;
    }
  }
  if (!has_others) return copies;
  return copies.empty() ? "&" : "&, " + copies;
}

/// A lambda that calls `method` of a shard.
std::string call_on_shard(const Entity& entity, const Method& method, Run run) {
  std::string arguments;
  for (const Parameter& parameter : method.parameters)
    arguments += (arguments.empty() ? "" : ", ") + argument(parameter, run);
  const bool copies = run == Run::kFirst && std::ranges::any_of(method.parameters, is_changed);
  return fill("[$captures$]($type$& $shard$)$mutable$ { $return$$shard$.$name$($arguments$); }",
              {{"captures", captures(method, run)},
               {"type", has_parameter(method, "Shard") ? "struct Shard" : "Shard"},
               {"shard", local(entity, method, "shard")},
               {"mutable", copies ? " mutable" : ""},
               {"return", method.result == Result::kValue ? "return " : ""},
               {"name", method.name},
               {"arguments", arguments}});
}

/// The functions that `State::update` calls: one function for both runs, or one for each run if they differ.
std::string calls_on_shard(const Entity& entity, const Method& method) {
  const auto is_group = [&](const std::string& member) { return entity.property(member)->is_group(); };
  const std::string last = call_on_shard(entity, method, Run::kLast);
  if (std::ranges::all_of(method.touches, is_group)) return last;
  const std::string first = call_on_shard(entity, method, Run::kFirst);
  return first == last ? last : first + ", " + last;
}

std::string shard_method(const Entity& entity, const Method& method) {
  std::string_view returned;
  if (method.result == Result::kSelfReference || method.result == Result::kSelfValue)
    returned = "return *this;";
  if (method.result == Result::kSelfPointer) returned = "return this;";

  return fill(R"(
$declarator$ {
  $result$autoshard_.update$members$(*this, $calls$);
  $return$
}

)",
              {{"declarator", declarator(entity, method)},
               {"result", method.result == Result::kValue ? "return " : ""},
               {"members", members_used(entity, method)},
               {"calls", calls_on_shard(entity, method)},
               {"return", returned}});
}

}  // namespace

std::string shard_methods(const Entity& entity, const SourceFile& source) {
  std::string text;
  for (const Method& method : entity.methods) {
    if (method.is_shard_method() && method.is_defined_in_class())
      text += stands_for(source, method.span.begin) + shard_method(entity, method);
  }
  return text;
}

std::string head_of_definition(const Entity& entity, const Method& outside, const SourceFile& source) {
  const std::string type = return_type_in_shard(outside);
  const bool leads = return_type_leads(outside) && type == outside.return_type;
  return stands_for(source, outside.span.begin) +
         fill("$specifier$$leading$ $scope$::Shard::$name$($parameters$)$qualifiers$$trailing$ ",
              {{"specifier", specifier(entity, outside)},
               {"leading", leads ? type : "auto"},
               {"scope", outside.scope},
               {"name", outside.name},
               {"parameters", parameter_list(outside, Where::kShardOutside)},
               {"qualifiers", behind_blank(without_ref_qualifier(outside.qualifiers))},
               {"trailing", leads ? "" : " -> " + type}});
}

std::string shard_method_outside(const Entity& entity, const Method& outside, const SourceFile& source) {
  return "\n\n" + stands_for(source, outside.span.begin) + shard_method(entity, outside);
}

}  // namespace autoshard::tool
