#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/laws/laws.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// Returns the source of a GoogleTest program that tries each law of each entity with random values. Leaves
/// out a law if `is_disabled` is true for its rule, or if `laws` prove it for reachable values alone.
/// `includes` are the names of the generated headers, as
/// `#include` has them.
std::string law_tests(const Model& model, const std::vector<EntityLaws>& laws,
                      const std::vector<std::string>& includes,
                      const std::function<bool(std::string_view tag)>& is_disabled);

/// Why the law tests cannot try `entity`, or cannot try `method`; nothing if they can.
std::optional<std::string> why_untestable(const Entity& entity);
std::optional<std::string> why_untestable(const Entity& entity, const Method& method);

}  // namespace autoshard::tool
