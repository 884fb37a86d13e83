#include <functional>

#include "tool/emit/emit.h"
#include "tool/laws/trial/probe.h"
#include "tool/laws/trial/samples.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

std::string enumerators(const Type& type) {
  Rounds rounds;
  for (const std::string& enumerator : type.enumerators)
    rounds.push_back({{"enumerator", enumerator}, {"text", string_literal(enumerator)}});
  return fill(R"(
template <>
struct autoshard_laws::Enumerators<$enum$> {
  static constexpr const char* name([[maybe_unused]] $enum$ value) {
    $for enumerator$
    if (value == $enumerator$) return $text$;
    $end$
    return nullptr;
  }
  $if all$
  static constexpr $enum$ one_like($enum$ value) {
    return autoshard_laws::holds(value, $all$) ? value : $first$;
  }
  $end$
};
)",
              {{"enum", type.qualified},
               {"all", joined(type.enumerators, ", ", std::identity())},
               {"first", type.enumerators.empty() ? "" : type.enumerators.front()}},
              {{"enumerator", rounds}});
}

std::string fields(const Type& type, Containers containers) {
  Rounds rounds;
  for (const Field& field : type.fields) {
    rounds.push_back({{"name", field.name},
                      {"label", string_literal((rounds.empty() ? "." : ", .") + field.name + " = ")}});
  }
  return fill(R"(
template <>
struct autoshard_laws::Fields<$struct$> {
  static constexpr bool kKnown = true;
  static constexpr bool same([[maybe_unused]] const $struct$& one, [[maybe_unused]] const $struct$& other) {
    $for field$
    if (!autoshard_laws::same(one.$name$, other.$name$)) return false;
    $end$
    return true;
  }
  $if provable$
  static constexpr $struct$ make([[maybe_unused]] autoshard_laws::Bytes& from) { return $struct${$made$}; }
  $end$
  static constexpr void show(autoshard_laws::Text& text, [[maybe_unused]] const $struct$& value) {
    text.add('{');
    $for field$
    text.add($label$);
    autoshard_laws::show(text, value.$name$);
    $end$
    text.add('}');
  }
};
)",
              {{"struct", type.qualified},
               {"provable", why_unprovable(type, containers) ? "" : "yes"},
               {"made", joined(type.fields, ", ",
                               [](const Field& field) {
                                 return "autoshard_laws::make<" + field.type.front().qualified + ">(from)";
                               })}},
              {{"field", rounds}});
}

/// The fields of a tuple or a variant. They have numbers instead of names.
std::string numbered(const Type& type, Containers containers) {
  Rounds rounds;
  for (const Type& part : type.arguments)
    rounds.push_back({{"at", std::to_string(rounds.size())},
                      {"part", part.qualified},
                      {"comma", rounds.empty() ? "" : ", "}});
  const std::string made = joined(type.arguments, ", ", [](const Type& part) {
    return "autoshard_laws::make<" + part.qualified + ">(from)";
  });
  const bool is_tuple = type.kind == TypeKind::kTuple;
  return fill(is_tuple ? R"(
template <>
struct autoshard_laws::Fields<$type$> {
  static constexpr bool kKnown = true;
  static constexpr bool same([[maybe_unused]] const $type$& one, [[maybe_unused]] const $type$& other) {
    $for part$
    if (!autoshard_laws::same(std::get<$at$>(one), std::get<$at$>(other))) return false;
    $end$
    return true;
  }
  $if provable$
  static constexpr $type$ make([[maybe_unused]] autoshard_laws::Bytes& from) { return $type${$made$}; }
  $end$
  static constexpr void show(autoshard_laws::Text& text, [[maybe_unused]] const $type$& value) {
    text.add('{');
    $for part$
    text.add("$comma$");
    autoshard_laws::show(text, std::get<$at$>(value));
    $end$
    text.add('}');
  }
};
)"
                       : R"(
template <>
struct autoshard_laws::Fields<$type$> {
  static constexpr bool kKnown = true;
  static constexpr bool same(const $type$& one, const $type$& other) {
    if (one.index() != other.index()) return false;
    $for part$
    if (one.index() == $at$) return autoshard_laws::same(*std::get_if<$at$>(&one), *std::get_if<$at$>(&other));
    $end$
    return true;
  }
  $if provable$
  static constexpr $type$ make(autoshard_laws::Bytes& from) {
    const auto index = autoshard_laws::make<unsigned char>(from);
    $for part$
    if (index == $at$) return $type$(std::in_place_index<$at$>, autoshard_laws::make<$part$>(from));
    $end$
    return $type$(std::in_place_index<0>, autoshard_laws::make<$first$>(from));
  }
  $end$
  static constexpr void show(autoshard_laws::Text& text, const $type$& value) {
    $for part$
    if (value.index() == $at$) autoshard_laws::show(text, *std::get_if<$at$>(&value));
    $end$
  }
};
)",
              {{"type", type.qualified},
               {"provable", why_unprovable(type, containers) ? "" : "yes"},
               {"made", made},
               {"first", type.arguments.front().qualified}},
              {{"part", rounds}});
}

}  // namespace

std::vector<std::string> probe_types(const Model& model, Containers containers) {
  std::vector<std::string> texts;
  for (const Type* type : types_of_updates(model)) {
    if (type->kind == TypeKind::kEnum) texts.push_back(enumerators(*type));
    if (type->kind == TypeKind::kStruct && !type->embedded) texts.push_back(fields(*type, containers));
    if (type->kind == TypeKind::kTuple || type->kind == TypeKind::kVariant)
      texts.push_back(numbered(*type, containers));
  }
  return texts;
}

}  // namespace autoshard::tool
