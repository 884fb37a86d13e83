#pragma once

/// Changes to a text that the compiler reads instead of the user's file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tool/text/changes.h"

namespace autoshard::tool {

/// A text, and which of the user's lines its own lines stand for. What the user wrote stands at the columns
/// where the user wrote it.
struct InPlaceText {
  /// From here on, lines are counted from `line`; the first is 1.
  struct Note {
    std::uint32_t offset;
    std::uint32_t line;

    friend bool operator==(const Note&, const Note&) = default;
  };
  std::string text;
  std::vector<Note> notes;  ///< in the order of their offsets, which differ
};

/// Makes `changes` in `text`, and takes the marks of emit/origin.h out. What has yet to be formatted is only
/// indented: this happens whenever the user compiles.
InPlaceText apply_in_place(std::string_view text, std::vector<Change> changes);

}  // namespace autoshard::tool
