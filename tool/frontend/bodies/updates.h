#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

struct Updates {
  std::vector<Update> updates;
  bool are_all = false;       ///< each statement of the body is one of them, and they run one after the other
  bool only_assigns = false;  ///< each statement is `member = …;`
  std::size_t assignments = 0;  ///< how many statements are
};

/// The statements of `function`, a method of `entity`, that change a data member of its object in a way that
/// may give the same value in any order.
Updates read_updates(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                     const Context& context);

}  // namespace autoshard::tool
