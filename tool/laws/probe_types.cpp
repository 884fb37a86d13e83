#include "tool/emit/emit.h"
#include "tool/laws/probe.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

std::string enumerators(const Type& type) {
  std::string names;
  for (const std::string& enumerator : type.enumerators) {
    names += fill("if (value == $enumerator$) return $text$;\n",
                  {{"enumerator", enumerator}, {"text", string_literal(enumerator)}});
  }
  return fill(R"(
template <>
struct autoshard_laws::Enumerators<$enum$> {
  static constexpr const char* name([[maybe_unused]] $enum$ value) {
    $names$
    return nullptr;
  }
};
)",
              {{"enum", type.qualified}, {"names", names}});
}

std::string fields(const Type& type) {
  std::string same;
  std::string show;
  for (const Field& field : type.fields) {
    same += " && autoshard_laws::same(one." + field.name + ", other." + field.name + ")";
    show += fill(
        "text.add($label$);\nautoshard_laws::show(text, value.$name$);\n",
        {{"label", string_literal((show.empty() ? "." : ", .") + field.name + " = ")}, {"name", field.name}});
  }
  return fill(R"(
template <>
struct autoshard_laws::Fields<$struct$> {
  static constexpr bool kKnown = true;
  static constexpr bool same([[maybe_unused]] const $struct$& one, [[maybe_unused]] const $struct$& other) {
    return true$same$;
  }
  static constexpr void show(autoshard_laws::Text& text, [[maybe_unused]] const $struct$& value) {
    text.add('{');
    $show$
    text.add('}');
  }
};
)",
              {{"struct", type.qualified}, {"same", same}, {"show", show}});
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
