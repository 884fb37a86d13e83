#pragma once

/// Sets that follow one key.

#include "tool/laws/trial/stand_ins/followed_values.h"

namespace autoshard_one_key {

/// An element of a set, by value.
template <class Key>
struct Shown {
  Key key;
  const Key* operator->() const { return &key; }
};

/// An iterator at the followed element of a set, at another element, or at the end.
template <class Set>
class SetIterator {
 public:
  using Key = typename Set::key_type;
  using value_type = Key;
  using difference_type = ::std::ptrdiff_t;
  using pointer = const Key*;
  using reference = const Key&;
  using iterator_category = ::std::forward_iterator_tag;
  enum class At : unsigned char { kEnd, kFollowed, kOther };

  constexpr SetIterator() = default;
  explicit constexpr SetIterator(At at) : at_(at) {}
  Key operator*() const { return at_ == At::kFollowed ? followed_key<Set, Key>() : unknown<Key>(); }
  Shown<Key> operator->() const { return {**this}; }
  constexpr SetIterator& operator++() {
    at_ = At::kEnd;
    return *this;
  }
  constexpr SetIterator operator++(int) {
    const SetIterator before = *this;
    at_ = At::kEnd;
    return before;
  }
  friend constexpr bool operator==(const SetIterator&, const SetIterator&) = default;
  constexpr At at() const { return at_; }

 private:
  At at_ = At::kEnd;
};

/// The common base of all sets.
template <class Derived, class Key, class Compare>
class OneKeySet {
 public:
  using key_type = Key;
  using value_type = Key;
  using size_type = ::std::size_t;
  using iterator = SetIterator<OneKeySet>;
  using const_iterator = iterator;
  using FollowsOneKey = void;

  OneKeySet() = default;
  OneKeySet(::std::initializer_list<Key> keys) { insert(keys); }
  OneKeySet(iterator first, iterator last) { insert(first, last); }

  iterator begin() { return has_ ? at_followed() : iterator(); }
  iterator end() { return iterator(); }
  iterator begin() const { return has_ ? at_followed() : iterator(); }
  iterator end() const { return iterator(); }
  iterator cbegin() const { return begin(); }
  iterator cend() const { return end(); }
  iterator rbegin() const;
  iterator rend() const;

  bool contains(const Key& key) const { return is_followed(key) ? has_ : unknown_truth(); }
  size_type count(const Key& key) const { return contains(key) ? 1 : 0; }
  iterator find(const Key& key) const {
    if (is_followed(key)) return has_ ? at_followed() : iterator();
    return unknown_truth() ? at_other() : iterator();
  }
  ::std::pair<iterator, bool> insert(const Key& key) {
    if (!is_followed(key)) return {at_other(), unknown_truth()};
    const bool is_new = !has_;
    has_ = true;
    return {at_followed(), is_new};
  }
  iterator insert(iterator, const Key& key) { return insert(key).first; }
  void insert(iterator first, iterator last) {
    for (; first != last; ++first) insert(*first);
  }
  void insert(::std::initializer_list<Key> keys) {
    for (const Key& key : keys) insert(key);
  }
  template <class Iterator>
  void insert(Iterator first, Iterator last);
  template <class... Arguments>
  ::std::pair<iterator, bool> emplace(Arguments&&... arguments) {
    return insert(Key(static_cast<Arguments&&>(arguments)...));
  }
  template <class... Arguments>
  iterator emplace_hint(iterator, Arguments&&... arguments) {
    return insert(Key(static_cast<Arguments&&>(arguments)...)).first;
  }
  size_type erase(const Key& key) {
    if (!is_followed(key)) return unknown_truth() ? 1 : 0;
    const bool had = has_;
    has_ = false;
    return had ? 1 : 0;
  }
  iterator erase(iterator at);
  void merge(Derived& other);
  void merge(Derived&& other);
  void clear() { has_ = false; }
  void swap(OneKeySet& other) noexcept;
  void reserve(size_type) {}
  void rehash(size_type) {}

  size_type size() const;
  bool empty() const;
  iterator lower_bound(const Key& key) const;
  iterator upper_bound(const Key& key) const;
  template <class Node>
  void insert_node(Node&& node);
  auto extract(const Key& key) -> Shown<Key>;
  friend bool operator==(const Derived& one, const Derived& other);
  friend bool operator<(const Derived& one, const Derived& other);

  bool has_followed() const { return has_; }
  void follow(bool has) { has_ = has; }

 private:
  using At = typename iterator::At;
  static iterator at_followed() { return iterator(At::kFollowed); }
  static iterator at_other() { return iterator(At::kOther); }
  static bool is_followed(const Key& key) {
    if constexpr (kIsUsual<Key, Compare>) {
      return key == followed_key<OneKeySet, Key>();
    } else {
      return not_followed<bool>();
    }
  }

  bool has_ = false;
};

template <class Key, class Order = ::std::less<Key>, class Allocator = ::std::allocator<Key>>
class set : public OneKeySet<set<Key, Order, Allocator>, Key, Order> {
 public:
  using OneKeySet<set, Key, Order>::OneKeySet;
  using key_compare = Order;
};
template <class Key, class Hash = ::std::hash<Key>, class Equal = ::std::equal_to<Key>,
          class Allocator = ::std::allocator<Key>>
class unordered_set : public OneKeySet<unordered_set<Key, Hash, Equal, Allocator>, Key, Equal> {
 public:
  using OneKeySet<unordered_set, Key, Equal>::OneKeySet;
};

}  // namespace autoshard_one_key
