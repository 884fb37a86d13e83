#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/generated.h>

#include <memory>
#include <utility>

namespace autoshard::detail {

struct JsonTransfer;  // of `json.h`: exports and imports entities without hooks

template <class E>
inline constexpr bool kHasBeforeSave = requires(E& entity) {
  Traits<E>::before_save(entity);
};

/// Each function runs the hook of the entity's class, if there is one.
template <class E>
void before_save(E& entity) {
  if constexpr (kHasBeforeSave<E>) Traits<E>::before_save(entity);
}
template <class E>
void after_load(E& entity) {
  if constexpr (requires { Traits<E>::after_load(entity); }) Traits<E>::after_load(entity);
}

/// Must be called after a save has failed. Gives the members their values from before the hooks, unless the
/// main record was saved. Otherwise the next save would take the changes of the hooks for changes of the
/// application. Ignores exceptions of a codec; some members then keep the values that the hooks have set.
void undo_hooks(const EntityRef& entity) noexcept;

/// Runs the hooks of a save. Returns the entity together with its state before the hooks.
template <class E>
EntityRef entity_to_save(E& entity) {
  if constexpr (!kHasBeforeSave<E>) return entity_ref(entity);
  EntityRef before = entity_ref(entity);
  const auto was = std::make_shared<BeforeHooks>();
  Encoder out(was->properties);
  before.type.encode_properties(out, &entity);
  if (before.type.expires_at) was->expiry = before.type.expires_at(&entity);
  was->version = *before.version;
  before.before_hooks = was;
  try {
    before_save(entity);
    EntityRef to_save = entity_ref(entity);
    to_save.before_hooks = was;
    return to_save;
  } catch (...) {
    undo_hooks(before);
    throw;
  }
}

}  // namespace autoshard::detail
