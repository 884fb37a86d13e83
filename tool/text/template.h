#pragma once

/// Templates that look like their output: text with holes, written `$name$`, and with lines that repeat or
/// may be left out.
///
///   std::tuple{
///     $for property$
///       Property{$stored$, $pointer$},
///     $end$
///   }
///
/// `$for …$`, `$if …$` and `$end$` stand on lines of their own, which disappear.

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoshard::tool {

/// The values of the holes in one round of a loop. The holes around the loop keep their values there.
using Round = std::vector<std::pair<std::string_view, std::string>>;
using Rounds = std::vector<Round>;

/// Returns `text` with every hole filled. A line of holes alone disappears if all of them are empty, so that
/// optional parts leave no blank lines. The newline after the opening quotes of a raw string is dropped.
///
/// `$for name$` repeats the lines up to its `$end$` once a round of `loops`. `$if name$` leaves them out if
/// the hole, or the loop, of this name is empty. Throws std::logic_error if the template has a hole or a loop
/// without values, or a line without its `$end$`.
std::string fill(std::string_view text,
                 std::initializer_list<std::pair<std::string_view, std::string_view>> holes,
                 std::initializer_list<std::pair<std::string_view, Rounds>> loops = {});

/// Returns what `text_of` makes of each element, with `separator` between them.
template <class Range, class TextOf>
std::string joined(const Range& range, std::string_view separator, TextOf text_of) {
  std::string text;
  bool is_first = true;
  for (const auto& element : range) {
    if (!is_first) text += separator;
    is_first = false;
    text += text_of(element);
  }
  return text;
}

}  // namespace autoshard::tool
