#pragma once

#include <autoshard/codec.h>
#include <autoshard/detail/elements_run.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/errors.h>
#include <autoshard/generated.h>
#include <autoshard/mapper.h>
#include <autoshard/query.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace autoshard {

/// Names one element of a group (`shard_group`) as long as the element exists. The text consists of letters
/// and digits; applications may show it, keep it, and make an id from it again. It has no meaning for another
/// entity or property.
class ElementId {
 public:
  ElementId() = default;
  explicit ElementId(std::string text) : text_(std::move(text)) {}
  const std::string& text() const { return text_; }

  friend bool operator==(const ElementId&, const ElementId&) = default;

 private:
  std::string text_;
};

/// An element of a group. The value of a map's element is a pair of key and value.
template <class T>
struct Element {
  ElementId id;
  T value;
};

namespace detail {

template <class Container>
struct ElementOf {
  using Type = typename Container::value_type;
};
template <class Container>
requires requires { typename Container::mapped_type; }
struct ElementOf<Container> {
  using Type = std::pair<typename Container::key_type, typename Container::mapped_type>;
};

template <class Container>
struct FindKey {
  using Type = void;
};
template <class Container>
requires requires { typename Container::key_type; }
struct FindKey<Container> {
  using Type = typename Container::key_type;
};
template <class Container>
using KeyOf = typename FindKey<Container>::Type;

template <class E, class Container>
constexpr bool has_group_of() {
  using Shard = typename Traits<E>::Shard;
  const auto is_one = []<class T, class Fold>(const ShardedProperty<E, Shard, T, Fold>& property) {
    return std::is_same_v<T, Container> && property.shards.kind == Shards::Kind::kGroup;
  };
  return std::apply([&](const auto&... property) { return (is_one(property) || ...); },
                    Traits<E>::sharded_properties());
}

/// Returns the index of the group among the sharded properties.
template <class E, class Container>
std::size_t place_of_group(const Field<E, Container>& field) {
  static_assert(has_group_of<E, Container>(), "this field is not a [[autoshard::shard_group]] of the entity");
  const auto& types = kShardedPropertyTypes<E>;
  for (std::size_t place = 0; place < types.size(); ++place) {
    if (types[place].split && types[place].name == field.name) return place;
  }
  throw InvalidUse(std::string(field.name) + " of " + std::string(Traits<E>::kKind) +
                   " is not a [[autoshard::shard_group]]: only a group has elements");
}

/// Reads a container with one element, and takes the element out of it.
template <class Owner, class Container>
typename ElementOf<Container>::Type read_element(Decoder in) {
  Container container;
  decode<Owner>(in, container);
  if (container.size() != 1) in.fail("several elements instead of one");
  if constexpr (requires { typename Container::mapped_type; }) {
    auto entry = container.extract(container.begin());
    return {std::move(entry.key()), std::move(entry.mapped())};
  } else if constexpr (requires { typename Container::key_type; }) {
    return std::move(container.extract(container.begin()).value());
  } else {
    return std::move(container.front());
  }
}

}  // namespace detail

/// The elements of a group of one entity. They are read when the object is iterated over, and when `page` is
/// called:
///
///   for (const auto& [id, response] : mapper.elements(42, q::responses).limit(50))
///
/// The elements of a sequence come in the order in which they were added, as in a loaded entity. The elements
/// of a set or map come in an order that is always the same and has no meaning. If there is no such entity,
/// there are no elements. Each iteration reads one snapshot of the store, one element at a time: one element
/// of each group is in memory, however many there are.
///
/// If the property became a group later, its older content is missing until compaction has made elements of
/// it (`admin::compact`, or the mapper's maintenance thread).
///
/// The object is a value and may be copied freely. Neither it nor its iterators may outlive the mapper.
/// Throws what `Mapper::load` throws.
template <Persisted E, class Container>
class Elements {
 public:
  using Value = typename detail::ElementOf<Container>::Type;

  Elements(detail::MapperCore& core, detail::ElementsSpec spec) : core_(&core), spec_(std::move(spec)) {}

  /// Limits the number of elements.
  Elements limit(std::uint64_t elements) const {
    Elements some = *this;
    some.spec_.limit = elements;
    return some;
  }

  /// Continues after a page of the same elements in the same order; an empty cursor begins anew. The
  /// continuation reads a later snapshot: elements that were added meanwhile come in their places.
  /// `InvalidCursor` if the cursor belongs to other elements; thrown when elements are read.
  Elements after(std::string_view cursor) const {
    Elements rest = *this;
    rest.spec_.after = cursor;
    return rest;
  }

  /// Reverses the order.
  Elements newest_first() const {
    static_assert(std::is_void_v<detail::KeyOf<Container>>, "the elements of a set or map have no age");
    Elements elements = *this;
    elements.spec_.newest_first = true;
    return elements;
  }

  class Iterator;
  Iterator begin() const { return Iterator(*this); }
  std::default_sentinel_t end() const { return {}; }

  /// Returns all elements up to the limit, and the cursor after the last one. The cursor is empty if there
  /// are no more.
  Page<Element<Value>> page() const {
    Page<Element<Value>> page;
    Iterator element(*this);
    for (; element != std::default_sentinel; ++element) page.rows.push_back(std::move(*element));
    page.cursor = element.cursor();
    return page;
  }

 private:
  detail::MapperCore* core_;
  detail::ElementsSpec spec_;
};

template <Persisted E, class Container>
class Elements<E, Container>::Iterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = Element<Value>;
  using difference_type = std::ptrdiff_t;
  using pointer = value_type*;
  using reference = value_type&;

  explicit Iterator(const Elements& elements) : run_(detail::run(*elements.core_, elements.spec_)) {
    ++*this;
  }

  value_type& operator*() { return *element_; }
  value_type* operator->() { return &*element_; }
  Iterator& operator++() {
    element_.reset();
    if (run_->next())
      element_.emplace(
          value_type{ElementId(run_->id()), detail::read_element<Traits<E>, Container>(run_->container())});
    return *this;
  }
  void operator++(int) { ++*this; }

  friend bool operator==(const Iterator& iterator, std::default_sentinel_t) { return !iterator.element_; }

  /// Returns the cursor after the last element that was read, for `Elements::after`; empty if there are no
  /// more.
  std::string cursor() const { return run_->cursor(); }

 private:
  std::shared_ptr<detail::ElementsRun> run_;
  std::optional<value_type> element_;
};

template <Persisted E, class Container>
detail::OfElementsHeader<Elements<E, Container>> Mapper::elements(const typename Traits<E>::Id& id,
                                                                  const Field<E, Container>& group) const {
  return {*core_,
          {.type = &detail::entity_type<E>(),
           .key = detail::entity_key(Traits<E>::kKind, id),
           .place = detail::place_of_group(group)}};
}

template <Persisted E, class Container>
detail::OfElementsHeader<Elements<E, Container>, bool> Mapper::erase_element(const typename Traits<E>::Id& id,
                                                                             const Field<E, Container>& group,
                                                                             const ElementId& element) {
  return detail::erase_element(*core_, detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id),
                               detail::place_of_group(group), element.text());
}

template <Persisted E, class Container>
detail::OfElementsHeader<Elements<E, Container>, void> Mapper::replace_element(
    const typename Traits<E>::Id& id, const Field<E, Container>& group, const ElementId& element,
    typename detail::ElementOf<Container>::Type value) {
  static_assert(!std::is_same_v<typename Container::value_type, detail::KeyOf<Container>>,
                "an element of a set cannot be replaced: erase it, and add another element");
  Container alone;
  alone.insert(alone.end(), std::move(value));
  detail::replace_element(*core_, detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id),
                          detail::place_of_group(group), element.text(), &alone);
}

}  // namespace autoshard
