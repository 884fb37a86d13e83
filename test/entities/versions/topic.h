#pragma once

/// Every version of the class Topic, as its programs have it one after the other: what one writes, the others
/// read.

#include <type_traits>

#include "topic/dynamic.autoshard.h"
#include "topic/grouped.autoshard.h"
#include "topic/renamed_earlier.autoshard.h"
#include "topic/renamed_later.autoshard.h"
#include "topic/replacing.autoshard.h"
#include "topic/sharded.autoshard.h"
#include "topic/spread.autoshard.h"
#include "topic/unsharded.autoshard.h"
#include "topic/windowed.autoshard.h"

namespace forum {

/// The field of the posts, and that of the stars, which later versions call by other names.
template <class Topic>
constexpr auto posts_of() {
  using f = autoshard::Fields<Topic>;
  if constexpr (std::is_same_v<Topic, RenamedEarlierTopic>) {
    return f::articles;
  } else if constexpr (std::is_same_v<Topic, RenamedLaterTopic>) {
    return f::writings;
  } else {
    return f::posts;
  }
}
template <class Topic>
constexpr auto stars_of() {
  using f = autoshard::Fields<Topic>;
  if constexpr (std::is_same_v<Topic, RenamedEarlierTopic>) {
    return f::marks;
  } else if constexpr (std::is_same_v<Topic, RenamedLaterTopic>) {
    return f::votes;
  } else {
    return f::stars;
  }
}

}  // namespace forum
