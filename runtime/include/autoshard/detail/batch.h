#pragma once

#include <autoshard/detail/id.h>
#include <autoshard/generated.h>

#include <concepts>
#include <iterator>
#include <type_traits>
#include <utility>

/// Concepts for calls that take ranges of ids or of entities.
namespace autoshard::detail {

/// The iterator at which a range begins, as `std::ranges::begin` finds it. The header <ranges> takes long to
/// compile.
namespace range {
using std::begin;
template <class Range>
using Begin = decltype(begin(std::declval<Range&>()));
}  // namespace range

/// A text is not a range of numbers, although its characters convert to numbers.
template <class From, class Id>
concept IdFrom = std::convertible_to<From, Id> &&
    (std::same_as<std::remove_cvref_t<From>, Id> || !std::same_as<std::remove_cvref_t<From>, char>);

template <class Ids, class E>
concept IdsOf = Persisted<E> && requires(range::Begin<const Ids> place) {
  requires std::input_iterator<range::Begin<const Ids>>;
  { *place } -> IdFrom<typename Traits<E>::Id>;
};

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

/// The elements stay where they are: pointers to them are kept while others are looked at.
template <class Entities>
concept EntityRange = std::forward_iterator<range::Begin<Entities>> &&
    requires(range::Begin<Entities> place) {
  entity_in(*place);
};

}  // namespace autoshard::detail
