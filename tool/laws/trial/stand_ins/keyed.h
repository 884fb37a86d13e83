#pragma once

/// Sets and maps that the compiler can evaluate. Unordered ones keep their elements in the order of
/// insertion. Code that depends on this order is wrong.

#include <compare>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "tool/laws/trial/stand_ins/chain.h"

namespace autoshard_stand_ins {

/// Finds a key in an ordered container.
template <class Order>
struct Sorted {
  using key_compare = Order;
  using value_compare = Order;
  Order order{};

  /// Whether the search for `key` continues behind `element`.
  template <class Element, class Key>
  constexpr bool is_before(const Element& element, const Key& key) const {
    return order(element, key);
  }
  template <class Element, class Key>
  constexpr bool is_same(const Element& element, const Key& key) const {
    return !order(element, key) && !order(key, element);
  }
};

/// Finds a key in an unordered container.
template <class Equal>
struct Hashed {
  using hasher = void;
  using key_equal = Equal;
  Equal equal{};

  template <class Element, class Key>
  constexpr bool is_before(const Element& element, const Key& key) const {
    return !equal(element, key);
  }
  template <class Element, class Key>
  constexpr bool is_same(const Element& element, const Key& key) const {
    return equal(element, key);
  }
};

template <class Key>
struct Itself {
  static constexpr const Key& key(const Key& element) { return element; }
};
template <class Key, class Value>
struct First {
  static constexpr const Key& key(const ::std::pair<const Key, Value>& element) { return element.first; }
};

/// The common base of sets and maps. `Visible` is the type of elements as iterators show it.
template <class Key, class Element, class Visible, class KeyOf, class Finder>
class Keyed : public Chain<Element>, public Finder {
 public:
  using key_type = Key;
  using iterator = ChainIterator<Visible, Element>;
  using const_iterator = ChainIterator<const Element, Element>;
  using reverse_iterator = ::std::reverse_iterator<iterator>;
  using const_reverse_iterator = ::std::reverse_iterator<const_iterator>;
  using size_type = ::std::size_t;

  constexpr Keyed() = default;
  constexpr Keyed(::std::initializer_list<Element> elements) { insert(elements.begin(), elements.end()); }
  template <class Iterator>
  requires requires(Iterator at) { *at, ++at; }
  constexpr Keyed(Iterator first, Iterator last) { insert(first, last); }

  constexpr iterator begin() { return iterator(this->ends_.next); }
  constexpr iterator end() { return iterator(this->end_link()); }
  constexpr const_iterator begin() const { return const_iterator(this->ends_.next); }
  constexpr const_iterator end() const { return const_iterator(this->end_link()); }
  constexpr const_iterator cbegin() const { return begin(); }
  constexpr const_iterator cend() const { return end(); }
  constexpr reverse_iterator rbegin() { return reverse_iterator(end()); }
  constexpr reverse_iterator rend() { return reverse_iterator(begin()); }
  constexpr const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
  constexpr const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }

  constexpr ::std::pair<iterator, bool> insert(const Element& element) {
    Link* const place = place_of(KeyOf::key(element));
    if (is_at(place, KeyOf::key(element))) return {iterator(place), false};
    return {iterator(this->add(place, element)), true};
  }
  constexpr ::std::pair<iterator, bool> insert(Element&& element) {
    Link* const place = place_of(KeyOf::key(element));
    if (is_at(place, KeyOf::key(element))) return {iterator(place), false};
    return {iterator(this->add(place, static_cast<Element&&>(element))), true};
  }
  constexpr iterator insert(const_iterator, const Element& element) { return insert(element).first; }
  template <class Iterator>
  requires requires(Iterator at) { *at, ++at; }
  constexpr void insert(Iterator first, Iterator last) {
    for (; first != last; ++first) insert(Element(*first));
  }
  constexpr void insert(::std::initializer_list<Element> elements) {
    insert(elements.begin(), elements.end());
  }
  template <class... Arguments>
  constexpr ::std::pair<iterator, bool> emplace(Arguments&&... arguments) {
    return insert(Element(static_cast<Arguments&&>(arguments)...));
  }
  template <class... Arguments>
  constexpr iterator emplace_hint(const_iterator, Arguments&&... arguments) {
    return emplace(static_cast<Arguments&&>(arguments)...).first;
  }
  constexpr iterator erase(const_iterator place) { return iterator(this->drop(place.link)); }
  constexpr iterator erase(iterator place) requires(!::std::is_same_v<iterator, const_iterator>) {
    return iterator(this->drop(place.link));
  }
  constexpr iterator erase(const_iterator first, const_iterator last) {
    while (first != last) first = const_iterator(this->drop(first.link));
    return iterator(last.link);
  }
  constexpr size_type erase(const Key& key) {
    Link* const place = place_of(key);
    if (!is_at(place, key)) return 0;
    this->drop(place);
    return 1;
  }
  template <class Other>
  constexpr void merge(Other&& other) {
    for (auto at = other.begin(); at != other.end();) {
      Link* const link = at.link;
      ++at;
      Link* const place = place_of(KeyOf::key(this->value_of(link)));
      if (is_at(place, KeyOf::key(this->value_of(link)))) continue;
      other.give(link);
      this->attach(place, link);
    }
  }
  constexpr void give(Link* link) { this->release(link); }
  constexpr void swap(Keyed& other) noexcept { ::std::swap(*this, other); }
  constexpr void reserve(size_type) {}
  constexpr void rehash(size_type) {}

  constexpr iterator find(const Key& key) { return iterator(found(key)); }
  constexpr const_iterator find(const Key& key) const { return const_iterator(found(key)); }
  constexpr size_type count(const Key& key) const { return is_at(place_of(key), key) ? 1 : 0; }
  constexpr bool contains(const Key& key) const { return is_at(place_of(key), key); }
  template <class Other>
  requires requires { typename Finder::key_compare::is_transparent; }
  constexpr const_iterator find(const Other& key) const { return const_iterator(found(key)); }
  template <class Other>
  requires requires { typename Finder::key_compare::is_transparent; }
  constexpr bool contains(const Other& key) const { return is_at(place_of(key), key); }

  constexpr iterator lower_bound(const Key& key) requires requires { typename Finder::key_compare; }
  { return iterator(place_of(key)); }
  constexpr const_iterator lower_bound(const Key& key) const requires requires {
    typename Finder::key_compare;
  }
  { return const_iterator(place_of(key)); }
  constexpr iterator upper_bound(const Key& key) requires requires { typename Finder::key_compare; }
  {
    Link* const place = place_of(key);
    return iterator(is_at(place, key) ? place->next : place);
  }
  constexpr const_iterator upper_bound(const Key& key) const requires requires {
    typename Finder::key_compare;
  }
  {
    Link* const place = place_of(key);
    return const_iterator(is_at(place, key) ? place->next : place);
  }

  friend constexpr bool operator==(const Keyed& one, const Keyed& other) {
    if (one.size() != other.size()) return false;
    for (const Element& element : one) {
      const const_iterator same = other.find(KeyOf::key(element));
      if (same == other.end() || !(*same == element)) return false;
    }
    return true;
  }
  friend constexpr auto operator<=>(const Keyed& one, const Keyed& other) requires requires {
    typename Finder::key_compare;
  }
  { return ::std::lexicographical_compare_three_way(one.begin(), one.end(), other.begin(), other.end()); }

 protected:
  /// The place of `key`, or the place where it belongs.
  template <class Other>
  constexpr Link* place_of(const Other& key) const {
    constexpr bool kIsSorted = requires { typename Finder::key_compare; };
    const auto is_before = [&](Link* link) {
      return link != this->end_link() && this->is_before(KeyOf::key(this->value_of(link)), key);
    };
    // Keys are often searched in ascending order, so the search begins at the last place.
    Link* place = kIsSorted ? this->recent_ : this->ends_.next;
    while (is_before(place)) place = place->next;
    if constexpr (kIsSorted) {
      while (place->previous != this->end_link() && !is_before(place->previous)) place = place->previous;
      this->recent_ = place;
    }
    return place;
  }
  template <class Other>
  constexpr bool is_at(Link* place, const Other& key) const {
    return place != this->end_link() && this->is_same(KeyOf::key(this->value_of(place)), key);
  }
  template <class Other>
  constexpr Link* found(const Other& key) const {
    Link* const place = place_of(key);
    return is_at(place, key) ? place : this->end_link();
  }
};

template <class Key, class Finder>
using KeyedSet = Keyed<Key, Key, const Key, Itself<Key>, Finder>;

template <class Key, class Order = ::std::less<Key>, class Allocator = ::std::allocator<Key>>
class set : public KeyedSet<Key, Sorted<Order>> {
  using Base = KeyedSet<Key, Sorted<Order>>;

 public:
  using Base::Base;
  constexpr set() = default;
};

template <class Key, class Hash = ::std::hash<Key>, class Equal = ::std::equal_to<Key>,
          class Allocator = ::std::allocator<Key>>
class unordered_set : public KeyedSet<Key, Hashed<Equal>> {
  using Base = KeyedSet<Key, Hashed<Equal>>;

 public:
  using Base::Base;
  constexpr unordered_set() = default;
};

template <class Key, class Value, class Finder>
class KeyedMap : public Keyed<Key, ::std::pair<const Key, Value>, ::std::pair<const Key, Value>,
                              First<Key, Value>, Finder> {
  using Base =
      Keyed<Key, ::std::pair<const Key, Value>, ::std::pair<const Key, Value>, First<Key, Value>, Finder>;

 public:
  using mapped_type = Value;
  using Base::Base;
  using typename Base::iterator;
  constexpr KeyedMap() = default;

  constexpr Value& operator[](const Key& key) { return try_emplace(key).first->second; }
  constexpr Value& at(const Key& key) {
    const iterator place = this->find(key);
    return place != this->end() ? place->second : throw ::std::out_of_range("at");
  }
  constexpr const Value& at(const Key& key) const {
    const auto place = this->find(key);
    return place != this->end() ? place->second : throw ::std::out_of_range("at");
  }
  template <class... Arguments>
  constexpr ::std::pair<iterator, bool> try_emplace(const Key& key, Arguments&&... arguments) {
    Link* const place = this->place_of(key);
    if (this->is_at(place, key)) return {iterator(place), false};
    return {iterator(this->add(place, key, Value(static_cast<Arguments&&>(arguments)...))), true};
  }
  template <class Given>
  constexpr ::std::pair<iterator, bool> insert_or_assign(const Key& key, Given&& value) {
    const ::std::pair<iterator, bool> result = try_emplace(key, static_cast<Given&&>(value));
    if (!result.second) result.first->second = static_cast<Given&&>(value);
    return result;
  }
};

template <class Key, class Value, class Order = ::std::less<Key>,
          class Allocator = ::std::allocator<::std::pair<const Key, Value>>>
class map : public KeyedMap<Key, Value, Sorted<Order>> {
  using Base = KeyedMap<Key, Value, Sorted<Order>>;

 public:
  using Base::Base;
  constexpr map() = default;
};

template <class Key, class Value, class Hash = ::std::hash<Key>, class Equal = ::std::equal_to<Key>,
          class Allocator = ::std::allocator<::std::pair<const Key, Value>>>
class unordered_map : public KeyedMap<Key, Value, Hashed<Equal>> {
  using Base = KeyedMap<Key, Value, Hashed<Equal>>;

 public:
  using Base::Base;
  constexpr unordered_map() = default;
};

template <class Key, class Element, class Visible, class KeyOf, class Finder, class Predicate>
constexpr ::std::size_t erase_if(Keyed<Key, Element, Visible, KeyOf, Finder>& from, Predicate predicate) {
  const ::std::size_t before = from.size();
  for (auto at = from.begin(); at != from.end();) {
    if (predicate(*at)) {
      at = from.erase(at);
    } else {
      ++at;
    }
  }
  return before - from.size();
}

}  // namespace autoshard_stand_ins
