#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

struct Updates {
  std::vector<Update> updates;    ///< of members
  std::vector<Update> of_fields;  ///< of fields within members
  bool are_all = false;           ///< the body consists of these updates, one after the other
  bool only_assigns = false;      ///< each statement is `member = …;`
  std::size_t assignments = 0;    ///< the number of these statements
};

/// The statements of `function`, a method of `entity`, that change a data member of its object and may give
/// the same value in any order. Returns no updates if the translation unit does not define the body.
Updates read_updates(const clang::FunctionDecl& function, const clang::CXXRecordDecl& entity,
                     const Context& context);

}  // namespace autoshard::tool
