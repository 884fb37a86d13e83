#pragma once

/// Sets, maps and texts that a prover can follow. A container follows one key: whether it has this key, and
/// the value there. Each type of container has its own followed key, which may be any key. For other keys,
/// each answer of a container is unknown, and may be any. The prover cannot follow functions that are only
/// declared.

#include <compare>
#include <cstddef>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

/// The bytes of the followed keys. The prover takes each byte for any value.
extern "C" const unsigned char autoshard_followed_keys[1 << 20];

/// Returns any number, and another one with each call.
extern "C" unsigned long long autoshard_unknown() noexcept;

namespace autoshard_one_key {

/// A text. Only its order among texts is known. The empty text is the first.
class string {
 public:
  using value_type = char;
  using size_type = ::std::size_t;
  static constexpr size_type npos = static_cast<size_type>(-1);

  constexpr string() = default;
  explicit constexpr string(unsigned long long place) : place_(place) {}
  string(const char* text) : place_(place_of(text)) {}
  string(const char* text, size_type size) : place_(place_of(text, size)) {}
  string(size_type size, char filler);
  constexpr unsigned long long place() const { return place_; }

  constexpr bool empty() const { return place_ == 0; }
  constexpr void clear() { place_ = 0; }
  constexpr void swap(string& other) noexcept { ::std::swap(place_, other.place_); }
  friend constexpr bool operator==(const string&, const string&) = default;
  friend constexpr ::std::strong_ordering operator<=>(const string&, const string&) = default;
  friend bool operator==(const string& one, const char* other) { return one == string(other); }
  friend ::std::strong_ordering operator<=>(const string& one, const char* other) {
    return one <=> string(other);
  }

  size_type size() const;
  size_type length() const;
  const char* c_str() const;
  const char* data() const;
  char& operator[](size_type at);
  const char& operator[](size_type at) const;
  char& front();
  char& back();
  const char& front() const;
  const char& back() const;
  char* begin();
  char* end();
  const char* begin() const;
  const char* end() const;
  int compare(const string& other) const;
  size_type find(const string& other, size_type from = 0) const;
  size_type find(const char* other, size_type from = 0) const;
  size_type find(char other, size_type from = 0) const;
  bool starts_with(const char* other) const;
  bool starts_with(const string& other) const;
  bool ends_with(const char* other) const;
  bool ends_with(const string& other) const;
  string substr(size_type from = 0, size_type size = npos) const;
  string& append(const string& other);
  string& operator+=(const string& other);
  string& operator+=(const char* other);
  string& operator+=(char other);
  void push_back(char other);
  void pop_back();
  void resize(size_type size);
  void reserve(size_type size);
  friend string operator+(const string& one, const string& other);
  friend string operator+(const string& one, const char* other);
  friend string operator+(const char* one, const string& other);
  friend string operator+(const string& one, char other);

 private:
  /// The place of a short literal. Other texts are between any two literals.
  static unsigned long long place_of(const char* text);
  static unsigned long long place_of(const char* text, size_type size);

  unsigned long long place_ = 0;  // the place among all texts
};
string to_string(long long number);
string to_string(unsigned long long number);
string to_string(double number);

/// Makes a value from known or unknown bits.
template <class T>
struct OfBits {
  static constexpr bool kIsKnown =
      (::std::is_arithmetic_v<T> && !::std::is_same_v<T, long double>) || ::std::is_enum_v<T>;
  template <class Next>
  static constexpr T make(Next& next) {
    if constexpr (::std::is_same_v<T, bool>) {
      return (next() & 1) != 0;
    } else if constexpr (::std::is_same_v<T, float>) {
      return __builtin_bit_cast(float, static_cast<unsigned>(next()));
    } else if constexpr (::std::is_same_v<T, double>) {
      return __builtin_bit_cast(double, next());
    } else {
      return static_cast<T>(next());
    }
  }
};
template <>
struct OfBits<string> {
  static constexpr bool kIsKnown = true;
  template <class Next>
  static constexpr string make(Next& next) {
    return string(next());
  }
};
template <class First, class Second>
struct OfBits<::std::pair<First, Second>> {
  static constexpr bool kIsKnown = OfBits<First>::kIsKnown && OfBits<Second>::kIsKnown;
  template <class Next>
  static constexpr ::std::pair<First, Second> make(Next& next) {
    First first = OfBits<First>::make(next);
    return {first, OfBits<Second>::make(next)};
  }
};
template <class... Parts>
struct OfBits<::std::tuple<Parts...>> {
  static constexpr bool kIsKnown = (OfBits<Parts>::kIsKnown && ...);
  template <class Next>
  static constexpr ::std::tuple<Parts...> make(Next& next) {
    return ::std::tuple<Parts...>{OfBits<Parts>::make(next)...};
  }
};
/// A duration.
template <class T>
requires(
    requires { typename T::period; } && !requires { typename T::duration; }) struct OfBits<T> {
  static constexpr bool kIsKnown = ::std::is_integral_v<typename T::rep>;
  template <class Next>
  static constexpr T make(Next& next) {
    return T(OfBits<typename T::rep>::make(next));
  }
};

/// A time point.
template <class T>
requires(requires {
  typename T::clock;
  typename T::duration;
}) struct OfBits<T> {
  static constexpr bool kIsKnown = OfBits<typename T::duration>::kIsKnown;
  template <class Next>
  static constexpr T make(Next& next) {
    return T(OfBits<typename T::duration>::make(next));
  }
};

/// The next words of memory.
struct Words {
  const unsigned char* at;
  unsigned long long operator()() {
    unsigned long long word = 0;
    __builtin_memcpy(&word, at, sizeof(word));
    at += sizeof(word);
    return word;
  }
};

/// The offset of the followed key of a type of container in `autoshard_followed_keys`.
template <class Container>
constexpr ::std::size_t place_of_key() {
  unsigned long long hash = 14695981039346656037ULL;
  for (const char* at = __PRETTY_FUNCTION__; *at != '\0'; ++at)
    hash = (hash ^ static_cast<unsigned char>(*at)) * 1099511628211ULL;
  return (hash >> 32) % 8000 * 128;
}

template <class T>
T not_followed();

inline unsigned long long string::place_of(const char* text) {
  unsigned long long place = 0;
  for (unsigned at = 0; at + 1 < sizeof(place); ++at) {
    place = place << 8 | static_cast<unsigned char>(*text);
    if (*text != 0) ++text;
  }
  return *text == 0 ? place << 8 : not_followed<unsigned long long>();
}
inline unsigned long long string::place_of(const char* text, size_type size) {
  unsigned long long place = 0;
  if (size >= sizeof(place)) return not_followed<unsigned long long>();
  for (unsigned at = 0; at + 1 < sizeof(place); ++at) {
    if (at < size && text[at] == 0) return not_followed<unsigned long long>();
    place = place << 8 | static_cast<unsigned char>(at < size ? text[at] : 0);
  }
  return place << 8;
}

/// The followed key of a type of container.
template <class Container, class Key>
Key followed_key() {
  if constexpr (OfBits<Key>::kIsKnown) {
    Words words{autoshard_followed_keys + place_of_key<Container>()};
    return OfBits<Key>::make(words);
  } else {
    return not_followed<Key>();
  }
}

/// Returns any value.
template <class T>
T unknown() {
  if constexpr (OfBits<T>::kIsKnown) {
    return OfBits<T>::make(autoshard_unknown);
  } else if constexpr (::std::is_trivially_copyable_v<T>) {
    struct Bytes {
      alignas(T) unsigned char bytes[sizeof(T)];
    } all;
    for (::std::size_t at = 0; at < sizeof(T); ++at)
      all.bytes[at] = static_cast<unsigned char>(autoshard_unknown());
    return __builtin_bit_cast(T, all);
  } else {
    return not_followed<T>();
  }
}

inline bool unknown_truth() { return (autoshard_unknown() & 1) != 0; }

/// Whether keys are compared in the usual way. Other comparisons are not followed.
template <class Key, class Compare>
inline constexpr bool kIsUsual =
    ::std::is_same_v<Compare, ::std::less<Key>> || ::std::is_same_v<Compare, ::std::less<>> ||
    ::std::is_same_v<Compare, ::std::greater<Key>> || ::std::is_same_v<Compare, ::std::greater<>> ||
    ::std::is_same_v<Compare, ::std::equal_to<Key>> || ::std::is_same_v<Compare, ::std::equal_to<>>;

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
