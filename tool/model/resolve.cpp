#include "tool/model/resolve.h"

namespace autoshard::tool {

Model resolve(Model model, const OtherUnits& others) {
  const bool is_source = !others.source.empty();
  for (SourceFile& file : model.files) file.is_source = is_source && file.path == others.source;
  for (Entity& entity : model.entities) {
    for (Method& method : entity.methods) {
      method.defined_elsewhere =
          !method.has_body && (others.define_the_rest || others.defined.contains(method_key(method)));
      std::erase_if(method.unseen_calls, [&](const UnseenCall& call) {
        return others.defined.contains(call.key) || (is_source && !model.files[call.span.file].is_source);
      });
    }
  }
  return model;
}

}  // namespace autoshard::tool
