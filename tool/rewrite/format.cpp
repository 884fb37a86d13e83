#include "tool/rewrite/format.h"

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <vector>

namespace autoshard::tool {
namespace {

/// What `path` is formatted in. (Given its text, Clang would go through all of that to find out that it is no
/// Objective-C.)
llvm::Expected<clang::format::FormatStyle> style_of(const std::string& path, llvm::StringRef otherwise) {
  return clang::format::getStyle("file", path, otherwise, /*Code=*/"");
}

clang::format::FormatStyle style_for(const std::string& path) {
  llvm::Expected<clang::format::FormatStyle> style = style_of(path, "Google");
  // A `.clang-format` that this version cannot read is no reason to refuse the header.
  if (!style) {
    llvm::consumeError(style.takeError());
    return clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  }
  return *style;
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

std::string format(const EditedText& edited, const std::string& path) {
  clang::format::FormatStyle style = style_for(path);
  // Each of these goes through the text once more, and finds what it wants in generated text.
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
