#include "tool/output/laws_dump.h"

#include <llvm/Support/JSON.h>
#include <llvm/Support/raw_ostream.h>

namespace autoshard::tool {
namespace {

constexpr const char* name_of(Law::Kind kind) {
  switch (kind) {
    case Law::Kind::kCommutative:
      return "commutative";
    case Law::Kind::kAssociative:
      return "associative";
    case Law::Kind::kNeutral:
      return "neutral";
    case Law::Kind::kCommutes:
      return "commutes";
    case Law::Kind::kReplaces:
      return "replaces";
    case Law::Kind::kAdds:
      return "adds";
  }
  return "";
}

constexpr const char* name_of(Law::How how) {
  switch (how) {
    case Law::How::kForm:
      return "form";
    case Law::How::kSolver:
      return "solver";
    case Law::How::kInduction:
      return "induction";
    case Law::How::kByKey:
      return "solver by key";
    case Law::How::kTried:
      break;
  }
  return "";
}

const char* verdict_of(const Law& law) {
  if (law.is_proved()) return "proved";
  switch (law.verdict) {
    case Law::Verdict::kHolds:
      return "tried";
    case Law::Verdict::kBroken:
      return "broken";
    case Law::Verdict::kLeftToTests:
      return "left to tests";
    case Law::Verdict::kNotJudged:
      return "not judged";
  }
  return "";
}

void write(llvm::json::OStream& json, const Law& law) {
  json.attribute("law", name_of(law.kind));
  json.attribute(law.method ? "method" : "member", law.method ? law.method->name : law.property->name);
  json.attribute("verdict", verdict_of(law));
  if (law.is_proved()) json.attribute("by", name_of(law.how));
  if (law.tried > 0) {
    json.attribute("tried", static_cast<std::int64_t>(law.tried));
    json.attribute("combinations", static_cast<std::int64_t>(law.combinations));
  }
  if (!law.reason.empty()) json.attribute("reason", law.reason);
  if (!law.obstacle.empty() && !law.is_proved()) json.attribute("obstacle", law.obstacle);
  if (law.counterexample) json.attribute("counterexample", law.counterexample->message);
  if (const Argument* const trusted = law.trusted()) json.attribute("trusted", trusted->value);
}

}  // namespace

std::string dump(const std::vector<EntityLaws>& laws) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::json::OStream json(out, 2);
  json.array([&] {
    for (const EntityLaws& entity : laws) {
      json.object([&] {
        json.attribute("class", entity.entity->qualified_name);
        json.attribute("kind", entity.entity->kind);
        json.attributeArray("laws", [&] {
          for (const Law& law : entity.laws) json.object([&] { write(json, law); });
        });
      });
    }
  });
  return text + "\n";
}

}  // namespace autoshard::tool
