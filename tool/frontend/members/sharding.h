#pragma once

#include "tool/frontend/tokens/context.h"
#include "tool/model/model.h"

namespace clang {
class FieldDecl;
}

namespace autoshard::tool {

/// What an argument `shards` says; 0 where it is no number that is known here.
std::uint32_t number_of_shards(const Argument& argument);

/// How `property` of `entity`, which is `field`, is kept; nothing where it is not sharded. The methods of
/// `entity` must be known.
std::optional<Sharding> read_sharding(const Entity& entity, const Property& property,
                                      const clang::FieldDecl& field, const Context& context);

}  // namespace autoshard::tool
