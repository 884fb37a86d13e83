#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace autoshard::bench {

/// `autoshard-memory-apply`, an update on a store in memory, and `autoshard-usage`, what statistics of one
/// update cost, where no property is updated more than others and windows are closed all the time.
std::vector<std::pair<std::string, std::function<void()>>> usage_operations();

}  // namespace autoshard::bench
