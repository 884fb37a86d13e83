#pragma once

#include <autoshard/detail/id.h>
#include <autoshard/detail/index_type.h>
#include <autoshard/generated.h>
#include <autoshard/mapper.h>
#include <autoshard/query.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>

namespace autoshard {

namespace detail {

template <class Properties>
struct ValuesOf;
template <class... Owner, class... T>
struct ValuesOf<std::tuple<Property<Owner, T>...>> {
  using Type = std::tuple<T...>;
};
template <class Owner, class T>
struct ValuesOf<std::tuple<Property<Owner, T>>> {
  using Type = T;
};

/// Appends the values of an index's members in the form that they have in keys.
template <class T>
void append_values(std::string& bytes, const T& values) {
  if constexpr (kIsComposite<T>) {
    std::apply([&](const auto&... value) { (append_id(bytes, value), ...); }, values);
  } else {
    append_id(bytes, values);
  }
}

}  // namespace detail

/// The arguments of a range of an index: the values of its key and of its order. Several members form a
/// tuple.
template <class E, std::size_t kPlace>
struct IndexOf {
  using Entity = E;
  using Type = std::tuple_element_t<kPlace, decltype(Traits<E>::indexes())>;
  using Key = typename detail::ValuesOf<decltype(Type::key)>::Type;
  using Order = typename detail::ValuesOf<decltype(Type::order)>::Type;

  static detail::IndexRange range(const Key& key) {
    std::string begin;
    detail::append_values(begin, key);
    return {&detail::kIndexTypes<E>[kPlace], detail::range_of(std::move(begin))};
  }
  static detail::IndexRange range(const Key& key, const Order& from, const Order& to) {
    static_assert(std::tuple_size_v<decltype(Type::order)> > 0,
                  "a range can have limits only in an index with an order");
    detail::IndexRange range{&detail::kIndexTypes<E>[kPlace], { .begin = {}, .end = {} }};
    for (std::string* bound : {&range.values.begin, &range.values.end}) detail::append_values(*bound, key);
    detail::append_values(range.values.begin, from);
    detail::append_values(range.values.end, to);
    return range;
  }
};

/// A part of an index. It is read when it is iterated over, and when `page` or `count` is called. Entities
/// come in the order of the index, equal ones by their ids, all from one snapshot. The iteration reads them
/// one at a time, however many there are:
///
///   for (const LogEntry& entry : mapper.range<LogEntry::ByCompany>("Acme", from, to).reverse().limit(20))
///
/// A range is a value and may be copied freely. Neither the range nor its iterators may outlive the mapper.
/// Its entities are like loaded ones: they can be saved. Throws what `Mapper::load` throws, and
/// `IndexNotBuilt`.
template <Persisted E>
class Range {
 public:
  Range(detail::MapperCore& core, detail::IndexRange range) : query_(core, Condition<E>()) {
    query_.spec_.range = std::move(range);
  }

  /// Limits the number of entities.
  Range limit(std::uint64_t entities) const {
    Range range = *this;
    range.query_.spec_.limit = entities;
    return range;
  }

  /// Reverses the order, also that of the ids. A second call undoes the first.
  Range reverse() const {
    Range range = *this;
    range.query_.spec_.range->is_reversed = !range.query_.spec_.range->is_reversed;
    return range;
  }

  /// Continues after a page of the same range, in a later snapshot; an empty cursor begins anew.
  /// `InvalidCursor` if the cursor belongs to another range; thrown when entities are read.
  Range after(std::string_view cursor) const {
    Range range = *this;
    range.query_.spec_.after = cursor;
    return range;
  }

  using Iterator = typename Query<E>::Iterator;
  Iterator begin() const { return query_.begin(); }
  std::default_sentinel_t end() const { return {}; }

  /// Returns all entities up to the limit, and the cursor after the last one.
  Page<E> page() const { return query_.page(); }

  /// Returns the number of entities up to the limit.
  std::uint64_t count() const { return query_.count(); }

  /// Returns a description for people of how the range will be read.
  std::string explain() const { return query_.explain(); }

 private:
  Query<E> query_;
};

template <class I>
Range<typename detail::OfRangeHeader<I>::Entity> Mapper::range(
    const typename detail::OfRangeHeader<I>::Key& key) const {
  return Range<typename I::Entity>(*core_, I::range(key));
}

template <class I>
Range<typename detail::OfRangeHeader<I>::Entity> Mapper::range(
    const typename detail::OfRangeHeader<I>::Key& key, const typename I::Order& from,
    const typename I::Order& to) const {
  return Range<typename I::Entity>(*core_, I::range(key, from, to));
}

}  // namespace autoshard
