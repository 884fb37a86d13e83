#include <iterator>

#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// Compilers ignore attributes that nobody knows, so a typing error would go unseen.
void unknown_attribute(const Model& model, Findings& findings) {
  for (const StrayAnnotation& stray : model.strays) {
    if (stray.known) continue;
    const Annotation& annotation = stray.annotation;
    if (annotation.name.find("::") != std::string::npos) {
      Diagnostic& found = findings.add(annotation.name_span, "there is no attribute '" + annotation.name +
                                                                 "'; did you mean the scope 'autoshard'?");
      if (!annotation.from_macro) found.fixes.push_back({annotation.name_span, "autoshard"});
      continue;
    }
    Diagnostic& found =
        findings.add(annotation.name_span, "there is no attribute 'autoshard::" + annotation.name + "'");
    suggest(found, annotation.name, annotation.name_span, !annotation.from_macro,
            {std::begin(kAttributes), std::end(kAttributes)});
  }
}

}  // namespace autoshard::tool::rules
