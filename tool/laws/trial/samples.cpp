#include "tool/laws/trial/samples.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/check/types.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

using Samples = std::vector<std::string>;

/// More would not find more, but the number of evaluations grows with their third power.
constexpr std::size_t kMostSamples = 14;

/// Values of a struct differ in every member at once.
constexpr std::size_t kSamplesOfParts = 5;

std::string cast(const Type& type, const std::string& value) {
  return fill("static_cast<$type$>($value$)", {{"type", type.qualified}, {"value", value}});
}

Samples cast_all(const Type& type, Samples values) {
  for (std::string& value : values) value = cast(type, value);
  return values;
}

std::string braced(const Type& type, const Samples& values = {}) {
  return fill("$type${$values$}", {{"type", type.qualified}, {"values", list(values)}});
}

Samples whole(Samples numbers) {
  std::erase_if(numbers,
                [](const std::string& number) { return number.find_first_of(".e") != std::string::npos; });
  return numbers;
}

/// Laws of containers take long to try, so there are fewer values of what they hold.
constexpr std::size_t kSamplesOfElements = 6;

Samples first_of(Samples samples, std::size_t count) {
  samples.resize(std::min(samples.size(), count));
  return samples;
}

/// `usual` with constants behind the first three of them.
Samples few(Samples usual, const Samples& constants) {
  const Samples first = first_of(constants, kSamplesOfElements - 3);
  std::erase_if(usual, [&](const std::string& one) { return std::ranges::find(first, one) != first.end(); });
  usual.insert(usual.begin() + 3, first.begin(), first.end());
  return first_of(std::move(usual), kSamplesOfElements);
}

Samples integers(const Type& type, const Constants& constants) {
  Samples values = {"1", "2", "0", "3"};
  if (type.is_signed) values.insert(values.end(), {"-1", "-5"});
  values.push_back("100");
  for (const std::string& number : whole(constants.numbers)) {
    if (std::ranges::find(values, number) == values.end()) values.push_back(number);
  }
  Samples samples = cast_all(type, std::move(values));
  samples.push_back("kMost<" + type.qualified + ">");
  samples.push_back("kLeast<" + type.qualified + ">");
  return samples;
}

Samples enumerators(const Type& type) {
  Samples samples = type.enumerators;
  if (samples.empty()) samples = {cast(type, "0"), cast(type, "1")};
  return samples;
}

Samples with(Samples values, const Samples& more) {
  values.insert(values.end(), more.begin(), more.end());
  return values;
}

/// One sample that takes the `at`th of each part, shifted so that equal parts do not get equal values.
std::string composed(const Type& type, const std::vector<Samples>& parts, std::size_t at) {
  Samples values;
  for (const Samples& part : parts) values.push_back(part[at++ % part.size()]);
  return braced(type, values);
}

Samples compose(const Type& type, const std::vector<Samples>& parts) {
  Samples samples;
  for (std::size_t at = 0; at < kSamplesOfParts; ++at) samples.push_back(composed(type, parts, at));
  // A tie: like the first, but for the last part.
  if (parts.size() > 1) {
    std::vector<Samples> tied = parts;
    std::rotate(tied.back().begin(), tied.back().begin() + 1, tied.back().end());
    samples.insert(samples.begin() + 2, composed(type, tied, 0));
  }
  return samples;
}

/// Calls a function of the probe that makes a value of `type`.
std::string call(std::string_view function, const Type& type, const Samples& arguments) {
  return fill("$function$<$type$>($arguments$)",
              {{"function", function}, {"type", type.qualified}, {"arguments", list(arguments)}});
}

/// A map's elements have equal keys with different values, and different keys.
Samples entries(const Type& type, const Samples& keys, const Samples& values) {
  const auto entry = [&](std::size_t key, std::size_t value) {
    return fill("$type$::value_type($key$, $value$)", {{"type", type.qualified},
                                                       {"key", keys[key % keys.size()]},
                                                       {"value", values[value % values.size()]}});
  };
  return {call("list", type, {entry(0, 0)}), call("list", type, {}), call("list", type, {entry(0, 1)}),
          call("list", type, {entry(0, 1), entry(1, 0)})};
}

Samples lists(const Type& type, const Samples& elements) {
  const std::string& one = elements.front();
  const std::string& other = elements[elements.size() > 1 ? 1 : 0];
  return {call("list", type, {one}), call("list", type, {}), call("list", type, {other}),
          call("list", type, {other, one})};
}

Samples arrays(const Type& type, const Samples& elements) {
  const std::string& one = elements.front();
  const std::string& other = elements[elements.size() > 1 ? 1 : 0];
  return {call("filled", type, {one, other}), braced(type), call("filled", type, {other, other})};
}

Samples parts_of(const Type& type, const Constants& constants, Containers containers) {
  std::vector<Samples> parts;
  for (const Type& argument : type.arguments) parts.push_back(samples_of(argument, constants, containers));
  for (const Field& field : type.fields)
    parts.push_back(samples_of(field.type.front(), constants, containers));
  switch (type.kind) {
    case TypeKind::kOptional: {
      Samples samples = {braced(type)};
      for (const std::string& value : first_of(parts.front(), kSamplesOfParts))
        samples.push_back(braced(type, {value}));
      return samples;
    }
    case TypeKind::kVariant: {
      Samples samples;
      for (std::size_t at = 0; at < parts.size(); ++at) {
        for (const std::string& value : first_of(parts[at], kSamplesOfParts))
          samples.push_back(fill("$type$(std::in_place_index<$at$>, $value$)",
                                 {{"type", type.qualified}, {"at", std::to_string(at)}, {"value", value}}));
      }
      return first_of(std::move(samples), kMostSamples);
    }
    case TypeKind::kMonostate:
      return {braced(type)};
    case TypeKind::kVector:
    case TypeKind::kDeque:
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kUnorderedSet:
      return lists(type, parts.front());
    case TypeKind::kMap:
    case TypeKind::kUnorderedMap:
      return entries(type, parts[0], parts[1]);
    case TypeKind::kArray:
      return arrays(type, parts.front());
    default:
      return parts.empty() ? Samples{braced(type)} : compose(type, parts);
  }
}

/// `499` for `500`
std::string one_less(const std::string& number) {
  const bool is_whole = number.find_first_of(".e") == std::string::npos;
  return is_whole ? std::to_string(std::stoll(number) - 1) : std::to_string(std::stod(number) - 1);
}

void add(const std::string& value, Samples& values) {
  if (std::ranges::find(values, value) == values.end()) values.push_back(value);
}

/// Adds the number and its neighbour.
void add_number(const std::string& number, Samples& numbers) {
  constexpr std::size_t kMostNumbers = 12;
  if (number == "0" || numbers.size() >= kMostNumbers) return;
  add(number, numbers);
  add(one_less(number), numbers);
}

void add_all(const Constants& more, Constants& constants) {
  for (const std::string& number : more.numbers) add_number(number, constants.numbers);
  for (const std::string& text : more.texts) add(text, constants.texts);
}

/// Returns the type, or the first type in it, that is a string or a container; null if there is none.
const Type* find_stand_in(const Type& type) {
  if (type.kind == TypeKind::kString || is_group_type(type)) return &type;
  for (const Type& argument : type.arguments) {
    if (const Type* found = find_stand_in(argument)) return found;
  }
  for (const Field& field : type.fields) {
    if (const Type* found = find_stand_in(field.type.front())) return found;
  }
  return nullptr;
}

/// Whether one key stands for all keys of a container, or the place among others for a text.
bool is_followed(const Type& type) {
  return type.kind == TypeKind::kString || (has_keys(type) && type.compares_as_usual);
}

}  // namespace

bool has_stand_in(const Type& type) { return find_stand_in(type) != nullptr; }

std::vector<std::string> samples_of(const Type& type, const Constants& constants, Containers containers) {
  if (why_no_samples(type, containers)) return {};
  if (containers == Containers::kOneKey) {
    const bool is_number = type.kind == TypeKind::kInteger || type.kind == TypeKind::kFloating;
    return {is_number ? cast(type, "0") : braced(type)};
  }
  const bool are_few = containers == Containers::kStandIns;
  if (are_few && type.kind == TypeKind::kInteger) {
    const Samples more = type.is_signed ? Samples{"-1", "3", "100"} : Samples{"3", "4", "100"};
    return cast_all(type, few(with({"1", "2", "0"}, more), whole(constants.numbers)));
  }
  if (are_few && type.kind == TypeKind::kString)
    return cast_all(type, few({"\"a\"", "\"b\"", "\"\"", "\"ab\"", "\"cat\"", "\"dog\""}, constants.texts));
  switch (type.kind) {
    case TypeKind::kBool:
      return {"false", "true"};
    case TypeKind::kInteger:
      return integers(type, constants);
    case TypeKind::kFloating:
      return cast_all(type, with({"1.0", "2.5", "0.0", "-1.0", "-0.5", "100.0"}, constants.numbers));
    case TypeKind::kEnum:
      return first_of(enumerators(type), kMostSamples);
    case TypeKind::kString:
      return cast_all(type, with({"\"a\"", "\"\"", "\"b\"", "\"ab\""}, constants.texts));
    case TypeKind::kBitset:
      // The last two have bits beyond those that a number sets.
      return with(cast_all(type, with({"1", "2", "0", "3", "5"}, whole(constants.numbers))),
                  {"~" + braced(type), fill("(~$type${} ^ (~$type${} >> 1))", {{"type", type.qualified}})});
    case TypeKind::kDuration:
      return cast_all(type, with({"1", "2", "0", "-1", "60"}, whole(constants.numbers)));
    case TypeKind::kTimePoint:
      return cast_all(type, {type.qualified + "::duration(1)", type.qualified + "::duration(0)",
                             type.qualified + "::duration(-1)", type.qualified + "::duration(60)"});
    default:
      return parts_of(type, constants, containers);
  }
}

Constants constants_of(const Entity& entity) {
  Constants constants;
  for (const Method& method : entity.methods) add_all(method.constants, constants);
  for (const Property& property : entity.properties) {
    if (property.sharding) add_all(property.sharding->constants, constants);
  }
  return constants;
}

std::string why_no_value(const Type& type) {
  return fmt::format("the law needs a value of type '{}', and nothing says how to make one", type.qualified);
}

std::optional<std::string> why_no_samples(const Type& type, Containers containers) {
  if (type.kind == TypeKind::kUniquePtr || (containers == Containers::kReal && has_stand_in(type)))
    return fmt::format("the compiler cannot evaluate '{}'", type.qualified);
  switch (type.kind) {
    case TypeKind::kUnsupported:
    case TypeKind::kCoded:
    case TypeKind::kRef:
      return why_no_value(type);
    case TypeKind::kStruct:
      if (type.embedded)
        return fmt::format("the compiler cannot set the private members of '{}'", type.qualified);
      break;
    default:
      break;
  }
  for (const Type& argument : type.arguments) {
    if (auto why = why_no_samples(argument, containers)) return why;
  }
  for (const Field& field : type.fields) {
    if (auto why = why_no_samples(field.type.front(), containers)) return why;
  }
  return std::nullopt;
}

bool has_reals(const Type& type) {
  return std::ranges::any_of(types_in({&type}),
                             [](const Type* part) { return part->kind == TypeKind::kFloating; });
}

std::optional<std::string> why_unprovable(const Type& type, Containers containers) {
  const Type* const part = find_stand_in(type);
  if (part && has_keys(*part) && !part->compares_as_usual) {
    return fmt::format(
        "the keys of '{}' are of a type, or have an operator, a comparison or an allocator, that "
        "the prover does not follow",
        part->qualified);
  }
  if (part && (containers != Containers::kOneKey || !is_followed(*part))) {
    return fmt::format("the prover does not know all values of '{}'{}", type.qualified,
                       part == &type ? "" : fmt::format(", which contains a '{}'", part->qualified));
  }
  if (auto why = why_no_samples(type, containers)) return why;
  for (const Type& argument : type.arguments) {
    if (auto why = why_unprovable(argument, containers)) return why;
  }
  for (const Field& field : type.fields) {
    if (auto why = why_unprovable(field.type.front(), containers)) return why;
  }
  return std::nullopt;
}

}  // namespace autoshard::tool
