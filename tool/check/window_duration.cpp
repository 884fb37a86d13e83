#include <string>

#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/window.h"

namespace autoshard::tool::rules {
namespace {

/// What is wrong with the argument; empty where nothing is.
std::string problem_with_duration(const Argument& argument) {
  static const std::vector<std::string_view> kUnits{"s", "min", "h", "d"};
  const Duration duration = read_duration(argument.value);
  switch (duration.problem) {
    case Duration::Problem::kNone:
      break;
    case Duration::Problem::kNoDuration:
      return quoted(argument.name) + " is no duration; write a whole number with its unit, such as " +
             any_of_these({"90s", "5min", "24h", "7d"});
    case Duration::Problem::kNoUnit:
      return quoted(argument.name) + " has no unit; write " + any_of_these(kUnits) +
             " behind the number, as in " + quoted(argument.value + "s");
    case Duration::Problem::kUnknownUnit:
      return quoted(duration.unit) + " is no unit of time here; use " + any_of_these(kUnits);
    case Duration::Problem::kNotPositive:
      return quoted(argument.name) + " must be at least '1s'";
    case Duration::Problem::kTooLong:
      return quoted(argument.name) + " must be at most " + quoted(std::to_string(kMostDays) + "d");
  }
  return {};
}

}  // namespace

/// The generator reads durations, so that annotations need no literals of std::chrono.
void window_duration(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* window = window_of(property);
    if (!window) continue;
    for (const Argument& argument : window->arguments) {
      if (argument.name != "last" && argument.name != "bucket") continue;
      const std::string problem = problem_with_duration(argument);
      if (!problem.empty()) findings.add(argument.value_span, problem);
    }
  }
}

}  // namespace autoshard::tool::rules
