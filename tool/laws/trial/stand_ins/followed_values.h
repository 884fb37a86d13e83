#pragma once

/// Values of bits that are known or unknown, and the followed key of a type of container.

#include "tool/laws/trial/stand_ins/followed_text.h"

/// The bytes of the followed keys. The prover takes each byte for any value.
extern "C" const unsigned char autoshard_followed_keys[1 << 20];

/// Returns any number, and another one with each call.
extern "C" unsigned long long autoshard_unknown() noexcept;

namespace autoshard_one_key {

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

}  // namespace autoshard_one_key
