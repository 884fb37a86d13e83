#include "tool/check/findings.h"
#include "tool/check/rules.h"
#include "tool/model/window.h"

namespace autoshard::tool::rules {

/// When an old bucket falls out of a window, the value changes, and no update is there to be refused.
void window_bounded(const Entity& entity, Findings& findings) {
  for (const Property& property : entity.properties) {
    const Annotation* window = window_of(property);
    if (!window) continue;
    const Argument* minimum = window->argument("min");
    const Argument* bound = minimum ? minimum : window->argument("max");
    if (!bound) continue;
    const Argument* last = window->argument("last");
    Diagnostic& found = findings.add(
        bound->span, quoted(property.name) +
                         " has a window, so its value changes as time passes, and no bound can be kept; "
                         "remove 'min' and 'max', or 'last' and 'bucket'");
    found.notes.push_back({(last ? last : window->argument("bucket"))->span, "the window is here"});
  }
}

}  // namespace autoshard::tool::rules
