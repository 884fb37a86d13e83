#pragma once

/// Support for the functions of all probes: comparison and display of values. The generator also holds this
/// text as a string, and compiles it to evaluate laws. It includes no header, so the user's headers alone
/// decide which headers are read.

namespace autoshard_laws {

template <class T>
inline constexpr bool kSigned = static_cast<T>(-1) < static_cast<T>(1);
template <class T>
inline constexpr T kLeast = kSigned<T> ? static_cast<T>(1ULL << (sizeof(T) * 8 - 1)) : T{};
template <class T>
inline constexpr T kMost = static_cast<T>(static_cast<T>(~0ULL) ^ kLeast<T>);

template <class List, class... Elements>
constexpr List list(const Elements&... elements) {
  List result;
  if constexpr (requires(const typename List::value_type& element) { result.push_back(element); }) {
    (result.push_back(elements), ...);
  } else {
    (result.insert(elements), ...);
  }
  return result;
}

template <class Array, class Element>
constexpr Array filled(const Element& first, const Element& rest) {
  Array result{};
  bool is_first = true;
  for (auto& element : result) {
    element = is_first ? first : rest;
    is_first = false;
  }
  return result;
}

template <class T>
struct Fields {
  static constexpr bool kKnown = false;
};
template <class T>
struct Enumerators {
  static constexpr const char* name(T) { return nullptr; }
  static constexpr T one_like(T value) { return value; }
};

/// Whether a variable of an enumeration may hold `value`: one of the enumerators, or a combination of flags.
/// The enumerators are flags if there are at least three, and each of their bits is an enumerator.
template <class T, class... Enumerator>
constexpr bool holds(T value, Enumerator... enumerators) {
  using Number = unsigned long long;
  if (((value == enumerators) || ...)) return true;
  Number all = 0, single = 0;
  int flags = 0;
  const auto add = [&](Number bits) {
    all |= bits;
    if ((bits & (bits - 1)) != 0 || (bits & ~single) == 0) return;
    single |= bits;
    ++flags;
  };
  (add(static_cast<Number>(enumerators)), ...);
  return flags >= 3 && all == single && (static_cast<Number>(value) & ~all) == 0;
}

/// Whether two numbers are the same. Only code for a prover calls these functions. The prover knows them, and
/// ignores rounding.
[[gnu::const]] bool same_reals(float, float) noexcept;
[[gnu::const]] bool same_reals(double, double) noexcept;
template <class List>
constexpr bool same_elements(const List& one, List other);

template <class T>
constexpr bool same(const T& one, const T& other) {
  if constexpr (Fields<T>::kKnown) {
    return Fields<T>::same(one, other);
  } else if constexpr (__is_empty(T)) {
    return true;
  } else if constexpr (__is_enum(T) || (requires { one ^ other; } && !__is_class(T))) {
    return one == other;
  } else if constexpr (requires { one / other; } && !__is_class(T)) {
    if (!__builtin_is_constant_evaluated()) return same_reals(one, other);
    const T difference = one < other ? other - one : one - other;
    const T size = (one < 0 ? -one : one) + (other < 0 ? -other : other);
    return one == other || (one != one && other != other) ||
           difference <= size * static_cast<T>(sizeof(T) == 4 ? 1e-5 : 1e-13);
  } else if constexpr (
      requires { one.c_str(); } || requires { one.to_ullong(), one.none(); }) {
    return one == other;
  } else if constexpr (requires { one.has_value(); }) {
    return one.has_value() == other.has_value() && (!one.has_value() || same(*one, *other));
  } else if constexpr (requires {
                         one.first;
                         one.second;
                       }) {
    return same(one.first, other.first) && same(one.second, other.second);
  } else if constexpr (requires {
                         one.count();
                         one.zero();
                       }) {
    return same(one.count(), other.count());
  } else if constexpr (requires { one.time_since_epoch(); }) {
    return same(one.time_since_epoch(), other.time_since_epoch());
  } else if constexpr (requires {
                         one.size();
                         one[0];
                       }) {
    if (one.size() != other.size()) return false;
    for (decltype(one.size()) at = 0; at < one.size(); ++at) {
      if (!same(one[at], other[at])) return false;
    }
    return true;
  } else if constexpr (requires { typename T::hasher; }) {
    return same_elements(one, other);
  } else if constexpr (requires { one.begin(); }) {
    auto at = other.begin();
    if (one.size() != other.size()) return false;
    for (const auto& element : one) {
      if (!same<typename T::value_type>(element, *at)) return false;
      ++at;
    }
    return true;
  } else {
    static_assert(Fields<T>::kKnown);
  }
}

/// Whether both have the same elements, in any order.
template <class List>
constexpr bool same_elements(const List& one, List other) {
  if (one.size() != other.size()) return false;
  for (const typename List::value_type& element : one) {
    auto at = other.begin();
    while (at != other.end() && !same<typename List::value_type>(element, *at)) ++at;
    if (at == other.end()) return false;
    other.erase(at);
  }
  return true;
}

/// Bytes that values are read from, one after the other.
struct Bytes {
  const unsigned char* next;
};

template <class Real>
struct BitsOf {
  using Type = unsigned long long;
};
template <>
struct BitsOf<float> {
  using Type = unsigned;
};

/// Reads the value that the next bytes represent. Each value has bytes that represent it.
template <class T>
constexpr T make(Bytes& from) {
  if constexpr (Fields<T>::kKnown) {
    return Fields<T>::make(from);
  } else if constexpr (__is_empty(T)) {
    return T{};
  } else if constexpr (__is_same(T, bool)) {
    return (*from.next++ & 1) != 0;
  } else if constexpr (__is_enum(T)) {
    return Enumerators<T>::one_like(static_cast<T>(make<__underlying_type(T)>(from)));
  } else if constexpr (requires(const T& one) { one ^ one; } && !__is_class(T)) {
    if (!__builtin_is_constant_evaluated()) {
      T value;
      __builtin_memcpy(&value, from.next, sizeof(T));
      from.next += sizeof(T);
      return value;
    }
    unsigned long long bits = 0;
    for (unsigned at = 0; at < sizeof(T); ++at)
      bits |= static_cast<unsigned long long>(*from.next++) << (8 * at);
    return static_cast<T>(bits);
  } else if constexpr (requires(const T& one) { one / one; } && !__is_class(T)) {
    using Bits = typename BitsOf<T>::Type;
    constexpr Bits kExponent = static_cast<Bits>(sizeof(T) == 4 ? 0x7F800000ULL : 0x7FF0000000000000ULL);
    const auto bits = make<Bits>(from);
    return (bits & kExponent) == kExponent ? T{} : __builtin_bit_cast(T, bits);  // finite numbers only
  } else if constexpr (requires(const T& one) { one.to_ullong(), one.none(); }) {
    T bits{};
    for (decltype(bits.size()) at = 0; at < bits.size(); at += 64)
      bits |= T{make<unsigned long long>(from)} << at;
    return bits;
  } else if constexpr (requires(const T& one) { one.has_value(); }) {
    const bool has_value = make<bool>(from);
    const auto value = make<typename T::value_type>(from);
    return has_value ? T{value} : T{};
  } else if constexpr (requires(const T& one) {
                         one.first;
                         one.second;
                       }) {
    auto first = make<typename T::first_type>(from);
    auto second = make<typename T::second_type>(from);
    return T{first, second};
  } else if constexpr (requires(const T& one) {
                         one.count();
                         one.zero();
                       }) {
    return T{make<typename T::rep>(from)};
  } else if constexpr (requires(const T& one) { one.time_since_epoch(); }) {
    return T{make<typename T::duration>(from)};
  } else if constexpr (requires(const T& one) {
                         one.size();
                         one[0];
                       }) {
    T elements{};
    for (auto& element : elements) element = make<typename T::value_type>(from);
    return elements;
  }
}

struct Text {
  char bytes[200] = {};
  int size = 0;

  constexpr void add(char c) {
    if (size < 199) bytes[size++] = c;
  }
  constexpr void add(const char* text) {
    for (; *text; ++text) add(*text);
  }
  constexpr void add_natural(unsigned long long value) {
    if (value >= 10) add_natural(value / 10);
    add(static_cast<char>('0' + value % 10));
  }
  constexpr void add_real(double value) {
    if (value != value) return add("not a number");
    if (value < 0) {
      add('-');
      value = -value;
    }
    if (value > 1e15) return add(value > 1.7e308 ? "infinity" : "more than 10^15");
    const auto millionths =
        static_cast<unsigned long long>((value - static_cast<unsigned long long>(value)) * 1e6 + 0.5);
    add_natural(static_cast<unsigned long long>(value) + millionths / 1000000);
    unsigned long long rest = millionths % 1000000;
    if (rest != 0) add('.');
    for (unsigned long long digit = 100000; rest != 0; digit /= 10) {
      add(static_cast<char>('0' + rest / digit));
      rest %= digit;
    }
  }
};

template <class T>
constexpr void show(Text& text, const T& value);

/// Shows all elements, or the first ones and the last one if there are many.
template <class T>
constexpr void show_elements(Text& text, const T& value, bool is_long) {
  decltype(value.size()) at = 0;
  for (const auto& element : value) {
    if (!is_long || at < 3 || at + 1 == value.size()) {
      if (at != 0) text.add(", ");
      if constexpr (requires { typename T::mapped_type; }) {
        show(text, element.first);
        text.add(": ");
        show(text, element.second);
      } else {
        show<typename T::value_type>(text, element);
      }
    } else if (at == 3) {
      text.add(", ...");
    }
    ++at;
  }
}

/// Shows the elements of an array that differ from its last one, up to a limit.
template <class T>
constexpr void show_differing(Text& text, const T& value) {
  using Element = typename T::value_type;
  constexpr unsigned kMostShown = 6;
  const Element last = value[value.size() - 1];
  unsigned differing = 0;
  for (decltype(value.size()) at = 0; at < value.size(); ++at) {
    const Element element = value[at];
    if (same(element, last) || differing++ >= kMostShown) continue;
    text.add('[');
    text.add_natural(at);
    text.add("] = ");
    show<Element>(text, element);
    text.add(", ");
  }
  text.add(differing > kMostShown ? "..., [" : differing > 0 ? "others " : "all ");
  if (differing > kMostShown) {
    text.add_natural(value.size() - 1);
    text.add("] = ");
  }
  show<Element>(text, last);
}

template <class T>
constexpr void show(Text& text, const T& value) {
  if constexpr (Fields<T>::kKnown) {
    Fields<T>::show(text, value);
  } else if constexpr (__is_empty(T)) {
    text.add("{}");
  } else if constexpr (requires {
                         value ? 1 : 0;
                         requires __is_same(T, bool);
                       }) {
    text.add(value ? "true" : "false");
  } else if constexpr (__is_enum(T)) {
    if (const char* name = Enumerators<T>::name(value)) return text.add(name);
    show(text, static_cast<__underlying_type(T)>(value));
  } else if constexpr (requires { value ^ value; } && !__is_class(T)) {
    if (value < 0) text.add('-');
    const auto magnitude = static_cast<unsigned long long>(value);
    text.add_natural(value < 0 ? 0 - magnitude : magnitude);
  } else if constexpr (requires { value / value; } && !__is_class(T)) {
    text.add_real(static_cast<double>(value));
  } else if constexpr (requires { value.c_str(); }) {
    text.add('"');
    for (const char* at = value.c_str(); *at != '\0'; ++at) {
      if (*at == '"' || *at == '\\') text.add('\\');
      text.add(*at);
    }
    text.add('"');
  } else if constexpr (requires { value.to_ullong(), value.none(); }) {
    auto digits = value.size();
    while (digits > 1 && !value[digits - 1]) --digits;
    text.add("0b");
    for (; digits > 0; --digits) text.add(value[digits - 1] ? '1' : '0');
  } else if constexpr (requires { value.has_value(); }) {
    if (!value.has_value()) return text.add("nothing");
    show(text, *value);
  } else if constexpr (requires {
                         value.first;
                         value.second;
                       }) {
    text.add('{');
    show(text, value.first);
    text.add(", ");
    show(text, value.second);
    text.add('}');
  } else if constexpr (requires {
                         value.count();
                         value.zero();
                       }) {
    show(text, value.count());
  } else if constexpr (requires { value.time_since_epoch(); }) {
    show(text, value.time_since_epoch());
  } else if constexpr (requires { value.begin(); }) {
    constexpr decltype(value.size()) kMostShown = 12;
    constexpr bool kIsMap = requires { typename T::mapped_type; };
    const bool is_long = value.size() > kMostShown;
    text.add('{');
    if constexpr (!kIsMap && requires { value[0]; }) {
      is_long ? show_differing(text, value) : show_elements(text, value, false);
    } else {
      show_elements(text, value, is_long);
    }
    text.add('}');
    if (is_long) {
      text.add(" of ");
      text.add_natural(value.size());
    }
  }
}

template <class T>
constexpr Text shown(const T& value) {
  Text text;
  show(text, value);
  return text;
}

}  // namespace autoshard_laws
