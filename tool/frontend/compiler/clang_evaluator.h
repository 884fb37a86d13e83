#pragma once

#include <clang/Frontend/CompilerInstance.h>

#include <memory>

#include "tool/model/evaluator.h"

namespace autoshard::tool {

/// Whether `place` is in the standard header <bitset>. The evaluator also runs functions of that header,
/// which are constexpr only since C++23. The other functions of the library that laws need are constexpr in
/// C++20.
bool is_in_bitset_header(const clang::SourceManager& sources, clang::SourceLocation place);

/// Evaluates in the translation unit that `compiler` has just parsed, whose text is not read again. To be
/// made after the parser is done, while there still is a Sema; nothing is to be parsed by others after that.
std::unique_ptr<Evaluator> make_evaluator(clang::CompilerInstance& compiler);

}  // namespace autoshard::tool
