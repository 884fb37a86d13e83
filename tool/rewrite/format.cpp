#include "tool/rewrite/format.h"

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace autoshard::tool {
namespace {

/// The style for `path`. No text is passed: Clang would scan all of it to exclude Objective-C.
llvm::Expected<clang::format::FormatStyle> style_of(const std::string& path, llvm::StringRef otherwise) {
  return clang::format::getStyle("file", path, otherwise, /*Code=*/"");
}

/// The indentation inside of braces on most lines of `text`.
struct Indentation {
  unsigned width = 2;
  bool has_tabs = false;
};

Indentation indentation_of(std::string_view text) {
  constexpr std::size_t kMost = 8;
  std::size_t tabs = 0;
  std::size_t blanks[kMost + 1] = {};
  std::size_t last = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t indent = std::min(text.find_first_not_of(" \t", begin), end) - begin;
    const char first = begin + indent < end ? text[begin + indent] : '\n';
    if (std::string_view("\r\n*#").find(first) == std::string_view::npos) {
      if (indent > 0 && text[begin] == '\t') ++tabs;
      if (indent > last && indent - last <= kMost) ++blanks[indent - last];
      last = indent;
    }
    begin = end + 1;
  }
  const auto* const most = std::max_element(std::begin(blanks), std::end(blanks));
  if (tabs > *most) return {4, true};
  const auto width = static_cast<unsigned>(most - std::begin(blanks));
  return {*most > 0 && width > 1 ? width : 2};
}

clang::format::FormatStyle style_for(const std::string& path, std::string_view text) {
  llvm::Expected<clang::format::FormatStyle> style = style_of(path, "none");
  // The usual style is used if this version of Clang cannot read the `.clang-format`.
  if (!style) llvm::consumeError(style.takeError());
  if (style && !style->DisableFormat) return *style;
  clang::format::FormatStyle usual = clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  if (style) usual = llvm::cantFail(style_of(path, "Google"));
  const Indentation own = indentation_of(text);
  if (usual.DisableFormat || (own.width == usual.IndentWidth && !own.has_tabs)) return usual;
  usual.IndentWidth = own.width;
  usual.AccessModifierOffset = -static_cast<int>(own.width);
  usual.TabWidth = own.width;
  if (own.has_tabs) usual.UseTab = clang::format::FormatStyle::UT_Always;
  return usual;
}

}  // namespace

std::size_t column_limit(const std::string& path, const std::string& text) {
  constexpr std::size_t kUsual = 80;
  llvm::Expected<clang::format::FormatStyle> style = style_of(path, "none");
  if (!style) {
    llvm::consumeError(style.takeError());
  } else if (!style->DisableFormat) {
    return style->ColumnLimit == 0 ? std::string::npos : style->ColumnLimit;
  }
  std::size_t longest = kUsual;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    longest = std::max(longest, end - begin);
    begin = end + 1;
  }
  return longest;
}

std::string format(const EditedText& edited, const std::string& path, std::string_view original) {
  clang::format::FormatStyle style = style_for(path, original);
  // Each of these options costs another pass over the text. They would also change generated text.
  style.SortIncludes = {};
  style.SortUsingDeclarations = {};
  style.FixNamespaceComments = false;
  std::vector<clang::tooling::Range> ranges;
  for (const auto& [begin, end] : edited.unformatted) ranges.emplace_back(begin, end - begin);
  const clang::tooling::Replacements replacements = clang::format::reformat(style, edited.text, ranges, path);
  llvm::Expected<std::string> formatted = clang::tooling::applyAllReplacements(edited.text, replacements);
  if (!formatted) {
    llvm::consumeError(formatted.takeError());
    return edited.text;
  }
  return *formatted;
}

}  // namespace autoshard::tool
