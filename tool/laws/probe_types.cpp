#include <functional>

#include "tool/emit/emit.h"
#include "tool/laws/probe.h"
#include "tool/laws/samples.h"
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
  static constexpr bool has($enum$ value) { return autoshard_laws::holds(value, $all$); }
  $end$
};
)",
              {{"enum", type.qualified}, {"all", joined(type.enumerators, ", ", std::identity())}},
              {{"enumerator", rounds}});
}

std::string fields(const Type& type) {
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
               {"provable", why_unprovable(type) ? "" : "yes"},
               {"made", joined(type.fields, ", ",
                               [](const Field& field) {
                                 return "autoshard_laws::make<" + field.type.front().qualified + ">(from)";
                               })}},
              {{"field", rounds}});
}

}  // namespace

std::vector<std::string> probe_types(const Model& model) {
  std::vector<std::string> texts;
  for (const Type* type : types_of_updates(model)) {
    if (type->kind == TypeKind::kEnum) texts.push_back(enumerators(*type));
    if (type->kind == TypeKind::kStruct && !type->embedded) texts.push_back(fields(*type));
  }
  return texts;
}

}  // namespace autoshard::tool
