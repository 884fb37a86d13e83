#pragma once

/// Lists and deques that the compiler can evaluate. Also the chain of nodes that lists, sets and maps are
/// made of. Elements keep their places, so iterators stay valid as in the standard library.

#include <algorithm>
#include <compare>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace autoshard_stand_ins {

struct Link {
  Link* next;
  Link* previous;
};

template <class T>
struct Node : Link {
  template <class... Arguments>
  constexpr explicit Node(Link* after, Link* before, Arguments&&... arguments)
      : Link{after, before}, value(static_cast<Arguments&&>(arguments)...) {}
  T value;
};

/// `T` is const if the elements are.
template <class T, class Element>
class ChainIterator {
 public:
  using iterator_category = ::std::bidirectional_iterator_tag;
  using value_type = Element;
  using difference_type = ::std::ptrdiff_t;
  using reference = T&;
  using pointer = T*;

  constexpr ChainIterator() = default;
  constexpr explicit ChainIterator(Link* at) : link(at) {}
  template <class U>
  requires(!::std::is_same_v<T, U> &&
           !::std::is_const_v<U>) constexpr ChainIterator(const ChainIterator<U, Element>& other)
      : link(other.link) {}
  constexpr T& operator*() const { return static_cast<Node<Element>*>(link)->value; }
  constexpr T* operator->() const { return &static_cast<Node<Element>*>(link)->value; }
  constexpr ChainIterator& operator++() {
    link = link->next;
    return *this;
  }
  constexpr ChainIterator operator++(int) {
    const ChainIterator before = *this;
    link = link->next;
    return before;
  }
  constexpr ChainIterator& operator--() {
    link = link->previous;
    return *this;
  }
  constexpr ChainIterator operator--(int) {
    const ChainIterator before = *this;
    link = link->previous;
    return before;
  }
  template <class U>
  friend constexpr bool operator==(const ChainIterator& one, const ChainIterator<U, Element>& other) {
    return one.link == other.link;
  }

  Link* link = nullptr;
};

/// A chain of elements, without knowledge of keys.
template <class T>
class Chain {
 public:
  using value_type = T;
  using size_type = ::std::size_t;
  using difference_type = ::std::ptrdiff_t;
  using reference = T&;
  using const_reference = const T&;

  constexpr Chain() : ends_{&ends_, &ends_}, recent_(&ends_) {}
  constexpr Chain(const Chain& other) : Chain() {
    for (Link* at = other.ends_.next; at != &other.ends_; at = at->next) add(&ends_, value_of(at));
  }
  constexpr Chain(Chain&& other) noexcept : Chain() { take_all(&ends_, other); }
  constexpr Chain& operator=(const Chain& other) {
    if (this == &other) return *this;
    clear();
    for (Link* at = other.ends_.next; at != &other.ends_; at = at->next) add(&ends_, value_of(at));
    return *this;
  }
  constexpr Chain& operator=(Chain&& other) noexcept {
    if (this == &other) return *this;
    clear();
    take_all(&ends_, other);
    return *this;
  }
  constexpr ~Chain() { clear(); }

  constexpr bool empty() const noexcept { return size_ == 0; }
  constexpr size_type size() const noexcept { return size_; }
  constexpr void clear() noexcept {
    while (size_ > 0) drop(ends_.next);
  }

 protected:
  static constexpr T& value_of(Link* link) { return static_cast<Node<T>*>(link)->value; }
  constexpr Link* end_link() const { return const_cast<Link*>(&ends_); }

  template <class... Arguments>
  constexpr Link* add(Link* place, Arguments&&... arguments) {
    Link* const added = new Node<T>(place, place->previous, static_cast<Arguments&&>(arguments)...);
    place->previous->next = added;
    place->previous = added;
    ++size_;
    return added;
  }
  constexpr Link* drop(Link* link) {
    Link* const next = release(link);
    delete static_cast<Node<T>*>(link);
    return next;
  }
  /// Removes a node, for example to attach it to another chain.
  constexpr Link* release(Link* link) {
    if (recent_ == link) recent_ = &ends_;
    link->previous->next = link->next;
    link->next->previous = link->previous;
    --size_;
    return link->next;
  }
  constexpr void attach(Link* place, Link* link) {
    link->next = place;
    link->previous = place->previous;
    place->previous->next = link;
    place->previous = link;
    ++size_;
  }
  constexpr void take_all(Link* place, Chain& other) {
    while (other.size_ > 0) {
      Link* const link = other.ends_.next;
      other.release(link);
      attach(place, link);
    }
  }

  Link ends_;
  mutable Link* recent_;  ///< the place of the last search for a key, or the end
  size_type size_ = 0;
};

template <class T, class Allocator = ::std::allocator<T>>
class list : public Chain<T> {
  using Base = Chain<T>;

 public:
  using iterator = ChainIterator<T, T>;
  using const_iterator = ChainIterator<const T, T>;
  using reverse_iterator = ::std::reverse_iterator<iterator>;
  using const_reverse_iterator = ::std::reverse_iterator<const_iterator>;
  using size_type = ::std::size_t;

  constexpr list() = default;
  constexpr list(::std::initializer_list<T> elements) { insert(end(), elements.begin(), elements.end()); }
  constexpr explicit list(size_type count, const T& value = T()) { resize(count, value); }
  template <class Iterator>
  requires requires(Iterator at) { *at, ++at; }
  constexpr list(Iterator first, Iterator last) { insert(end(), first, last); }

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
  constexpr T& front() { return *begin(); }
  constexpr const T& front() const { return *begin(); }
  constexpr T& back() { return *--end(); }
  constexpr const T& back() const { return *--end(); }

  constexpr void push_back(const T& value) { this->add(this->end_link(), value); }
  constexpr void push_back(T&& value) { this->add(this->end_link(), static_cast<T&&>(value)); }
  constexpr void push_front(const T& value) { this->add(this->ends_.next, value); }
  constexpr void push_front(T&& value) { this->add(this->ends_.next, static_cast<T&&>(value)); }
  template <class... Arguments>
  constexpr T& emplace_back(Arguments&&... arguments) {
    return this->value_of(this->add(this->end_link(), static_cast<Arguments&&>(arguments)...));
  }
  template <class... Arguments>
  constexpr T& emplace_front(Arguments&&... arguments) {
    return this->value_of(this->add(this->ends_.next, static_cast<Arguments&&>(arguments)...));
  }
  template <class... Arguments>
  constexpr iterator emplace(const_iterator place, Arguments&&... arguments) {
    return iterator(this->add(place.link, static_cast<Arguments&&>(arguments)...));
  }
  constexpr void pop_back() { this->drop(this->ends_.previous); }
  constexpr void pop_front() { this->drop(this->ends_.next); }
  constexpr iterator insert(const_iterator place, const T& value) {
    return iterator(this->add(place.link, value));
  }
  constexpr iterator insert(const_iterator place, ::std::initializer_list<T> elements) {
    return insert(place, elements.begin(), elements.end());
  }
  template <class Iterator>
  requires requires(Iterator at) { *at, ++at; }
  constexpr iterator insert(const_iterator place, Iterator first, Iterator last) {
    Link* inserted = place.link;
    for (bool is_first = true; first != last; ++first, is_first = false) {
      Link* const added = this->add(place.link, *first);
      if (is_first) inserted = added;
    }
    return iterator(inserted);
  }
  constexpr iterator erase(const_iterator place) { return iterator(this->drop(place.link)); }
  constexpr iterator erase(const_iterator first, const_iterator last) {
    while (first != last) first = const_iterator(this->drop(first.link));
    return iterator(last.link);
  }
  constexpr void resize(size_type size, const T& value = T()) {
    while (this->size_ > size) pop_back();
    while (this->size_ < size) push_back(value);
  }
  template <class Iterator>
  constexpr void assign(Iterator first, Iterator last) {
    *this = list(first, last);
  }
  constexpr void swap(list& other) noexcept { ::std::swap(*this, other); }

  constexpr void splice(const_iterator place, list& other) { this->take_all(place.link, other); }
  constexpr void splice(const_iterator place, list&& other) { this->take_all(place.link, other); }
  constexpr void splice(const_iterator place, list& other, const_iterator which) {
    if (place.link == which.link || place.link == which.link->next) return;
    other.release(which.link);
    this->attach(place.link, which.link);
  }
  constexpr void splice(const_iterator place, list& other, const_iterator first, const_iterator last) {
    while (first != last) splice(place, other, first++);
  }
  constexpr void merge(list& other) { merge(other, ::std::less<>()); }
  constexpr void merge(list&& other) { merge(other, ::std::less<>()); }
  template <class Order>
  constexpr void merge(list& other, Order order) {
    iterator place = begin();
    while (!other.empty()) {
      while (place != end() && !order(other.front(), *place)) ++place;
      splice(place, other, other.begin());
    }
  }
  constexpr void sort() { sort(::std::less<>()); }
  template <class Order>
  constexpr void sort(Order order) {
    list sorted;
    while (!this->empty()) {
      iterator place = sorted.end();
      while (place != sorted.begin() && order(front(), *::std::prev(place))) --place;
      sorted.splice(place, *this, begin());
    }
    *this = static_cast<list&&>(sorted);
  }
  constexpr void unique() {
    for (iterator at = begin(); at != end();) {
      const iterator next = ::std::next(at);
      if (next != end() && *next == *at) {
        erase(next);
      } else {
        at = next;
      }
    }
  }
  constexpr void reverse() {
    for (iterator at = begin(); at != end();) splice(begin(), *this, at++);
  }
  template <class Predicate>
  constexpr size_type remove_if(Predicate predicate) {
    const size_type before = this->size_;
    for (iterator at = begin(); at != end();) {
      if (predicate(*at)) {
        at = erase(at);
      } else {
        ++at;
      }
    }
    return before - this->size_;
  }
  constexpr size_type remove(const T& value) {
    return remove_if([copy = value](const T& element) { return element == copy; });
  }

  friend constexpr bool operator==(const list& one, const list& other) {
    const_iterator at = other.begin();
    if (one.size() != other.size()) return false;
    for (const T& element : one) {
      if (!(element == *at++)) return false;
    }
    return true;
  }
  friend constexpr auto operator<=>(const list& one, const list& other) {
    return ::std::lexicographical_compare_three_way(one.begin(), one.end(), other.begin(), other.end());
  }
};

/// The common base of vectors and deques. Some standard libraries assign to elements before they construct
/// them, which the compiler rejects.
template <class T>
class Sequence : public ::std::vector<T> {
  using Base = ::std::vector<T>;

 public:
  using Base::Base;
  constexpr Sequence() = default;
  constexpr explicit Sequence(::std::size_t size) { resize(size); }

  constexpr void resize(::std::size_t size) { resize(size, T()); }
  constexpr void resize(::std::size_t size, const T& value) {
    while (this->size() > size) this->pop_back();
    while (this->size() < size) this->push_back(value);
  }
};

template <class T, class Allocator = ::std::allocator<T>>
class vector : public Sequence<T> {
 public:
  using Sequence<T>::Sequence;
  constexpr vector() = default;
};

template <class T, class Allocator = ::std::allocator<T>>
class deque : public Sequence<T> {
 public:
  using Sequence<T>::Sequence;
  constexpr deque() = default;

  constexpr void push_front(const T& value) { this->insert(this->begin(), value); }
  constexpr void pop_front() { this->erase(this->begin()); }
  template <class... Arguments>
  constexpr T& emplace_front(Arguments&&... arguments) {
    return *this->emplace(this->begin(), static_cast<Arguments&&>(arguments)...);
  }
};

template <class T, class Predicate>
constexpr ::std::size_t erase_if(list<T>& from, Predicate predicate) {
  return from.remove_if(predicate);
}

/// Algorithms that are not constexpr in C++20.
template <class Iterator, class Order = ::std::less<>>
constexpr void stable_sort(Iterator first, Iterator last, Order order = Order()) {
  for (Iterator sorted = first; sorted != last; ++sorted) {
    for (Iterator at = sorted; at != first && order(*at, *::std::prev(at)); --at)
      ::std::iter_swap(at, ::std::prev(at));
  }
}
template <class Iterator, class Order = ::std::less<>>
constexpr void inplace_merge(Iterator first, Iterator, Iterator last, Order order = Order()) {
  autoshard_stand_ins::stable_sort(first, last, order);
}

}  // namespace autoshard_stand_ins
