#pragma once

/// Reads the `autoshard::` attributes out of the tokens.

#include <llvm/ADT/DenseSet.h>

#include "tool/frontend/compiler/files.h"
#include "tool/frontend/tokens/tokens.h"
#include "tool/model/model.h"

namespace autoshard::tool {

/// An attribute as it stands in the tokens, wherever it stands.
struct FoundAttribute {
  Annotation annotation;
  clang::SourceLocation name;  ///< as attributes_of() gives it
  std::vector<Tokens> values;  ///< of the arguments, one for one
  bool claimed = false;        ///< whether it belongs to an entity or to a member of one
};

struct FoundAttributes {
  std::vector<FoundAttribute> attributes;  ///< in the order of the tokens
  std::vector<bool> removed;               ///< for each token of the log, whether it goes with an attribute

  FoundAttribute* at(clang::SourceLocation name);
};

/// Of a call such as `adaptive(1, 64)`, what stands between the parentheses, split at the commas; nothing for
/// any other expression.
std::vector<Tokens> arguments_of_call(Tokens expression);

/// Of `(a, b)`, `a` and `b`; of any other expression, that itself.
std::vector<Tokens> items_of_list(Tokens expression);

FoundAttributes find_attributes(const TokenLog& log, Files& files);

/// The files that hold an entity, or a class that is mapped or embedded, whether they were given or not.
llvm::DenseSet<const clang::FileEntry*> files_with_entities(const FoundAttributes& found,
                                                            const clang::SourceManager& sources);

}  // namespace autoshard::tool
