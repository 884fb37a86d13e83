#pragma once

/// Errors for a source that uses a type without the header that defines it. `autoshard/mapper.h` only
/// declares queries, elements and ranges, so that a source does not compile what it does not use.
namespace autoshard::detail {

template <class T>
struct QueryHeader {
  static_assert(
      requires { sizeof(T); }, "queries need their header: #include <autoshard/query.h>");
  using Type = T;
};
template <class T, class Result>
struct ElementsHeader {
  static_assert(
      requires { sizeof(T); }, "elements of a group need their header: #include <autoshard/elements.h>");
  using Type = Result;
};
template <class T>
struct RangeHeader {
  static_assert(
      requires { sizeof(T); }, "ranges of an index need their header: #include <autoshard/range.h>");
  using Type = T;
};

/// T, or `Result`; does not compile if the header that defines T is not included.
template <class T>
using OfQueryHeader = typename QueryHeader<T>::Type;
template <class T, class Result = T>
using OfElementsHeader = typename ElementsHeader<T, Result>::Type;
template <class T>
using OfRangeHeader = typename RangeHeader<T>::Type;

}  // namespace autoshard::detail
