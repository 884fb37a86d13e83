#pragma once

#include <autoshard/detail/entity_key.h>

#include <cstddef>

namespace autoshard::test {

/// The key of an entity, for tests of parts to which any bytes are a key: `"a"_entity`.
constexpr detail::EntityKeyView operator""_entity(const char* bytes, std::size_t size) {
  return detail::EntityKeyView({bytes, size});
}

}  // namespace autoshard::test
