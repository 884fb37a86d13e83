#include <autoshard/detail/condition.h>
#include <autoshard/range.h>

#include <bit>
#include <cmath>
#include <limits>

#include "hex.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

std::string as_part(const Clause& clause) {
  return clause.is_compound ? '(' + clause.text + ')' : clause.text;
}

std::vector<std::string_view> fields_of(const Clause& one, const Clause& other) {
  std::vector<std::string_view> fields = one.fields;
  for (const std::string_view field : other.fields) {
    if (std::find(fields.begin(), fields.end(), field) == fields.end()) fields.push_back(field);
  }
  return fields;
}

}  // namespace

Clause both(const Clause& one, const Clause& other) {
  if (!one.test) return other;
  if (!other.test) return one;
  std::vector<FieldValues> values = one.values;
  values.insert(values.end(), other.values.begin(), other.values.end());
  return {.test = [test = one.test,
                   and_test = other.test](const void* entity) { return test(entity) && and_test(entity); },
          .text = as_part(one) + " && " + as_part(other),
          .fields = fields_of(one, other),
          .ids = {std::max(one.ids.begin, other.ids.begin), std::min(one.ids.end, other.ids.end)},
          .values = std::move(values),
          .is_compound = true};
}

Clause either(const Clause& one, const Clause& other) {
  if (!one.test) return one;
  if (!other.test) return other;
  return {.test = [test = one.test,
                   or_test = other.test](const void* entity) { return test(entity) || or_test(entity); },
          .text = as_part(one) + " || " + as_part(other),
          .fields = fields_of(one, other),
          .ids = {std::min(one.ids.begin, other.ids.begin), std::max(one.ids.end, other.ids.end)},
          .is_compound = true};
}

Clause negated(const Clause& clause) {
  if (!clause.test)
    return {.test = [](const void*) { return false; }, .text = "nothing", .fields = {}, .ids = {"\xFF", ""}};
  return {.test = [test = clause.test](const void* entity) { return !test(entity); },
          .text = "!(" + clause.text + ')',
          .fields = clause.fields};
}

std::string_view symbol(Comparison comparison) {
  switch (comparison) {
    case Comparison::kEqual:
      return "==";
    case Comparison::kLess:
      return "<";
    case Comparison::kAtMost:
      return "<=";
    case Comparison::kGreater:
      return ">";
    case Comparison::kAtLeast:
      break;
  }
  return ">=";
}

/// The bits of a positive number sort as the number does; the bits of a negative number sort in reverse.
void append_real(std::string& text, double number) {
  if (std::isnan(number)) number = std::numeric_limits<double>::quiet_NaN();
  if (number == 0) number = 0;  // of either sign
  auto bits = std::bit_cast<std::uint64_t>(number);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
  bits = (bits & kSign) != 0 ? ~bits : bits | kSign;
  for (int shift = 56; shift >= 0; shift -= 8) text.push_back(static_cast<char>(bits >> shift));
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') out += '\\';
    out += byte;
  }
  return out + '"';
}

std::string hexadecimal(std::string_view bytes) { return "0x" + to_hex(bytes); }

IdRange id_range(Comparison comparison, const std::string& bytes) {
  switch (comparison) {
    case Comparison::kEqual:
      return {bytes, end_key(bytes)};
    case Comparison::kLess:
      return {"", bytes};
    case Comparison::kAtMost:
      return {"", end_key(bytes)};
    case Comparison::kGreater:
      return {end_key(bytes), end_key("")};
    case Comparison::kAtLeast:
      break;
  }
  return {bytes, end_key("")};
}

void set_values(Clause& clause, std::string_view field, std::vector<std::string> forms, bool is_id) {
  std::sort(forms.begin(), forms.end());
  forms.erase(std::unique(forms.begin(), forms.end()), forms.end());
  if (is_id) {
    clause.ids = {"\xFF", ""};
    if (!forms.empty()) clause.ids = {forms.front(), end_key(forms.back())};
  }
  FieldValues& values =
      clause.values.emplace_back(FieldValues{.field = field, .ranges = {}, .are_single = true});
  for (std::string& form : forms) {
    std::string end = end_key(form);
    values.ranges.push_back({std::move(form), std::move(end)});
  }
}

IdRange prefix_range(std::string_view prefix) {
  IdRange range;
  append_text(range.begin, prefix);
  range.begin.resize(range.begin.size() - 2);  // without the end of the text
  // A text may continue with any byte, including FF. So the end is the least text above all texts with this
  // prefix. It exists, because the form of a text begins with a byte below FF.
  range.end = range.begin;
  while (range.end.back() == '\xFF') range.end.pop_back();
  ++range.end.back();
  return range;
}

IdRange range_of(std::string begin) {
  std::string end = end_key(begin);
  return {std::move(begin), std::move(end)};
}

}  // namespace autoshard::detail
