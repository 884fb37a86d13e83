#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/model/model.h"

namespace autoshard::tool {

/// Where the class stands, as far as that decides whether it can be an entity.
Place place_of(const clang::CXXRecordDecl& record);

}  // namespace autoshard::tool
