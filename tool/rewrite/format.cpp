#include "tool/rewrite/format.h"

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>
#include <llvm/Support/Error.h>

#include <vector>

namespace autoshard::tool {
namespace {

clang::format::FormatStyle style_for(const std::string& path, llvm::StringRef text) {
  llvm::Expected<clang::format::FormatStyle> style = clang::format::getStyle("file", path, "Google", text);
  // A `.clang-format` that this version cannot read is no reason to refuse the header.
  if (!style) {
    llvm::consumeError(style.takeError());
    return clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  }
  return *style;
}

}  // namespace

std::string format(const EditedText& edited, const std::string& path) {
  clang::format::FormatStyle style = style_for(path, edited.text);
  style.SortIncludes = {};
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
