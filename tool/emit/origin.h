#pragma once

/// Ties generated text to the user's lines, for files that are compiled in place: there, a debugger and the
/// compiler show the lines that the user wrote. Marks in the generated text name these lines. The rewriter
/// removes the marks.
///
/// Text with marks may be appended, or be a value of `fill`. Only rewrite/in_place.h may search or cut it: a
/// search may find the bytes of a mark, and a cut may leave half of one.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tool/model/model.h"

namespace autoshard::tool {

/// The mark that ties the text behind it to the line of `offset` in `source`. Empty where `source` is not
/// compiled in place.
std::string stands_for(const SourceFile& source, std::uint32_t offset);

/// The user's text in `span`, unchanged. Where `source` is compiled in place, this is a mark that the
/// rewriter replaces by the text.
std::string moved(const SourceFile& source, const Span& span);

/// One of the marks.
struct OriginMark {
  std::size_t size = 0;  ///< of the mark itself
  std::uint32_t begin = 0;
  std::optional<std::uint32_t> end;  ///< of text that moves
};

/// The mark with which `text` begins, if it does.
std::optional<OriginMark> origin_mark(std::string_view text);

}  // namespace autoshard::tool
