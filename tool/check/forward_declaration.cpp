#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Outside the inline namespace of the companion, it declares another class of the same name.
void forward_declaration(const Model& model, Findings& findings) {
  for (const SourceFile& file : model.files) {
    if (file.is_input) continue;
    for (const Span& declaration : file.forward_declarations) {
      const std::string text = file.text.substr(declaration.begin, declaration.end - declaration.begin);
      findings.add(declaration,
                   quoted(text) +
                       " would declare another class than the one that is generated; give this file to "
                       "the generator as well (HEADERS of autoshard_generate)");
    }
  }
}

}  // namespace autoshard::tool::rules
