#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tool/emit/emit.h"
#include "tool/emit/origin.h"
#include "tool/emit/signature.h"
#include "tool/model/shard_names.h"
#include "tool/text/template.h"

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

std::string declarator(const Entity& entity, const Method& method) {
  const bool leads = return_type_leads(method);
  return fill("$specifier$$leading$ $scope$::$name$($parameters$)$qualifiers$$trailing$",
              {{"specifier", specifier(entity, method)},
               {"leading", leads ? method.return_type : "auto"},
               {"scope", method.scope.empty() ? entity.name : method.scope},
               {"name", method.name},
               {"parameters", parameter_list(method, Where::kWrapper)},
               {"qualifiers", behind_blank(method.qualifiers)},
               {"trailing", leads ? "" : " -> " + method.return_type}});
}

std::string initialisers(const std::vector<std::pair<std::string, std::string>>& values) {
  std::string text;
  for (const auto& [member, value] : values) text += (text.empty() ? "." : ", .") + member + " = " + value;
  return text;
}

/// How one method begins with the values of the companion, and what it does to them in the end.
struct Values {
  std::string pending;     ///< what the first run begins with
  std::string aggregated;  ///< what the second one does
  std::string keep;
};

constexpr std::string_view kPending = "autoshard_.pending";

/// A method runs on copies, lest a body that throws has changed anything. Nothing reads a group, so the runs
/// begin with empty ones, and adding to a great one costs no more than to a small one.
Values values(const Entity& entity, const Method& method, const std::string& pending,
              const std::string& total) {
  std::vector<std::pair<std::string, std::string>> begun;
  std::vector<std::pair<std::string, std::string>> aggregated;
  std::string add;
  std::string keep_pending;
  std::string keep;
  const auto pending_of = [](const std::string& member) { return std::string(kPending) + "." + member; };
  for (const std::string& member : method.touches) {
    const Property& property = *entity.property(member);
    const std::string own = (has_parameter(method, member) ? "this->" : "") + member;
    const auto from = [&](const std::string& shard) {
      return as_rvalue(shard + "." + member, property.type.trivially_copyable);
    };
    if (property.is_group()) {
      add += "::autoshard::add_all(" + own + ", " + total + "." + member + ");\n";
      add += "::autoshard::add_all(" + pending_of(member) + ", " + pending + "." + member + ");\n";
      continue;
    }
    aggregated.emplace_back(member, own);
    begun.emplace_back(member, pending_of(member));
    keep_pending += pending_of(member) + " = " + from(pending) + ";\n";
    if (is_replaceable(entity, property)) {
      const std::string note = replaced_name(property);
      begun.emplace_back(note, pending_of(note));
      keep_pending += pending_of(note) + " = " + pending + "." + note + ";\n";
    }
    if (std::ranges::find(method.writes, member) != method.writes.end())
      keep += own + " = " + from(total) + ";\n";
  }
  Values values{
      .pending = " = " + std::string(kPending),
      .aggregated = initialisers(aggregated),
      .keep = std::string(kPending) + " = " + as_rvalue(pending, entity.has_trivial_shard()) + ";\n" + keep};
  if (!add.empty()) {
    values.pending = "{" + initialisers(begun) + "}";
    values.keep = add + keep_pending + keep;
  }
  return values;
}

std::string shard_method(const Entity& entity, const Method& method) {
  const std::string pending = local(entity, method, "pending");
  const std::string total = local(entity, method, "total");
  const std::string result = local(entity, method, "result");
  const Arguments passed = arguments(entity, method);
  const Values own = values(entity, method, pending, total);

  std::string returned;
  if (method.result == Result::kValue) returned = "return " + result + ";";
  if (method.result == Result::kSelfReference || method.result == Result::kSelfValue)
    returned = "return *this;";
  if (method.result == Result::kSelfPointer) returned = "return this;";

  return fill(R"(
$declarator$ {
  Shard $pending$$begun$;
  Shard $total${$aggregated$};
  $copies$
  $first_run$;
  $result$$total$.$name$($second$);
  $keep$
  $return$
}

)",
              {{"declarator", declarator(entity, method)},
               {"pending", pending},
               {"total", total},
               {"begun", own.pending},
               {"aggregated", own.aggregated},
               {"copies", passed.copies},
               {"name", method.name},
               {"first_run", discarded(method, pending + "." + method.name + "(" + passed.first + ")")},
               {"result", method.result == Result::kValue ? "auto " + result + " = " : ""},
               {"second", passed.second},
               {"keep", own.keep},
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
