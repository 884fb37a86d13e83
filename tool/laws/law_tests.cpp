#include "tool/laws/law_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>

#include "tool/emit/emit.h"
#include "tool/emit/names.h"
#include "tool/laws/trial/samples.h"
#include "tool/model/law_tags.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

/// The operators that a method may be, as parts of identifiers.
constexpr std::pair<std::string_view, std::string_view> kOperators[] = {{"=", "Assign"},
                                                                        {"+=", "PlusAssign"},
                                                                        {"-=", "MinusAssign"},
                                                                        {"*=", "TimesAssign"},
                                                                        {"/=", "DivideAssign"},
                                                                        {"%=", "RemainderAssign"},
                                                                        {"&=", "AndAssign"},
                                                                        {"|=", "OrAssign"},
                                                                        {"^=", "XorAssign"},
                                                                        {"<<=", "ShiftLeftAssign"},
                                                                        {">>=", "ShiftRightAssign"},
                                                                        {"++", "Increment"},
                                                                        {"--", "Decrement"},
                                                                        {"<<", "ShiftLeft"},
                                                                        {">>", "ShiftRight"},
                                                                        {"()", "Call"},
                                                                        {"[]", "Subscript"},
                                                                        {"+", "Plus"},
                                                                        {"-", "Minus"},
                                                                        {"*", "Times"},
                                                                        {"/", "Divide"},
                                                                        {"%", "Remainder"},
                                                                        {"&", "And"},
                                                                        {"|", "Or"},
                                                                        {"^", "Xor"},
                                                                        {"~", "Complement"},
                                                                        {"!", "Not"},
                                                                        {",", "Comma"}};

/// `name` as a part of the name of a test, which has no underscores: `ShopRating` for `shop::Rating`.
std::string in_test_name(std::string_view name) {
  constexpr std::string_view kOperator = "operator";
  std::string result;
  if (name.starts_with(kOperator)) {
    const auto* const found = std::ranges::find(kOperators, name.substr(kOperator.size()),
                                                [](const auto& one) { return one.first; });
    if (found != std::end(kOperators)) return "Operator" + std::string(found->second);
  }
  bool begins_word = true;
  for (const char c : name) {
    const bool is_kept = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (is_kept) result += begins_word ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    begins_word = !is_kept;
  }
  return result;
}

/// The enumerations whose values the tests are to try.
Rounds enumerations(const Model& model) {
  Rounds rounds;
  for (const Type* type : types_of_updates(model)) {
    if (type->enumerators.empty() || type->is_private) continue;
    rounds.push_back({{"enumeration", type->qualified}, {"enumerators", list(type->enumerators)}});
  }
  return rounds;
}

/// Whether tests meet the number by themselves all the time.
bool is_small(const std::string& number) {
  return number.find_first_of(".e") == std::string::npos && std::abs(std::stoll(number)) <= 3;
}

/// The constants in the bodies of the entity's methods, less small ones: `.numbers = {500}`.
std::string constants(const Entity& entity) {
  std::set<std::string> numbers;
  std::set<std::string> texts;
  for (const Method& method : entity.methods) {
    std::ranges::remove_copy_if(method.constants.numbers, std::inserter(numbers, numbers.end()), is_small);
    texts.insert(method.constants.texts.begin(), method.constants.texts.end());
  }
  const auto listed = [](const char* member, const std::set<std::string>& values) {
    return values.empty() ? "" : member + (" = {" + list({values.begin(), values.end()}) + "}");
  };
  const std::string members = listed(".numbers", numbers);
  return members + (members.empty() || texts.empty() ? "" : ", ") + listed(".texts", texts);
}

Rounds all_constants(const Model& model) {
  Rounds rounds;
  for (const Entity& entity : model.entities) {
    if (why_untestable(entity)) continue;
    const std::string members = constants(entity);
    if (!members.empty()) rounds.push_back({{"entity", entity.qualified_name}, {"members", members}});
  }
  return rounds;
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
        return why_no_value(*part);
      case TypeKind::kStruct:
        if (std::ranges::none_of(known, [&](const Type* one) { return *one == *part; }))
          return fmt::format("the members of '{}' are not known, for no property holds one", part->qualified);
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
  /// Returns the first of `candidates` that is not taken, or the last one with a number.
  std::string unique(const std::vector<std::string>& candidates) {
    for (const std::string& candidate : candidates) {
      if (taken_.insert(candidate).second) return candidate;
    }
    std::string result;
    int number = 1;
    do {
      result = candidates.back() + "Number" + std::to_string(++number);
    } while (!taken_.insert(result).second);
    return result;
  }

 private:
  std::set<std::string> taken_;
};

std::string fold_test(const std::string& suite, const Entity& entity, const Property& property,
                      Names& names) {
  return fill(R"(

TEST($suite$, $test$) {
  EXPECT_EQ(laws::broken_fold<$entity$>($stored$), "");
}
)",
              {{"suite", suite},
               {"test", names.unique({"FoldOf" + in_test_name(property.stored_name)})},
               {"entity", entity.qualified_name},
               {"stored", string_literal(property.stored_name)}});
}

/// Overloads are told apart by what they take: `BookCentsReasonCommutes`.
std::string name_of_test(const Entity& entity, const Method& method, Names& names) {
  const std::string law = method.is_shard_write() ? "Replaces" : "Commutes";
  const std::string name = in_test_name(method.name);
  if (std::ranges::count(entity.methods, method.name, &Method::name) < 2) return names.unique({name + law});
  std::string by_names = name;
  std::string by_types = name + "Of";
  for (const Parameter& parameter : method.parameters) {
    by_names += in_test_name(parameter.name);
    by_types += in_test_name(parameter.type.qualified);
  }
  if (method.parameters.empty()) by_names += "Nothing";
  return names.unique({by_names + law, by_types + law});
}

std::string not_tested(const std::string& name, const std::string& why) {
  return fmt::format("\n// {} is not tested: {}.\n", name, why);
}

std::string method_test(const std::string& suite, const Entity& entity, const Method& method, Names& names) {
  if (const auto why = why_untestable(entity, method)) return not_tested(method.name, *why);
  std::string types;
  std::string parameters;
  std::string shard = "shard";
  for (const Parameter& parameter : method.parameters) {
    const std::string type = portable(parameter.type.qualified);
    types += ", " + type;
    parameters += ", " + type + "& " + parameter.name;
    if (parameter.name == shard) shard = "the_shard";
  }
  const auto argument = [](const Parameter& parameter) {
    const bool is_moved = parameter.passing == Passing::kRvalueReference;
    return is_moved ? "std::move(" + parameter.name + ")" : parameter.name;
  };
  const std::string call = fill(
      "$shard$.$method$($arguments$)",
      {{"shard", shard}, {"method", method.name}, {"arguments", joined(method.parameters, ", ", argument)}});
  return fill(R"(

TEST($suite$, $test$) {
  const auto call = [](auto& $shard$$parameters$) { $call$; };
  EXPECT_EQ((laws::$broken$<$entity$$types$>(call)), "");
}
)",
              {{"suite", suite},
               {"broken", method.is_shard_write() ? "broken_write" : "broken_method"},
               {"test", name_of_test(entity, method, names)},
               {"entity", entity.qualified_name},
               {"types", types},
               {"shard", shard},
               {"parameters", parameters},
               {"call", may_be_nodiscard(method) ? "static_cast<void>(" + call + ")" : call}});
}

using IsDisabled = std::function<bool(std::string_view tag)>;

/// One test tries all laws of a fold.
bool is_fold_disabled(const IsDisabled& is_disabled) {
  return is_disabled(tags::kFoldNotCommutative) || is_disabled(tags::kFoldNotAssociative) ||
         is_disabled(tags::kNeutralNotIdentity);
}

bool is_method_disabled(const Method& method, const IsDisabled& is_disabled) {
  return is_disabled(method.is_shard_write() ? tags::kWriteNotReplacing : tags::kMethodDoesNotCommute);
}

constexpr const char* kReachable =
    "random values need not be reachable, and it is proved for reachable values alone";

/// Whether a law about `part`, a property or a method of `entity`, is proved for reachable values only.
template <class Part>
bool needs_reachable(const Entity& entity, const Part& part, Part const* Law::*of,
                     const std::vector<EntityLaws>& laws) {
  return std::ranges::any_of(laws, [&](const EntityLaws& one) {
    return one.entity->qualified_name == entity.qualified_name &&
           std::ranges::any_of(one.laws, [&](const Law& law) {
             return law.*of && (law.*of)->span == part.span && law.is_proved() &&
                    law.how == Law::How::kInduction;
           });
  });
}

std::string tests(const Entity& entity, const std::vector<EntityLaws>& laws, const IsDisabled& is_disabled,
                  Names& suites) {
  if (const auto why = why_untestable(entity)) return not_tested(entity.qualified_name, *why);
  const std::string suite = suites.unique({"LawsOf" + in_test_name(entity.qualified_name)});
  Names names;
  std::string text;
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.is_group() || is_fold_disabled(is_disabled)) continue;
    text += needs_reachable(entity, property, &Law::property, laws)
                ? not_tested(property.name, kReachable)
                : fold_test(suite, entity, property, names);
  }
  for (const Method& method : entity.methods) {
    if (!method.is_shard_method() || is_method_disabled(method, is_disabled)) continue;
    text += needs_reachable(entity, method, &Law::method, laws) ? not_tested(method.name, kReachable)
                                                                : method_test(suite, entity, method, names);
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
    if (parameter.type.is_private) return fmt::format("'{}' has a private name", parameter.type.qualified);
  }
  for (const std::string& member : method.touches) {
    const Property* property = entity.property(member);
    if (property->is_group() && is_map(property->type))
      return "random maps have values under the same key, of which a group keeps the last";
  }
  return why_untestable(entity);
}

std::string law_tests(const Model& model, const std::vector<EntityLaws>& laws,
                      const std::vector<std::string>& includes, const IsDisabled& is_disabled) {
  Rounds headers;
  for (const std::string& include : includes) headers.push_back({{"header", include}});
  std::string all;
  Names suites;
  for (const Entity& entity : model.entities) all += tests(entity, laws, is_disabled, suites);
  return fill(
      R"(
// Generated by autoshard $version$: tries what the annotations promise on random values.
// AUTOSHARD_TEST_SEED repeats a run.
#include <autoshard/law_testing.h>
#include <gtest/gtest.h>

$for header$
#include "$header$"
$end$
$for enumeration$

template <>
inline constexpr std::array autoshard::laws::kEnumerators<$enumeration$> = {$enumerators$};
$end$
$for constants$

template <>
inline const autoshard::laws::Constants autoshard::laws::kConstants<$entity$> = {$members$};
$end$

namespace {

namespace laws = autoshard::laws;
$tests$

}  // namespace
)",
      {{"version", AUTOSHARD_VERSION}, {"tests", all}},
      {{"header", headers}, {"enumeration", enumerations(model)}, {"constants", all_constants(model)}});
}

}  // namespace autoshard::tool
