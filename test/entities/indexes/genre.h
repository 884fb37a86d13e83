#pragma once

#include <chrono>

/// What the classes of films share.
namespace cinema {

enum class Genre { kDrama, kComedy, kThriller };

using Day = std::chrono::sys_days;

}  // namespace cinema
