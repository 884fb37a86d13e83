#include "tool/laws/samples.h"

#include <algorithm>

#include "tool/text/word.h"

namespace autoshard::tool {
namespace {

using Samples = std::vector<std::string>;

/// More would not find more, but the number of evaluations grows with their third power.
constexpr std::size_t kMostSamples = 14;

/// Values of a struct differ in every member at once.
constexpr std::size_t kSamplesOfParts = 5;

std::string cast(const Type& type, const std::string& value) {
  return "static_cast<" + type.qualified + ">(" + value + ")";
}

bool is_unsigned(const Type& type) {
  return type.canonical.starts_with("unsigned") || type.canonical.starts_with("char");
}

Samples whole(Samples numbers) {
  std::erase_if(numbers,
                [](const std::string& number) { return number.find_first_of(".e") != std::string::npos; });
  return numbers;
}

Samples integers(const Type& type, const Constants& constants) {
  Samples values = {"1", "2", "0", "3"};
  if (!is_unsigned(type)) values.insert(values.end(), {"-1", "-5"});
  values.push_back("100");
  for (const std::string& number : whole(constants.numbers)) {
    if (std::ranges::find(values, number) == values.end()) values.push_back(number);
  }
  Samples samples;
  for (const std::string& value : values) samples.push_back(cast(type, value));
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

Samples cast_all(const Type& type, const Samples& values) {
  Samples samples;
  for (const std::string& value : values) samples.push_back(cast(type, value));
  return samples;
}

/// One sample that takes the `at`th of each part, shifted so that equal parts do not get equal values.
std::string composed(const Type& type, const std::vector<Samples>& parts, std::size_t at) {
  std::string sample = type.qualified + "{";
  for (std::size_t part = 0; part < parts.size(); ++part) {
    sample += (part == 0 ? "" : ", ") + parts[part][(at + part) % parts[part].size()];
  }
  return sample + "}";
}

Samples compose(const Type& type, const std::vector<Samples>& parts) {
  Samples samples;
  for (std::size_t at = 0; at < kSamplesOfParts; ++at) samples.push_back(composed(type, parts, at));
  return samples;
}

Samples lists(const Type& type, const Samples& elements) {
  const std::string& one = elements.front();
  const std::string& other = elements[elements.size() > 1 ? 1 : 0];
  const std::string list = "list<" + type.qualified + ">";
  return {list + "(" + one + ")", list + "()", list + "(" + other + ")",
          list + "(" + other + ", " + one + ")"};
}

Samples arrays(const Type& type, const Samples& elements) {
  const std::string& one = elements.front();
  const std::string& other = elements[elements.size() > 1 ? 1 : 0];
  const std::string filled = "filled<" + type.qualified + ">";
  return {filled + "(" + one + ", " + other + ")", type.qualified + "{}",
          filled + "(" + other + ", " + other + ")"};
}

Samples parts_of(const Type& type, const Constants& constants) {
  std::vector<Samples> parts;
  for (const Type& argument : type.arguments) parts.push_back(samples_of(argument, constants));
  for (const Field& field : type.fields) parts.push_back(samples_of(field.type.front(), constants));
  switch (type.kind) {
    case TypeKind::kOptional: {
      Samples samples = {type.qualified + "{}"};
      const std::size_t count = std::min(parts.front().size(), kSamplesOfParts);
      for (std::size_t at = 0; at < count; ++at)
        samples.push_back(type.qualified + "{" + parts.front()[at] + "}");
      return samples;
    }
    case TypeKind::kVector:
      return lists(type, parts.front());
    case TypeKind::kArray:
      return arrays(type, parts.front());
    default:
      return parts.empty() ? Samples{type.qualified + "{}"} : compose(type, parts);
  }
}

/// A number may have a point.
bool is_part_of_word(char c) { return is_of_word(c) || c == '.'; }

/// The words of `text`, numbers among them.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::string_view word = run_at(text, at, is_part_of_word);
    if (!word.empty()) words.push_back(word);
    at += word.size();
  }
  return words;
}

/// `500`, `1000.0`: a decimal number that is neither 0 nor so great that it has no neighbours among the
/// `int`s.
bool is_number(std::string_view word) {
  constexpr std::size_t kMostDigits = 9;
  return word.size() <= kMostDigits && word.front() >= '1' && word.front() <= '9' &&
         word.find_first_not_of("0123456789.") == std::string_view::npos &&
         std::ranges::count(word, '.') <= 1;
}

/// The number with which `text` gives the constant `name` its value: `kBudget = 500`.
std::string_view value_of(std::string_view name, std::string_view text) {
  for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    std::size_t next = text.find_first_not_of(" \t\r\n", at + name.size());
    if ((at > 0 && is_part_of_word(text[at - 1])) || next == std::string_view::npos ||
        std::string_view("={(").find(text[next]) == std::string_view::npos)
      continue;
    next = text.find_first_not_of(" \t\r\n", next + 1);
    if (next == std::string_view::npos) break;
    const std::string_view value = run_at(text, next, is_part_of_word);
    if (!value.empty() && is_number(value)) return value;
  }
  return {};
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

/// Adds the numbers in `text`, and those that constants in it stand for, as far as `file` tells.
void add_numbers(std::string_view text, std::string_view file, Samples& numbers) {
  for (const std::string_view word : words_of(text)) {
    const std::string_view number = is_number(word) ? word : value_of(word, file);
    if (!number.empty()) add_number(std::string(number), numbers);
  }
}

}  // namespace

std::vector<std::string> samples_of(const Type& type, const Constants& constants) {
  if (why_no_samples(type)) return {};
  switch (type.kind) {
    case TypeKind::kBool:
      return {"false", "true"};
    case TypeKind::kInteger:
      return integers(type, constants);
    case TypeKind::kFloating:
      return cast_all(type, with({"1.0", "2.5", "0.0", "-1.0", "-0.5", "100.0"}, constants.numbers));
    case TypeKind::kEnum: {
      Samples samples = enumerators(type);
      samples.resize(std::min(samples.size(), kMostSamples));
      return samples;
    }
    case TypeKind::kString:
      return cast_all(type, with({"\"a\"", "\"\"", "\"b\"", "\"ab\""}, constants.texts));
    case TypeKind::kDuration:
      return cast_all(type, with({"1", "2", "0", "-1", "60"}, whole(constants.numbers)));
    case TypeKind::kTimePoint:
      return cast_all(type, {type.qualified + "::duration(1)", type.qualified + "::duration(0)",
                             type.qualified + "::duration(-1)", type.qualified + "::duration(60)"});
    default:
      return parts_of(type, constants);
  }
}

Constants constants_of(const Entity& entity, const std::vector<SourceFile>& files) {
  Constants constants;
  for (const Method& method : entity.methods) {
    for (const std::string& number : method.constants.numbers) add_number(number, constants.numbers);
    for (const std::string& text : method.constants.texts) add(text, constants.texts);
  }
  for (const Property& property : entity.properties) {
    if (property.sharding)
      add_numbers(property.sharding->fold, files[property.span.file].text, constants.numbers);
  }
  return constants;
}

std::optional<std::string> why_no_samples(const Type& type) {
  switch (type.kind) {
    case TypeKind::kDeque:
    case TypeKind::kList:
    case TypeKind::kMap:
    case TypeKind::kUnorderedMap:
    case TypeKind::kSet:
    case TypeKind::kUnorderedSet:
    case TypeKind::kUniquePtr:
    case TypeKind::kVariant:
      return "the compiler cannot evaluate '" + type.qualified + "'";
    case TypeKind::kUnsupported:
    case TypeKind::kCoded:
    case TypeKind::kRef:
      return "there is no knowing how to make a '" + type.qualified + "'";
    case TypeKind::kStruct:
      if (type.embedded) return "the compiler cannot set the private members of '" + type.qualified + "'";
      break;
    default:
      break;
  }
  for (const Type& argument : type.arguments) {
    if (auto why = why_no_samples(argument)) return why;
  }
  for (const Field& field : type.fields) {
    if (auto why = why_no_samples(field.type.front())) return why;
  }
  return std::nullopt;
}

}  // namespace autoshard::tool
