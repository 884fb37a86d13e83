#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// The number of shards is read by the generator.
void shards_not_constant(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Argument* shards = shards_of(property);
    if (!shards || shards->number) continue;
    findings.add(shards->value_span,
                 "the number of shards is not a constant that is known here; write an integer, or "
                 "the name of a constexpr integer or an enumerator");
  }
}

}  // namespace autoshard::tool::rules
