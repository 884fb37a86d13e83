#include <algorithm>
#include <string>
#include <utility>

#include "tool/emit/emit.h"
#include "tool/emit/origin.h"
#include "tool/emit/signature.h"
#include "tool/model/shard_names.h"
#include "tool/text/template.h"
#include "tool/text/word.h"

namespace autoshard::tool {
namespace {

/// Whether the text has marks of the user's lines. Laws are compiled from text without marks.
bool has_marks(const SourceFile& source, Bodies bodies) {
  return source.is_in_place() && bodies != Bodies::kAll;
}

/// A part of a body as the user wrote it. If `#if` excluded a part of it, an `#error` rejects the text.
std::string written(const SourceFile& source, const Span& part, Bodies bodies) {
  if (has_marks(source, bodies)) return moved(source, part);
  std::string text;
  std::uint32_t position = part.begin;
  for (const Span& region : source.skipped) {
    if (region.begin < position || region.end > part.end) continue;
    text += source.text.substr(position, region.begin - position) + skipped_region_guard();
    position = region.begin;
  }
  return text + source.text.substr(position, part.end - position);
}

std::string body_of(const Entity& entity, const Method& method, const std::vector<SourceFile>& files,
                    Bodies bodies) {
  const SourceFile& source = files[method.body.file];
  const std::string notes = notes_of_write(entity, method);
  if (notes.empty()) return written(source, method.body, bodies);
  const std::uint32_t begin = method.statements_begin;
  return written(source, {method.body.file, method.body.begin, begin}, bodies) + notes +
         written(source, {method.body.file, begin, method.body.end}, bodies);
}

std::string method_of_shard(const Entity& entity, const Method& method, const std::string& body) {
  const bool trails = method.trailing_return_type && method.return_type_names_parameters;
  return fill("$constexpr$$leading$ $name$($parameters$)$qualifiers$$trailing$ $body$\n",
              {{"constexpr", is_constexpr(entity, method) ? "constexpr " : ""},
               {"leading", trails ? "auto" : return_type_in_shard(method)},
               {"name", method.name},
               {"parameters", parameter_list(method, Where::kShard)},
               {"qualifiers", behind_blank(without_ref_qualifier(method.qualifiers))},
               {"trailing", trails ? " -> " + method.return_type : ""},
               {"body", body}});
}

/// Names for the two operands of a fold. The fold's expression does not mention them.
std::pair<std::string, std::string> operands(const Sharding& sharding) {
  std::pair<std::string, std::string> names =
      sharding.is_lambda ? std::pair("left", "right") : std::pair("x", "y");
  for (std::string* name : {&names.first, &names.second}) {
    while (sharding.fold_names.contains(*name)) name->insert(0, "the_");
  }
  return names;
}

std::string call_of(const Sharding& sharding, const std::string& first, const std::string& second) {
  if (!sharding.infix.empty()) return first + " " + sharding.infix + " " + second;
  if (sharding.needs_invoke) return "std::invoke(" + sharding.fold + ", " + first + ", " + second + ")";
  return sharding.fold + "(" + first + ", " + second + ")";
}

std::string fold_call(const Property& property, const std::string& x, const std::string& y) {
  const Sharding& sharding = *property.sharding;
  const bool moves = sharding.takes_rvalues || !property.type.trivially_copyable;
  const std::string first = moves ? "std::move(" + x + ")" : x;
  const std::string second =
      sharding.takes_rvalues ? "static_cast<" + property.type_text + ">(" + y + ")" : y;
  const std::string call = call_of(sharding, first, second);
  // The result of arithmetic on a smaller integer is an `int`.
  return property.type.promotes_to_int ? "static_cast<" + property.type_text + ">(" + call + ")" : call;
}

/// Whether the fold takes two values of this type by value.
bool is_passed_by_value(const Type& type) {
  return type.kind == TypeKind::kBool || type.kind == TypeKind::kInteger ||
         type.kind == TypeKind::kFloating || type.kind == TypeKind::kEnum;
}

/// The mark of the line of `property`.
std::string place_of(const Property& property, const std::vector<SourceFile>& files, Bodies bodies) {
  const SourceFile& source = files[property.span.file];
  return has_marks(source, bodies) ? stands_for(source, property.span.begin) : "";
}

Rounds members(const Entity& entity, const std::vector<SourceFile>& files, Bodies bodies) {
  Rounds rounds;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    rounds.push_back({{"place", place_of(property, files, bodies)},
                      {"type", property.type_text},
                      {"member", property.name},
                      {"neutral", property.sharding->neutral},
                      {"replaced", is_replaceable(entity, property) ? replaced_name(property) : ""}});
  }
  return rounds;
}

Rounds methods(const Entity& entity, const std::vector<SourceFile>& files, Bodies bodies) {
  Rounds rounds;
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method()) continue;
    const bool with_body = bodies == Bodies::kAll ? method.has_body : method.is_defined_in_class();
    // The body uses the parameter names of the definition it belongs to.
    const Method& declared = with_body && !method.definition.empty() ? method.definition.front() : method;
    const std::string body = with_body ? " " + body_of(entity, method, files, bodies) : ";";
    rounds.push_back({{"method", method_of_shard(entity, declared, body)}});
  }
  return rounds;
}

Rounds folds(const Entity& entity, const std::vector<SourceFile>& files, Bodies bodies) {
  Rounds rounds;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.is_group()) continue;
    const auto [x, y] = operands(*property.sharding);
    const std::string& type = property.type_text;
    rounds.push_back({{"place", place_of(property, files, bodies)},
                      {"type", type},
                      {"fold", fold_name(property)},
                      {"x", x},
                      {"second", is_passed_by_value(property.type) ? type : "const " + type + "&"},
                      {"y", y},
                      {"call", fold_call(property, x, y)},
                      {"min", minimum_name(property)},
                      {"minimum", property.sharding->minimum},
                      {"max", maximum_name(property)},
                      {"maximum", property.sharding->maximum}});
  }
  return rounds;
}

}  // namespace

std::string notes_of_write(const Entity& entity, const Method& method) {
  std::string notes;
  if (!method.is_shard_write()) return notes;
  for (const Property* property : replaced_by(entity, method))
    notes += " " + replaced_name(*property) + " = true;";
  return notes;
}

std::string shard_struct(const Entity& entity, const std::vector<SourceFile>& files, std::string_view name,
                         Bodies bodies) {
  // `= neutral` is a valid initialiser for a braced list and for an expression.
  return fill(R"(
/// The sharded members of $entity$ alone, each neutral until a shard method changes it.
struct $struct$ {
  $for member$
  $place$$type$ $member$ = $neutral$;
  $if replaced$
  bool $replaced$ = false;
  $end$
  $end$

  $for method$
  $method$
  $end$

  $for fold$
  $place$static $type$ $fold$($type$ $x$, $second$ $y$) { return $call$; }
  $if minimum$
  static $type$ $min$() { return $minimum$; }
  $end$
  $if maximum$
  static $type$ $max$() { return $maximum$; }
  $end$
  $end$
};
)",
              {{"entity", entity.name}, {"struct", name}},
              {{"member", members(entity, files, bodies)},
               {"method", methods(entity, files, bodies)},
               {"fold", folds(entity, files, bodies)}});
}

}  // namespace autoshard::tool
