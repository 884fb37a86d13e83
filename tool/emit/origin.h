#pragma once

/// Ties generated text to the user's lines, for files that are compiled in place: there, a debugger and the
/// compiler's messages shall speak of what the user wrote. Marks inside of the text say so, until the
/// rewriter takes them out.
///
/// Text with marks may be put together, as a value of `fill` and by appending. Only rewrite/in_place.h looks
/// into it: a search may find the bytes of a mark, and a cut may leave half of one.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Behind this, generated text stands for the user's line of `offset` in `source`. Empty where `source` is
/// not compiled in place.
std::string stands_for(const SourceFile& source, std::uint32_t offset);

/// The user's own text in `span`, which moves as it is.
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
