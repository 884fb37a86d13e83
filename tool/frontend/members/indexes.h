#pragma once

#include <clang/AST/DeclCXX.h>

#include "tool/frontend/tokens/context.h"

namespace autoshard::tool {

/// What the annotations `sharded_index` of `record`, which are among `annotations`, declare.
std::vector<ShardedIndex> read_indexes(const clang::CXXRecordDecl& record,
                                       const std::vector<Annotation>& annotations, const Context& context);

}  // namespace autoshard::tool
