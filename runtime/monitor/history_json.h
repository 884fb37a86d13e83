#pragma once

#include <autoshard/activity.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "history.h"

namespace autoshard::monitor {

/// The part of a history that a client asks for.
struct HistoryPart {
  bool is_coarse = false;
  std::size_t columns = 600;  ///< at most, the newest
  std::uint64_t after = 0;    ///< only columns with this number or a higher one
};

/// Returns the part as JSON, as the guide to the monitor explains it. `now`: in milliseconds since 1970.
std::string history_json(const History& history, const AdaptiveRules& rules, const HistoryPart& part,
                         std::int64_t now);

/// Returns the text as the content of a `<script>` element of HTML: nothing in it ends the element.
std::string for_script(std::string json);

}  // namespace autoshard::monitor
