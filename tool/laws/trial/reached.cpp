#include "tool/laws/trial/reached.h"

#include <algorithm>

#include "tool/laws/trial/samples.h"
#include "tool/text/template.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

constexpr std::size_t kMostChoices = 5;

/// The number of updates that a long value is made of.
constexpr std::size_t kFewestRepeated = 4;
constexpr std::size_t kMostRepeated = 128;

/// A statement that calls `method` of `shard`. The arguments are variables, as references may need them.
std::string call(const Method& method, const std::vector<std::string>& arguments) {
  std::string locals;
  std::vector<std::string> passed;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string name = "argument" + std::to_string(at);
    const std::string& type = method.parameters[at].type.qualified;
    locals += fill("$type$ $name$ = $value$; ", {{"type", type}, {"name", name}, {"value", arguments[at]}});
    const bool is_moved = method.parameters[at].passing == Passing::kRvalueReference;
    passed.push_back(is_moved ? fill("static_cast<$type$&&>($name$)", {{"type", type}, {"name", name}})
                              : name);
  }
  return fill("{ $locals$static_cast<void>(shard.$method$($passed$)); }",
              {{"locals", locals}, {"method", method.name}, {"passed", list(passed)}});
}

std::string reached(const std::string& statements) {
  return fill("reached([]([[maybe_unused]] Shard& shard) { $statements$ })", {{"statements", statements}});
}

bool changes(const Method& method, const std::vector<std::string>& members) {
  return method.is_shard_method() && std::ranges::any_of(members, [&](const std::string& member) {
           return std::ranges::find(method.touches, member) != method.touches.end();
         });
}

/// What makes the `at`th of many values of `type`, or nothing.
std::string counted(const Type& type, const std::string& at) {
  std::string_view text;
  if (type.kind == TypeKind::kInteger) text = "static_cast<$type$>($at$)";
  if (type.kind == TypeKind::kString) text = "$type$(1 + $at$ / 26, static_cast<char>('a' + $at$ % 26))";
  return fill(text, {{"type", type.qualified}, {"at", at}});
}

/// Calls `method` many times, with other values of its first parameter that has many; or nothing.
std::string repeated(const Method& method, std::vector<std::string> arguments, std::size_t times,
                     const std::string& number) {
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string value = counted(method.parameters[at].type, number);
    if (value.empty()) continue;
    arguments[at] = value;
    return reached(fill("for (int time = 0; time < $times$; ++time) $call$",
                        {{"times", std::to_string(times)}, {"call", call(method, arguments)}}));
  }
  return {};
}

/// The greatest constant that a number of elements may be compared with, or 0.
std::size_t limit_among(const Constants& constants) {
  std::size_t greatest = 0;
  for (const std::string& number : constants.numbers) {
    if (number.find_first_of(".e-") != std::string::npos || number.size() > 3) continue;
    const std::size_t value = std::stoul(number);
    if (value >= kFewestRepeated && value <= kMostRepeated) greatest = std::max(greatest, value);
  }
  return greatest;
}

}  // namespace

std::vector<std::vector<std::size_t>> choices_of(const std::vector<std::size_t>& counts) {
  std::vector<std::vector<std::size_t>> choices;
  const auto add = [&](auto index_of) {
    std::vector<std::size_t> choice;
    for (std::size_t at = 0; at < counts.size(); ++at) choice.push_back(index_of(at) % counts[at]);
    if (std::ranges::find(choices, choice) == choices.end() && choices.size() < kMostChoices)
      choices.push_back(std::move(choice));
  };
  const std::size_t most = counts.empty() ? 0 : std::ranges::max(counts);
  add([](std::size_t) { return std::size_t{0}; });
  add([&](std::size_t at) { return std::size_t{at + 1 == counts.size() ? 1U : 0U}; });
  if (counts.size() > 1) add([](std::size_t at) { return std::size_t{at == 0 ? 1U : 0U}; });
  for (std::size_t all = 2; all < most; ++all) add([&](std::size_t) { return all; });
  return choices;
}

std::vector<std::vector<std::string>> arguments_of(const Method& method, const Constants& constants) {
  std::vector<std::vector<std::string>> samples;
  std::vector<std::size_t> counts;
  for (const Parameter& parameter : method.parameters) {
    samples.push_back(samples_of(parameter.type, constants, Containers::kStandIns));
    if (samples.back().empty()) return {};
    counts.push_back(samples.back().size());
  }
  std::vector<std::vector<std::string>> calls;
  for (const std::vector<std::size_t>& choice : choices_of(counts)) {
    calls.emplace_back();
    for (std::size_t at = 0; at < choice.size(); ++at) calls.back().push_back(samples[at][choice[at]]);
  }
  return calls;
}

ReachedShards reached_shards(const Entity& entity, const std::vector<std::string>& members,
                             const Constants& constants) {
  std::vector<const Method*> methods;
  for (const Method& method : entity.methods) {
    if (changes(method, members) && method.has_body) methods.push_back(&method);
  }
  // The methods take turns.
  std::vector<std::string> calls;
  for (std::size_t round = 0; round < kMostChoices; ++round) {
    for (const Method* method : methods) {
      const std::vector<std::vector<std::string>> arguments = arguments_of(*method, constants);
      if (round < arguments.size()) calls.push_back(call(*method, arguments[round]));
    }
  }
  if (calls.empty()) return {};

  ReachedShards result;
  std::vector<std::string>& shards = result.shards;
  const auto add = [&](const std::vector<std::size_t>& of) {
    std::string statements;
    for (const std::size_t at : of) {
      if (at >= calls.size()) return;
      statements += calls[at];
    }
    shards.push_back(reached(statements));
  };
  for (const std::vector<std::size_t>& of :
       std::vector<std::vector<std::size_t>>{{0}, {1}, {}, {2}, {0, 0}, {0, 2}, {3, 1}, {0, 1, 2}, {3, 4}})
    add(of);
  result.large_from = shards.size();
  const std::size_t limit = limit_among(constants);
  if (limit == 0) return result;
  for (const Method* method : methods) {
    const std::vector<std::vector<std::string>> arguments = arguments_of(*method, constants);
    if (arguments.empty()) continue;
    const std::string half = repeated(*method, arguments.front(), limit / 2 + 1, "(5 + time)");
    if (half.empty()) continue;
    shards.push_back(half);
    shards.push_back(repeated(*method, arguments.front(), limit, "(200 + time)"));
    break;
  }
  return result;
}

}  // namespace autoshard::tool
