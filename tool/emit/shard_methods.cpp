#include <algorithm>
#include <string>

#include "tool/emit/emit.h"
#include "tool/emit/origin.h"
#include "tool/emit/signature.h"
#include "tool/emit/template.h"

namespace autoshard::tool {
namespace {

bool has_parameter(const Method& method, std::string_view name) {
  return std::ranges::any_of(method.parameters, [&](const Parameter& p) { return p.name == name; });
}

bool has_member(const Entity& entity, std::string_view name) {
  return entity.property(name) != nullptr ||
         std::ranges::any_of(entity.methods, [&](const Method& m) { return m.name == name; }) ||
         std::ranges::any_of(entity.other_names, [&](const Name& n) { return n.name == name; });
}

/// A name for a local variable that would hide nothing.
std::string local(const Entity& entity, const Method& method, std::string name) {
  while (has_parameter(method, name) || has_member(entity, name)) name = "the_" + name;
  return name;
}

/// Of the copy for the first run. (Two underscores in a row would make it reserved.)
std::string first_name(const Parameter& parameter) {
  const std::size_t letters = std::min(parameter.name.find_first_not_of('_'), parameter.name.size());
  return "first_" + parameter.name.substr(letters);
}

struct Arguments {
  std::string copies;  ///< local copies of what the first run might change under the second one
  std::string first;
  std::string second;
};

/// The first run gets copies of what it may move from or write to; only the second has the caller's own.
Arguments arguments(const Entity& entity, const Method& method) {
  Arguments result;
  for (const Parameter& parameter : method.parameters) {
    const std::string separator = result.first.empty() ? "" : ", ";
    std::string first = parameter.name;
    std::string second = parameter.name;
    switch (parameter.passing) {
      case Passing::kValue:
        if (!parameter.type.trivially_copyable) second = "std::move(" + second + ")";
        break;
      case Passing::kConstReference:
        break;
      case Passing::kReference:
      case Passing::kRvalueReference: {
        const std::string copy = local(entity, method, first_name(parameter));
        result.copies += "auto " + copy + " = " + parameter.name + ";\n";
        const bool rvalue = parameter.passing == Passing::kRvalueReference;
        first = rvalue ? "std::move(" + copy + ")" : copy;
        if (rvalue) second = "std::move(" + second + ")";
        break;
      }
    }
    result.first += separator + first;
    result.second += separator + second;
  }
  return result;
}

std::string as_rvalue(const std::string& expression, bool trivially_copyable) {
  return trivially_copyable ? expression : "std::move(" + expression + ")";
}

/// A class may ask not to have its values ignored.
std::string discarded(const Method& method, const std::string& call) {
  return may_be_nodiscard(method) ? "static_cast<void>(" + call + ")" : call;
}

std::string specifier(const Entity& entity, const Method& method) {
  if (is_constexpr(entity, method)) return "constexpr ";
  return method.is_inline && !is_declared_inline(method) ? "inline " : "";
}

/// The return type leads where it is a built-in one; any other is found in the class only behind its name.
std::string declarator(const Entity& entity, const Method& method) {
  const bool leads = method.builtin_return_type;
  return fill("$specifier$$leading$ $scope$::$name$($parameters$)$qualifiers$$trailing$",
              {{"specifier", specifier(entity, method)},
               {"leading", leads ? method.return_type : "auto"},
               {"scope", method.scope.empty() ? entity.name : method.scope},
               {"name", method.name},
               {"parameters", parameter_list(method, Where::kWrapper)},
               {"qualifiers", behind_blank(method.qualifiers)},
               {"trailing", leads ? "" : " -> " + method.return_type}});
}

std::string shard_method(const Entity& entity, const Method& method) {
  const std::string pending = local(entity, method, "pending");
  const std::string total = local(entity, method, "total");
  const std::string result = local(entity, method, "result");
  const Arguments passed = arguments(entity, method);

  std::string aggregated;
  std::string keep;
  for (const std::string& member : method.touches) {
    const std::string own = (has_parameter(method, member) ? "this->" : "") + member;
    aggregated += (aggregated.empty() ? "." : ", .") + member + " = " + own;
    if (std::ranges::find(method.writes, member) == method.writes.end()) continue;
    keep += own + " = " + as_rvalue(total + "." + member, entity.property(member)->type.trivially_copyable) +
            ";\n";
  }

  std::string returned;
  if (method.result == Result::kValue) returned = "return " + result + ";";
  if (method.result == Result::kSelfReference || method.result == Result::kSelfValue)
    returned = "return *this;";
  if (method.result == Result::kSelfPointer) returned = "return this;";

  return fill(R"(
$declarator$ {
  Shard $pending$ = $state$.pending;
  Shard $total${$aggregated$};
  $copies$
  $first_run$;
  $result$$total$.$name$($second$);
  $state$.pending = $moved_pending$;
  $keep$
  $return$
}

)",
              {{"declarator", declarator(entity, method)},
               {"pending", pending},
               {"total", total},
               {"aggregated", aggregated},
               {"copies", passed.copies},
               {"name", method.name},
               {"state", "autoshard_"},
               {"first_run", discarded(method, pending + "." + method.name + "(" + passed.first + ")")},
               {"result", method.result == Result::kValue ? "auto " + result + " = " : ""},
               {"second", passed.second},
               {"moved_pending", as_rvalue(pending, entity.has_trivial_shard())},
               {"keep", keep},
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
  const bool leads = outside.builtin_return_type;
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
