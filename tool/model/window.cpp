#include "tool/model/window.h"

#include <algorithm>
#include <iterator>

namespace autoshard::tool {
namespace {

constexpr std::int64_t kSecondsOfDay = 86'400;

struct TimeUnit {
  std::string_view name;
  std::int64_t seconds;
};

constexpr TimeUnit kTimeUnits[] = {{"s", 1}, {"min", 60}, {"h", 3'600}, {"d", kSecondsOfDay}};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// The value of `digits`, which may have separators. The value is at most one more than the seconds of
/// kMostDays.
std::int64_t number_of(std::string_view digits) {
  constexpr std::int64_t kMost = kMostDays * kSecondsOfDay + 1;
  std::int64_t number = 0;
  for (const char digit : digits) {
    if (digit != '\'') number = std::min(number * 10 + (digit - '0'), kMost);
  }
  return number;
}

}  // namespace

Duration read_duration(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(std::min(text.find_first_not_of(' ', 1), text.size()));
  const std::size_t end = std::min(text.find_first_not_of("0123456789'"), text.size());
  const std::string_view digits = text.substr(0, end);
  const std::string_view unit = text.substr(end);
  // In C++, a number that begins with 0 is octal.
  const bool is_number = !digits.empty() && (digits == "0" || !digits.starts_with('0'));
  if (!is_number || !std::ranges::all_of(unit, is_letter)) return {.problem = Duration::Problem::kNoDuration};
  if (unit.empty()) return {.problem = Duration::Problem::kNoUnit};
  const auto* const found = std::ranges::find(kTimeUnits, unit, &TimeUnit::name);
  if (found == std::end(kTimeUnits))
    return {.problem = Duration::Problem::kUnknownUnit, .unit = std::string(unit)};
  const std::int64_t number = number_of(digits);
  if (is_negative || number == 0)
    return {.problem = Duration::Problem::kNotPositive, .unit = std::string(unit)};
  const std::int64_t seconds = number * found->seconds;
  if (seconds > kMostDays * kSecondsOfDay)
    return {.problem = Duration::Problem::kTooLong, .unit = std::string(unit)};
  return {.seconds = seconds, .unit = std::string(unit)};
}

bool has_window(const Property& property) {
  return property.marks.shardable && property.marks.shardable->has_window();
}

}  // namespace autoshard::tool
