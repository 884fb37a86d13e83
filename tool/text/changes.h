#pragma once

/// Many small changes to one text, made at once.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// An edit, and whether its text is to be formatted afterwards.
struct Change {
  Edit edit;
  bool format = false;
  std::uint32_t depth = 0;  ///< of the braces around it, where it is to be formatted
};

/// A text after its changes, and the byte ranges in it that have yet to be formatted.
struct EditedText {
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
  };
  std::string text;
  std::vector<Range> unformatted;
};

/// Walks through `text` after `changes`: calls `copy` with the ends of each part that stays, and `insert`
/// with each change. Changes at one place keep the order in which they are given. One inside what another
/// replaces is dropped with it; two that overlap in part are a mistake of the caller's and throw
/// std::logic_error.
void for_each_part(std::string_view text, std::vector<Change> changes,
                   const std::function<void(std::uint32_t begin, std::uint32_t end)>& copy,
                   const std::function<void(const Change&)>& insert);

/// Makes `changes` in `text`.
EditedText apply_changes(std::string_view text, std::vector<Change> changes);

}  // namespace autoshard::tool
