#include <cctype>
#include <string>
#include <utility>

#include "tool/emit/emit.h"
#include "tool/emit/origin.h"
#include "tool/emit/signature.h"
#include "tool/emit/template.h"

namespace autoshard::tool {
namespace {

/// `text` as an initialiser of a member: `= text`, which a braced list and an expression both allow.
std::string member_of_shard(const Property& property) {
  return fill(
      "$type$ $name$ = $neutral$;\n",
      {{"type", property.type_text}, {"name", property.name}, {"neutral", property.sharding->neutral}});
}

/// The body as the user wrote it; where `#if` left a part of it out, compiling that part is refused.
std::string body_of(const Method& method, const std::vector<SourceFile>& files) {
  const SourceFile& source = files[method.body.file];
  if (source.is_in_place()) return moved(source, method.body);
  std::string body;
  std::uint32_t position = method.body.begin;
  for (const Span& region : source.skipped) {
    if (region.begin < position || region.end > method.body.end) continue;
    body += source.text.substr(position, region.begin - position) + skipped_region_guard(source);
    position = region.begin;
  }
  return body + source.text.substr(position, method.body.end - position);
}

std::string method_of_shard(const Entity& entity, const Method& method, const std::string& body) {
  return fill("$constexpr$$type$ $name$($parameters$)$qualifiers$ $body$\n",
              {{"constexpr", is_constexpr(entity, method) ? "constexpr " : ""},
               {"type", return_type_in_shard(method)},
               {"name", method.name},
               {"parameters", parameter_list(method, Where::kShard)},
               {"qualifiers", behind_blank(without_ref_qualifier(method.qualifiers))},
               {"body", body}});
}

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Whether `name` stands in `text` as a word of its own.
bool mentions(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end]))) return true;
  }
  return false;
}

/// Names for the two values that a fold's expression does not use itself.
std::pair<std::string, std::string> operands(const std::string& fold) {
  const bool is_lambda = fold.find('[') != std::string::npos;
  std::pair<std::string, std::string> names = is_lambda ? std::pair("left_", "right_") : std::pair("x", "y");
  for (std::string* name : {&names.first, &names.second}) {
    while (mentions(fold, *name)) name->insert(0, "the_");
  }
  return names;
}

std::string fold_call(const Property& property, const std::string& x, const std::string& y) {
  const Sharding& sharding = *property.sharding;
  const bool moves = sharding.takes_rvalues || !property.type.trivially_copyable;
  const std::string first = moves ? "std::move(" + x + ")" : x;
  const std::string second =
      sharding.takes_rvalues ? "static_cast<" + property.type_text + ">(" + y + ")" : y;
  const std::string call = sharding.needs_invoke
                               ? "std::invoke(" + sharding.fold + ", " + first + ", " + second + ")"
                               : sharding.fold + "(" + first + ", " + second + ")";
  // Arithmetic makes an int of anything smaller.
  return property.type.promotes_to_int ? "static_cast<" + property.type_text + ">(" + call + ")" : call;
}

std::string fold_of_shard(const Property& property) {
  const auto [x, y] = operands(property.sharding->fold);
  return fill("static $type$ fold_$name$($type$ $x$, const $type$& $y$) { return $call$; }\n",
              {{"type", property.type_text},
               {"name", property.name},
               {"x", x},
               {"y", y},
               {"call", fold_call(property, x, y)}});
}

}  // namespace

std::string shard_struct(const Entity& entity, const std::vector<SourceFile>& files, std::string_view name,
                         Bodies bodies) {
  std::string members;
  std::string folds;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    const std::string place = stands_for(files[property.span.file], property.span.begin);
    members += place + member_of_shard(property);
    folds += place + fold_of_shard(property);
  }
  std::string methods;
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method()) continue;
    const bool with_body = bodies == Bodies::kAll ? method.has_body : method.is_defined_in_class();
    // The body knows the parameters by the names that they have where it stands.
    const Method& declared = with_body && !method.definition.empty() ? method.definition.front() : method;
    methods += method_of_shard(entity, declared, with_body ? " " + body_of(method, files) : ";");
  }
  return fill(R"(
/// The sharded members of $entity$ alone, each neutral until a shard method changes it.
struct $name$ {
$members$

$methods$

$folds$
};
)",
              {{"entity", entity.name},
               {"name", name},
               {"members", members},
               {"methods", methods},
               {"folds", folds}});
}

}  // namespace autoshard::tool
