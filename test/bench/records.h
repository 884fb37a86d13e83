#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace autoshard::bench {

/// Operations on the main record of an entity with six properties, in memory: by AutoShard and by hand with
/// msgpack-cxx, each with its name.
std::vector<std::pair<std::string, std::function<void()>>> record_operations();

}  // namespace autoshard::bench
