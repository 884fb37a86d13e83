#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// A load returns the entity by value.
void not_movable(const Entity& entity, Findings& findings) {
  for (const Obstacle& obstacle : entity.suspicions.immovable) {
    findings.add(obstacle.span,
                 "a load cannot return a " + quoted(entity.name) + " by value: " + obstacle.what);
  }
}

}  // namespace autoshard::tool::rules
