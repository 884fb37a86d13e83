#pragma once

#include <autoshard/generated.h>

namespace autoshard::detail {

struct JsonTransfer;  // of `json.h`: exports and imports entities without hooks

template <class E>
inline constexpr bool kHasBeforeSave = requires(E& entity) {
  Traits<E>::before_save(entity);
};

/// Each does what the class of the entity asks for, if it asks for anything.
template <class E>
void before_save(E& entity) {
  if constexpr (kHasBeforeSave<E>) Traits<E>::before_save(entity);
}
template <class E>
void after_load(E& entity) {
  if constexpr (requires { Traits<E>::after_load(entity); }) Traits<E>::after_load(entity);
}

}  // namespace autoshard::detail
