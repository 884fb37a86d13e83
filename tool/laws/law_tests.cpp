#include "tool/laws/law_tests.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <set>

#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

/// `shop::Rating` as a part of an identifier: `shop_Rating`.
std::string identifier(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (kept) result += c;
    if (!kept && !result.ends_with('_')) result += '_';
  }
  return result;
}

std::string enumerators(const Model& model) {
  std::string text;
  for (const Type* type : types_of_updates(model)) {
    if (type->enumerators.empty() || type->is_private) continue;
    std::string list;
    for (const std::string& enumerator : type->enumerators) list += (list.empty() ? "" : ", ") + enumerator;
    text +=
        fill("template <>\ninline constexpr std::array autoshard::laws::kEnumerators<$enum$> = {$list$};\n",
             {{"enum", type->qualified}, {"list", list}});
  }
  return text;
}

/// Whether tests meet the number by themselves all the time.
bool is_small(const std::string& number) {
  return number.find_first_of(".e") == std::string::npos && std::abs(std::stoll(number)) <= 3;
}

/// The constants in the bodies of the entity's methods, less small ones.
std::string constants(const Entity& entity) {
  std::set<std::string> numbers;
  std::set<std::string> texts;
  for (const Method& method : entity.methods) {
    std::ranges::remove_copy_if(method.constants.numbers, std::inserter(numbers, numbers.end()), is_small);
    texts.insert(method.constants.texts.begin(), method.constants.texts.end());
  }
  const auto listed = [](const std::set<std::string>& values) {
    std::string text;
    for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
    return text;
  };
  if (numbers.empty() && texts.empty()) return "";
  std::string members = numbers.empty() ? "" : ".numbers = {" + listed(numbers) + "}";
  if (!texts.empty()) members += (members.empty() ? "" : ", ") + (".texts = {" + listed(texts) + "}");
  return fill(R"(
template <>
inline const autoshard::laws::Constants autoshard::laws::kConstants<$entity$> = {$members$};
)",
              {{"entity", entity.qualified_name}, {"members", members}});
}

/// Why the tests cannot make values of `type`. They know the members of a struct from the traits of `entity`.
std::optional<std::string> why_not_made(const Entity& entity, const Type& type) {
  const std::vector<const Type*> known = structs_of(entity);
  for (const Type* part : types_in({&type})) {
    switch (part->kind) {
      case TypeKind::kUnsupported:
      case TypeKind::kUniquePtr:
      case TypeKind::kCoded:
      case TypeKind::kRef:
        return "there is no knowing how to make a '" + part->qualified + "'";
      case TypeKind::kStruct:
        if (std::ranges::none_of(known, [&](const Type* one) { return *one == *part; }))
          return "the members of '" + part->qualified + "' are not known, for no property holds one";
        break;
      default:
        break;
    }
  }
  return std::nullopt;
}

/// Tells tests, or suites, apart.
class Names {
 public:
  /// `name` with what stands behind it in any case, and a number before that where it is taken.
  std::string unique(const std::string& name, const std::string& end = "") {
    std::string result = name + end;
    for (int number = 2; !taken_.insert(result).second; ++number)
      result = name + std::to_string(number) + end;
    return result;
  }

 private:
  std::set<std::string> taken_;
};

std::string fold_test(const std::string& suite, const Entity& entity, const Property& property,
                      const std::string& test) {
  return fill(R"(

TEST($suite$, $test$) {
  EXPECT_EQ(laws::broken_fold<$entity$>($stored$), "");
}
)",
              {{"suite", suite},
               {"test", test},
               {"entity", entity.qualified_name},
               {"stored", string_literal(property.stored_name)}});
}

std::string method_test(const std::string& suite, const Entity& entity, const Method& method,
                        const std::string& test) {
  if (const auto why = why_untestable(entity, method)) {
    return "\n// " + method.name + " is not tested: " + *why + ".\n";
  }
  std::string types;
  std::string parameters;
  std::string arguments;
  for (const Parameter& parameter : method.parameters) {
    types += ", " + parameter.type.qualified;
    parameters += ", " + parameter.type.qualified + "& " + parameter.name;
    const bool rvalue = parameter.passing == Passing::kRvalueReference;
    arguments +=
        (arguments.empty() ? "" : ", ") + (rvalue ? "std::move(" + parameter.name + ")" : parameter.name);
  }
  return fill(R"(

TEST($suite$, $test$) {
  EXPECT_EQ((laws::$broken$<$entity$$types$>([](auto& shard_$parameters$) {
    static_cast<void>(shard_.$method$($arguments$));
  })), "");
}
)",
              {{"suite", suite},
               {"broken", method.is_shard_write() ? "broken_write" : "broken_method"},
               {"test", test},
               {"entity", entity.qualified_name},
               {"types", types},
               {"parameters", parameters},
               {"method", method.name},
               {"arguments", arguments}});
}

std::string tests(const Entity& entity, Names& suites) {
  if (const auto why = why_untestable(entity)) {
    return "\n// " + entity.qualified_name + " is not tested: " + *why + ".\n";
  }
  const std::string suite = suites.unique("Laws_" + identifier(entity.qualified_name));
  Names names;
  std::string text;
  for (const Property& property : entity.properties) {
    if (property.is_sharded() && !property.is_group())
      text += fold_test(suite, entity, property, names.unique("FoldOf_" + identifier(property.stored_name)));
  }
  for (const Method& method : entity.methods) {
    // `operator+=` and `operator++` are the same there, as overloads are.
    if (!method.is_shard_method()) continue;
    const char* const law = method.is_shard_write() ? "_Replaces" : "_Commutes";
    text += method_test(suite, entity, method, names.unique(identifier(method.name), law));
  }
  return text;
}

}  // namespace

std::optional<std::string> why_untestable(const Entity& entity) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded()) continue;
    if (auto why = why_not_made(entity, property.type)) return why;
  }
  return std::nullopt;
}

std::optional<std::string> why_untestable(const Entity& entity, const Method& method) {
  for (const Parameter& parameter : method.parameters) {
    if (auto why = why_not_made(entity, parameter.type)) return why;
    if (parameter.type.is_private) return "'" + parameter.type.qualified + "' has a private name";
  }
  for (const std::string& member : method.touches) {
    const Property* property = entity.property(member);
    const bool has_keys =
        property->type.kind == TypeKind::kMap || property->type.kind == TypeKind::kUnorderedMap;
    if (property->is_group() && has_keys)
      return "random maps have values under the same key, of which a group keeps the last";
  }
  return why_untestable(entity);
}

std::string law_tests(const Model& model, const std::vector<std::string>& includes) {
  std::string include_lines;
  for (const std::string& include : includes) include_lines += "#include \"" + include + "\"\n";
  std::string all;
  Names suites;
  std::string all_constants;
  for (const Entity& entity : model.entities) {
    all += tests(entity, suites);
    if (!why_untestable(entity)) all_constants += constants(entity);
  }
  return fill(R"(
// Generated by autoshard $version$: what the annotations promise, tried on random values. AUTOSHARD_TEST_SEED repeats a run.
#include <autoshard/law_testing.h>
#include <gtest/gtest.h>

$includes$

$enumerators$
$constants$
namespace {

namespace laws = autoshard::laws;
$tests$

}  // namespace
)",
              {{"version", AUTOSHARD_VERSION},
               {"includes", include_lines},
               {"enumerators", enumerators(model)},
               {"constants", all_constants},
               {"tests", all}});
}

}  // namespace autoshard::tool
