#include "tool/laws/unproved.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/laws/blame.h"
#include "tool/model/law_tags.h"
#include "tool/text/wording.h"

namespace autoshard::tool {
namespace {

bool is_open(const Law& law, const Control& control) {
  if (law.verdict == Law::Verdict::kBroken || law.is_proved() || law.trusted()) return false;
  if (law.waits_for_fold || (law.method && !law.method->has_body)) return false;
  if (control.laws_are_tested && law.verdict != Law::Verdict::kNotJudged) return false;
  return !is_disabled(control, rule_of(law.kind));
}

/// The claims about a fold that are not proved: `commutative`, or `associative, and that 0 is neutral`.
std::string claims(const std::vector<const Law*>& laws, const std::string& fold) {
  std::vector<std::string> properties, more;
  for (const Law* law : laws) {
    if (law->kind == Law::Kind::kCommutative) properties.emplace_back("commutative");
    if (law->kind == Law::Kind::kAssociative) properties.emplace_back("associative");
    if (law->kind == Law::Kind::kAdds) more.emplace_back("that it adds");
    if (law->kind == Law::Kind::kNeutral)
      more.push_back(fmt::format("that {} is neutral", law->property->sharding->neutral));
  }
  if (!properties.empty())
    more.insert(more.begin(), fmt::format("that {} is {}", fold, enumeration(properties, "and")));
  return enumeration(more, "and");
}

std::string claim(const Entity& entity, const std::vector<const Law*>& laws) {
  const Law& law = *laws.front();
  if (law.kind == Law::Kind::kCommutes)
    return fmt::format("that {} gives the same on whichever shard it runs", law.method->name);
  if (law.kind == Law::Kind::kReplaces)
    return fmt::format("that {} replaces the value, whatever it was", law.method->name);
  return claims(laws, written_fold(entity, *law.property));
}

/// Why `law` is not proved.
std::string obstacle(const Law& law) {
  if (!law.reason.empty()) return law.reason;
  return fmt::format("{}; it was tried on {} of {}", law.obstacle, law.tried,
                     count(law.combinations, "combination") + " of values");
}

std::string ways_out(const std::vector<const Law*>& laws, const Control& control) {
  const bool is_testable =
      std::ranges::all_of(laws, [](const Law* law) { return law->verdict != Law::Verdict::kNotJudged; });
  const Law& law = *laws.front();
  const std::string_view attribute = !law.method                    ? "shardable"
                                     : law.method->is_shard_write() ? "shard_write"
                                                                    : "shard_method";
  return fmt::format("rewrite it{}or give the reason why it holds: {}({}trusted = \"…\")",
                     is_testable && !control.laws_are_tested ? ", add law tests, " : " ", attribute,
                     law.method ? "" : "…, ");
}

Diagnostic warning(const Entity& entity, const std::vector<const Law*>& laws, const Control& control) {
  Diagnostic found;
  found.rule = tags::kLawNotProved;
  found.severity = Diagnostic::Severity::kWarning;
  found.span = place_of(entity, *laws.front());
  found.message = fmt::format("it is not proved {}: {}; {}", claim(entity, laws), obstacle(*laws.front()),
                              ways_out(laws, control));
  return found;
}

}  // namespace

Diagnostics unproved(const std::vector<EntityLaws>& laws, const Control& control) {
  Diagnostics found;
  for (const EntityLaws& entity : laws) {
    // The laws of one fold are adjacent, and make one warning.
    std::vector<const Law*> together;
    const auto end = [&] {
      if (!together.empty()) found.push_back(warning(*entity.entity, together, control));
      together.clear();
    };
    const auto is_broken = [&](const Property* property) {
      return property && std::ranges::any_of(entity.laws, [&](const Law& law) {
               return law.property == property && law.verdict == Law::Verdict::kBroken;
             });
    };
    for (const Law& law : entity.laws) {
      // A wrong fold has to be changed anyway, so its other laws are not reported.
      if (!is_open(law, control) || is_broken(law.property)) continue;
      if (!together.empty() && (law.method || together.front()->property != law.property)) end();
      together.push_back(&law);
    }
    end();
  }
  return found;
}

}  // namespace autoshard::tool
