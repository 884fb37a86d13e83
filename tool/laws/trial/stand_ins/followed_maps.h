#pragma once

/// Maps that follow one key.

#include "tool/laws/trial/stand_ins/followed_sets.h"

namespace autoshard_one_key {

/// The common base of all maps.
template <class Derived, class Key, class Value, class Compare>
class OneKeyMap {
 public:
  using key_type = Key;
  using mapped_type = Value;
  using value_type = ::std::pair<const Key, Value>;
  using size_type = ::std::size_t;
  using FollowsOneKey = void;

  /// An iterator at an element, or at the end.
  template <class Element>
  class Iterator {
   public:
    using value_type = OneKeyMap::value_type;
    using difference_type = ::std::ptrdiff_t;
    using pointer = Element*;
    using reference = Element&;
    using iterator_category = ::std::forward_iterator_tag;

    constexpr Iterator() = default;
    explicit constexpr Iterator(Element* element) : element_(element) {}
    template <class Other>
    requires(!::std::is_same_v<Other, Element>) constexpr Iterator(const Iterator<Other>& other)
        : element_(other.element()) {}
    constexpr Element& operator*() const { return *element_; }
    constexpr Element* operator->() const { return element_; }
    constexpr Iterator& operator++() {
      element_ = nullptr;
      return *this;
    }
    constexpr Iterator operator++(int) {
      const Iterator before = *this;
      element_ = nullptr;
      return before;
    }
    template <class Other>
    constexpr bool operator==(const Iterator<Other>& other) const {
      return element_ == other.element();
    }
    constexpr Element* element() const { return element_; }

   private:
    Element* element_ = nullptr;
  };
  using iterator = Iterator<value_type>;
  using const_iterator = Iterator<const value_type>;

  OneKeyMap() = default;
  OneKeyMap(::std::initializer_list<value_type> elements) { insert(elements); }
  OneKeyMap(const_iterator first, const_iterator last) { insert(first, last); }
  OneKeyMap(const OneKeyMap& other) : followed_(other.followed_) {}
  OneKeyMap& operator=(const OneKeyMap& other) {
    take(other);
    return *this;
  }

  iterator begin() { return iterator(in_place()); }
  iterator end() { return iterator(); }
  const_iterator begin() const { return const_iterator(in_place()); }
  const_iterator end() const { return const_iterator(); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  iterator rbegin();
  iterator rend();
  const_iterator rbegin() const;
  const_iterator rend() const;

  bool contains(const Key& key) const { return is_followed(key) ? followed_.has_value() : unknown_truth(); }
  size_type count(const Key& key) const { return contains(key) ? 1 : 0; }
  iterator find(const Key& key) {
    if (is_followed(key)) return begin();
    return unknown_truth() ? iterator(other(key)) : iterator();
  }
  const_iterator find(const Key& key) const {
    if (is_followed(key)) return begin();
    return unknown_truth() ? const_iterator(other(key)) : const_iterator();
  }
  template <class... Arguments>
  ::std::pair<iterator, bool> try_emplace(const Key& key, Arguments&&... arguments) {
    if (!is_followed(key)) return {iterator(other(key)), unknown_truth()};
    const bool is_new = !followed_.has_value();
    if (is_new) followed_.emplace(key, Value(static_cast<Arguments&&>(arguments)...));
    return {begin(), is_new};
  }
  template <class Given, class... Arguments>
  ::std::pair<iterator, bool> emplace(const Given& key, Arguments&&... arguments) {
    return try_emplace(Key(key), static_cast<Arguments&&>(arguments)...);
  }
  template <class... Arguments>
  iterator emplace_hint(const_iterator, const Key& key, Arguments&&... arguments) {
    return try_emplace(key, static_cast<Arguments&&>(arguments)...).first;
  }
  ::std::pair<iterator, bool> insert(const value_type& element) {
    return try_emplace(element.first, element.second);
  }
  iterator insert(const_iterator, const value_type& element) { return insert(element).first; }
  void insert(const_iterator first, const_iterator last) {
    for (; first != last; ++first) insert(*first);
  }
  void insert(::std::initializer_list<value_type> elements) {
    for (const value_type& element : elements) insert(element);
  }
  template <class Given>
  ::std::pair<iterator, bool> insert_or_assign(const Key& key, Given&& value) {
    const ::std::pair<iterator, bool> result = try_emplace(key, value);
    if (!result.second) result.first->second = static_cast<Given&&>(value);
    return result;
  }
  Value& operator[](const Key& key) { return try_emplace(key).first->second; }
  Value& at(const Key& key);
  const Value& at(const Key& key) const;
  size_type erase(const Key& key) {
    first_ = next_;
    if (!is_followed(key)) return unknown_truth() ? 1 : 0;
    const bool had = followed_.has_value();
    followed_.reset();
    return had ? 1 : 0;
  }
  iterator erase(const_iterator at);
  void merge(Derived& other);
  void merge(Derived&& other);
  void clear() {
    first_ = next_;
    followed_.reset();
  }
  void swap(OneKeyMap& other) noexcept;
  void reserve(size_type) {}
  void rehash(size_type) {}

  size_type size() const;
  bool empty() const;
  iterator lower_bound(const Key& key);
  iterator upper_bound(const Key& key);
  const_iterator lower_bound(const Key& key) const;
  const_iterator upper_bound(const Key& key) const;
  friend bool operator==(const Derived& one, const Derived& other);

  const ::std::optional<value_type>& followed() const { return followed_; }
  void follow(const Value& value) { followed_.emplace(followed_key<OneKeyMap, Key>(), value); }

 private:
  static bool is_followed(const Key& key) {
    if constexpr (kIsUsual<Key, Compare>) {
      return key == followed_key<OneKeyMap, Key>();
    } else {
      return not_followed<bool>();
    }
  }
  void take(const OneKeyMap& other) {
    const ::std::optional<value_type> element = other.followed_;
    first_ = next_;
    followed_.reset();
    if (element.has_value()) followed_.emplace(*element);
  }
  value_type* in_place() { return followed_.has_value() ? &*followed_ : nullptr; }
  const value_type* in_place() const { return followed_.has_value() ? &*followed_ : nullptr; }

  /// The element of a key that is not followed. It is the same one as before, unless it may have been removed
  /// since. The number of these elements is limited.
  value_type* other(const Key& key) const {
    for (int at = 0; at < kOthers; ++at) {
      if (at >= first_ && at < next_ && others_[at]->first == key) return &*others_[at];
    }
    if (next_ == kOthers) return not_followed<value_type*>();
    return &others_[next_++].emplace(key, unknown<Value>());
  }

  static constexpr int kOthers = 4;
  ::std::optional<value_type> followed_;
  mutable ::std::optional<value_type> others_[kOthers];
  mutable int first_ = 0, next_ = 0;  // positions in `others_`
};

template <class Key, class Value, class Order = ::std::less<Key>,
          class Allocator = ::std::allocator<::std::pair<const Key, Value>>>
class map : public OneKeyMap<map<Key, Value, Order, Allocator>, Key, Value, Order> {
 public:
  using OneKeyMap<map, Key, Value, Order>::OneKeyMap;
  using key_compare = Order;
};
template <class Key, class Value, class Hash = ::std::hash<Key>, class Equal = ::std::equal_to<Key>,
          class Allocator = ::std::allocator<::std::pair<const Key, Value>>>
class unordered_map : public OneKeyMap<unordered_map<Key, Value, Hash, Equal, Allocator>, Key, Value, Equal> {
 public:
  using OneKeyMap<unordered_map, Key, Value, Equal>::OneKeyMap;
};

template <class Container, class Predicate>
requires requires { typename Container::FollowsOneKey; }
::std::size_t erase_if(Container& from, Predicate predicate);

}  // namespace autoshard_one_key
