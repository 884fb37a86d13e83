#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// A source of GoogleTest that tries every law of every entity with random values, but for laws whose rule
/// `is_disabled`. `includes` are the generated headers, as `#include` has them.
std::string law_tests(const Model& model, const std::vector<std::string>& includes,
                      const std::function<bool(std::string_view tag)>& is_disabled);

/// Why the generated law tests can try nothing of `entity`, or not `method`; nothing where they can.
std::optional<std::string> why_untestable(const Entity& entity);
std::optional<std::string> why_untestable(const Entity& entity, const Method& method);

}  // namespace autoshard::tool
