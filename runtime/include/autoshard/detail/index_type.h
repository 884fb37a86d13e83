#pragma once

#include <autoshard/detail/id.h>
#include <autoshard/generated.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The indexes of an entity's traits as plain pointers. `entity_type.h` does the same for the properties.
namespace autoshard::detail {

/// An index without the type of its entity.
struct IndexType {
  enum class Kind : std::uint8_t { kEntries, kRanked, kElements };

  std::string_view name;
  std::uint32_t shards;
  bool is_unique;
  std::span<const std::string_view> members;  ///< the names of the members of the key, then of the order
  std::size_t key_members;                    ///< the number of members of the key
  void (*append_key)(std::string& key, const void* entity);  ///< for elements: the keys one after the other
  void (*append_order)(std::string& key, const void* entity);
  Kind kind;
  std::uint32_t staleness;  ///< for a ranked index, in seconds
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

/// A text is no collection, though it can be iterated over.
template <class Elements>
concept Collection = !std::same_as<Elements, std::string> && requires(const Elements& elements) {
  std::begin(elements);
};

/// Appends the elements of a collection; for a map, its keys.
template <class Elements>
void append_elements(std::string& key, const Elements& elements) {
  static_assert(Collection<Elements>, "an index of elements is over a collection");
  if constexpr (Collection<Elements>) {
    for (const auto& element : elements) {
      if constexpr (requires { typename Elements::mapped_type; }) {
        append_id(key, element.first);
      } else {
        append_id(key, element);
      }
    }
  }
}

/// Returns whether the entity has a sharded property of this name.
template <class E>
constexpr bool has_sharded(std::string_view name) {
  if constexpr (requires { Traits<E>::sharded_properties(); }) {
    return std::apply([&](const auto&... property) { return ((property.name == name) || ...); },
                      Traits<E>::sharded_properties());
  } else {
    return false;
  }
}

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
  static_assert(std::tuple_size_v<Key> > 0, "an index must have a key");
  static_assert(kOne.shards >= 1 && kOne.shards <= kMostShards, "an index must have 1 to 4096 shards");
  static_assert(kOne.staleness == 0 || (!kOne.unique && kIndexMembers<E, kPlace>.size() == 1),
                "a ranked index must have one sharded property, and cannot be unique");
  static_assert(!kOne.elements || (!kOne.unique && kOne.staleness == 0 && kOne.shards == 1 &&
                                   kIndexMembers<E, kPlace>.size() == 1),
                "an index of elements is over one property, has one shard, and is neither unique nor ranked");
  static_assert(!kOne.elements || !has_sharded<E>(kIndexMembers<E, kPlace>.front()),
                "an index of elements is over a property that is not sharded");
  return {.name = kOne.name,
          .shards = kOne.shards,
          .is_unique = kOne.unique,
          .members = kIndexMembers<E, kPlace>,
          .key_members = std::tuple_size_v<Key>,
          .append_key =
              [](std::string& key, const void* entity) {
                if constexpr (kOne.elements) {
                  append_elements(key, static_cast<const E*>(entity)->*std::get<0>(kOne.key).member);
                } else {
                  append_parts<E>(key, entity, kOne.key);
                }
              },
          .append_order = [](std::string& key,
                             const void* entity) { append_parts<E>(key, entity, kIndex<E, kPlace>.order); },
          .kind = kOne.staleness > 0 ? IndexType::Kind::kRanked
                  : kOne.elements    ? IndexType::Kind::kElements
                                     : IndexType::Kind::kEntries,
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

/// Returns the ranked index of the sharded property of this name; null without one.
template <class E>
constexpr const IndexType* ranked_index_of(std::string_view property) {
  for (const IndexType& index : kIndexTypes<E>) {
    if (index.kind == IndexType::Kind::kRanked && index.members.front() == property) return &index;
  }
  return nullptr;
}

}  // namespace autoshard::detail
