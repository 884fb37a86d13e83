#pragma once

/// Many small changes to one text, made at once.

#include <string>
#include <string_view>
#include <vector>

#include "tool/model/model.h"

namespace autoshard::tool {

/// An edit, and whether what it brings in has yet to be formatted.
struct Change {
  Edit edit;
  bool format = false;
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

/// Makes `changes` in `text`. Those at one place keep the order in which they are given. One inside what
/// another replaces is dropped with it; two that overlap in part are a mistake of the caller's and throw
/// std::logic_error.
EditedText apply_changes(std::string_view text, std::vector<Change> changes);

}  // namespace autoshard::tool
