#include "tool/emit/origin.h"

#include <charconv>

namespace autoshard::tool {
namespace {

// No token of C++ begins with one of these characters.
constexpr char kOpen = '\x01';
constexpr char kClose = '\x02';

}  // namespace

std::string stands_for(const SourceFile& source, std::uint32_t offset) {
  if (!source.is_in_place()) return {};
  return kOpen + std::to_string(offset) + kClose;
}

std::string moved(const SourceFile& source, const Span& span) {
  if (!source.is_in_place()) return source.text.substr(span.begin, span.end - span.begin);
  return kOpen + std::to_string(span.begin) + "," + std::to_string(span.end) + kClose;
}

std::optional<OriginMark> origin_mark(std::string_view text) {
  if (!text.starts_with(kOpen)) return std::nullopt;
  const std::size_t close = text.find(kClose);
  OriginMark mark;
  mark.size = close + 1;
  const char* const end = text.data() + close;
  const char* const rest = std::from_chars(text.data() + 1, end, mark.begin).ptr;
  if (rest != end) std::from_chars(rest + 1, end, mark.end.emplace());
  return mark;
}

}  // namespace autoshard::tool
