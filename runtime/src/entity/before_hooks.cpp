#include "before_hooks.h"

#include <autoshard/detail/hooks.h>
#include <autoshard/messagepack.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace autoshard::detail {

void take_back(const EntityType& type, EntityKeyView key, const BeforeHooks& before, void* entity) {
  std::string properties;
  Encoder out(properties);
  out.map(type.properties);
  out.encoded(before.properties);
  Decoder in(key.bytes(), properties);
  for (std::size_t left = in.map(); left > 0; --left) {
    const std::string_view name = in.text();
    type.decode_property(in, name, entity);  // the class has every name that it writes
  }
}

void undo_hooks(const EntityRef& entity) noexcept {
  const BeforeHooks* const before = entity.before_hooks.get();
  if (!before || before->version != *entity.version) return;
  try {
    std::string properties;
    Encoder out(properties);
    entity.type.encode_properties(out, entity.entity);
    // Members that are decoded again lose what the application refers to in them.
    if (properties != before->properties) take_back(entity.type, entity.key, *before, entity.entity);
  } catch (...) {  // of a codec, or no memory
  }
}

}  // namespace autoshard::detail
