#include "tool/laws/trial/evaluable.h"

#include <fmt/format.h>

#include "tool/laws/trial/probe.h"
#include "tool/laws/trial/samples.h"
#include "tool/text/template.h"

namespace autoshard::tool {
namespace {

std::string try_type(const Type& type, const std::string& scope, Evaluator& evaluator,
                     Containers containers) {
  if (containers == Containers::kOneKey) return why_unprovable(type, containers).value_or("");
  if (auto why = why_no_samples(type, containers)) return *why;
  const std::string text = fill(
      R"(
namespace $scope$ {
inline bool usable(int, int, int) {
  $type$ value = $sample$;
  return same(value, value);
}
}
)",
      {{"scope", scope}, {"type", type.qualified}, {"sample", samples_of(type, {}, containers).front()}});
  const bool compiled = evaluator.compile("", "", text).empty();
  if (compiled && evaluator.call(scope + "::usable", {}).known) return {};
  return fmt::format("the compiler cannot evaluate '{}'", type.qualified);
}

}  // namespace

Evaluable::Evaluable(const Model& model, Evaluator& evaluator, Containers containers)
    : containers_(containers) {
  for (const std::string& text : probe_types(model, containers)) evaluator.compile("", "", text);
  for (const Entity& entity : model.entities) {
    for (const Property& property : entity.properties) {
      if (!property.is_sharded() || reasons_.contains(property.type.canonical)) continue;
      const std::string scope = "autoshard_laws::t" + std::to_string(reasons_.size());
      reasons_[property.type.canonical] = try_type(property.type, scope, evaluator, containers);
    }
  }
}

std::optional<std::string> Evaluable::why_not(const Type& type) const {
  const auto reason = reasons_.find(type.canonical);
  if (reason == reasons_.end() || reason->second.empty()) return std::nullopt;
  return reason->second;
}

}  // namespace autoshard::tool
