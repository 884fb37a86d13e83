#pragma once

#include <autoshard/detail/id.h>
#include <autoshard/generated.h>

#include <concepts>
#include <ranges>
#include <type_traits>

/// Concepts for calls that take ranges of ids or of entities.
namespace autoshard::detail {

/// A text is not a range of numbers, although its characters convert to numbers.
template <class From, class Id>
concept IdFrom = std::convertible_to<const From&, Id> &&(std::same_as<From, Id> || !std::same_as<From, char>);

template <class Ids, class E>
concept IdsOf =
    Persisted<E> && std::ranges::input_range<const Ids&> && IdFrom < std::ranges::range_value_t<const Ids&>,
typename Traits<E>::Id > ;

/// Returns the entity that an element of a range is or points to; null if it points to none.
template <Persisted E>
E* entity_in(E& element) {
  return &element;
}
template <class Pointer>
requires requires(Pointer& element) {
  static_cast<bool>(element);
  requires Persisted<std::remove_reference_t<decltype(*element)>>;
}
auto* entity_in(Pointer& element) { return element ? &*element : nullptr; }

template <class Entities>
concept EntityRange = std::ranges::forward_range<Entities> && requires(Entities& entities) {
  entity_in(*std::ranges::begin(entities));
};

}  // namespace autoshard::detail
