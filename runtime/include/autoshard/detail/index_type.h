#pragma once

#include <autoshard/detail/id.h>
#include <autoshard/generated.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The indexes of an entity's traits as plain pointers, as `entity_type.h` has the properties.
namespace autoshard::detail {

/// An index, as the mapper needs it.
struct IndexType {
  std::string_view name;
  std::uint32_t shards;
  bool is_unique;
  std::span<const std::string_view> members;  ///< the names of those of the key, then of the order
  std::size_t key_members;                    ///< how many of them are the key's
  void (*append_key)(std::string& key, const void* entity);
  void (*append_order)(std::string& key, const void* entity);
  std::uint32_t staleness;  ///< of a rollup, in seconds; 0: it is none

  constexpr bool is_rollup() const { return staleness > 0; }
};

template <class E, std::size_t kPlace>
inline constexpr auto kIndex = std::get<kPlace>(Traits<E>::indexes());

template <class E, std::size_t kPlace>
inline constexpr auto kIndexMembers = [] {
  constexpr auto names = [](const auto&... property) {
    return std::array<std::string_view, sizeof...(property)>{property.name...};
  };
  return std::apply(names, std::tuple_cat(kIndex<E, kPlace>.key, kIndex<E, kPlace>.order));
}();

template <class E, class Properties>
void append_parts(std::string& key, const void* entity, const Properties& properties) {
  std::apply(
      [&](const auto&... property) {
        (append_id(key, static_cast<const E*>(entity)->*property.member), ...);
      },
      properties);
}

template <class E, std::size_t kPlace>
constexpr IndexType make_index_type() {
  constexpr const auto& kOne = kIndex<E, kPlace>;
  using Key = std::remove_cvref_t<decltype(kOne.key)>;
  static_assert(std::tuple_size_v<Key> > 0, "an index has a key");
  static_assert(kOne.shards >= 1 && kOne.shards <= kMostShards,
                "an index has at least 1 shard, and at most 4096");
  static_assert(kOne.staleness == 0 || (!kOne.unique && kIndexMembers<E, kPlace>.size() == 1),
                "a rollup is over one sharded property, and not unique");
  return {.name = kOne.name,
          .shards = kOne.shards,
          .is_unique = kOne.unique,
          .members = kIndexMembers<E, kPlace>,
          .key_members = std::tuple_size_v<Key>,
          .append_key = [](std::string& key,
                           const void* entity) { append_parts<E>(key, entity, kIndex<E, kPlace>.key); },
          .append_order = [](std::string& key,
                             const void* entity) { append_parts<E>(key, entity, kIndex<E, kPlace>.order); },
          .staleness = kOne.staleness};
}

template <class E>
concept Indexed = requires {
  Traits<E>::indexes();
};

template <class E>
constexpr auto make_index_types() {
  if constexpr (Indexed<E>) {
    return []<std::size_t... kPlace>(std::index_sequence<kPlace...>) {
      return std::array<IndexType, sizeof...(kPlace)>{make_index_type<E, kPlace>()...};
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(Traits<E>::indexes())>>());
  } else {
    return std::array<IndexType, 0>{};
  }
}

template <class E>
inline constexpr auto kIndexTypes = make_index_types<E>();

/// The rollup of the sharded property of this name; null without one.
template <class E>
constexpr const IndexType* rollup_of(std::string_view property) {
  for (const IndexType& index : kIndexTypes<E>) {
    if (index.is_rollup() && index.members.front() == property) return &index;
  }
  return nullptr;
}

}  // namespace autoshard::detail
