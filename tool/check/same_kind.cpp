#include "tool/check/findings.h"
#include "tool/check/rules.h"

namespace autoshard::tool::rules {

/// The kind tells the records of one class from those of another.
void same_kind(const Model& model, Findings& findings) {
  for (std::size_t at = 0; at < model.entities.size(); ++at) {
    const Entity& entity = model.entities[at];
    for (std::size_t before = 0; before < at; ++before) {
      const Entity& other = model.entities[before];
      if (other.kind != entity.kind) continue;
      Diagnostic& found =
          findings.add(entity.span, quoted(entity.qualified_name) + " and " + quoted(other.qualified_name) +
                                        " are both kind " + quoted(entity.kind) +
                                        "; tell them apart, as in 'entity(\"Other" + entity.kind + "\")'");
      found.notes.push_back({other.span, quoted(other.qualified_name) + " is here"});
      break;
    }
  }
}

}  // namespace autoshard::tool::rules
