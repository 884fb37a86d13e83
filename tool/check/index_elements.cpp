#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/window.h"

namespace autoshard::tool::rules {

/// The entries follow from the main record, which has no element of a sharded collection. A group has no
/// index at all.
void index_elements(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    if (!property.is_sharded() || property.is_group() || !property.has_elements_index() ||
        window_of(property))
      continue;
    findings.add(
        property.annotation("index")->span,
        quoted(property.name) +
            " is sharded, and an index of elements is for collections that are not; remove 'elements', "
            "or the sharding");
  }
}

}  // namespace autoshard::tool::rules
