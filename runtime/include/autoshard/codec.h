#pragma once

#include <autoshard/detail/bits.h>
#include <autoshard/messagepack.h>
#include <autoshard/ref.h>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace autoshard {

/// The stored form of a type that the library does not know. Specialise it for a type of your own:
///
///   template <>
///   struct autoshard::Codec<Money> {
///     static void encode(Encoder& out, const Money& money) { out.integer(money.cents()); }
///     static void decode(Decoder& in, Money& money) { money = Money::of_cents(in.integer()); }
///   };
///
/// Each function writes or reads exactly one value, which is not nil. Equal values must give equal bytes.
template <class T>
struct Codec;

namespace detail {

template <class T, template <class...> class Template>
inline constexpr bool kIs = false;
template <template <class...> class Template, class... Args>
inline constexpr bool kIs<Template<Args...>, Template> = true;

template <class T>
inline constexpr bool kIsArray = false;
template <class T, std::size_t kSize>
inline constexpr bool kIsArray<std::array<T, kSize>> = true;

template <class T>
inline constexpr bool kIsTimePoint = false;
template <class Clock, class Duration>
inline constexpr bool kIsTimePoint<std::chrono::time_point<Clock, Duration>> = true;

template <class T>
inline constexpr bool kIsRef = false;
template <class E, class Id>
inline constexpr bool kIsRef<Ref<E, Id>> = true;

template <class T>
concept HasCodec = requires(Encoder& out, Decoder& in, const T& source, T& target) {
  Codec<T>::encode(out, source);
  Codec<T>::decode(in, target);
};

template <class Owner, class T>
concept Member = requires {
  Owner::members(static_cast<const T*>(nullptr));
};

template <class T>
inline constexpr bool kUnsupported = false;

/// Types whose stored form may be nil. A type that is nil itself when it is empty wraps them, to tell the two
/// apart.
template <class T>
inline constexpr bool kMayBeNil =
    kIs<T, std::optional> || kIs<T, std::unique_ptr> || std::same_as<T, std::monostate>;

template <class T>
concept Nullable = kIs<T, std::optional> || kIs<T, std::unique_ptr>;

template <class T>
concept Tuple = kIs<T, std::pair> || kIs<T, std::tuple>;

// The containers that the generator accepts. They are recognised by their members: to name `std::list` here,
// every source would have to compile the header <list>.

/// A set or a map, sorted or hashed.
template <class T>
concept Keyed = requires {
  typename T::key_type;
  typename T::allocator_type;
};
template <class T>
concept Map = Keyed<T> && requires {
  typename T::mapped_type;
};
/// A vector, deque or list.
template <class T>
concept Sequence = !Keyed<T> && requires(T & container, typename T::value_type element) {
  typename T::allocator_type;
  container.emplace_back();
  container.insert(container.end(), std::move(element));
};
/// A hash table: equal ones may have different orders.
template <class T>
concept Hashed = Keyed<T> && requires {
  typename T::hasher;
};

}  // namespace detail

template <class Owner, class T>
void encode(Encoder& out, const T& value);

template <class Owner, class T>
void decode(Decoder& in, T& value);

namespace detail {

/// Encodes the value that an optional or a smart pointer points to.
template <class Owner, class Pointer>
void encode_nullable(Encoder& out, const Pointer& pointer) {
  using T = std::remove_cvref_t<decltype(*pointer)>;
  if (!pointer) return out.nil();
  if constexpr (kMayBeNil<T>) {
    const Encoder::Level level(out);
    out.array(1);
    encode<Owner>(out, *pointer);
  } else {
    encode<Owner>(out, *pointer);
  }
}

template <class Owner, class Range>
void encode_sequence(Encoder& out, const Range& elements) {
  const Encoder::Level level(out);
  out.array(elements.size());
  for (const typename Range::value_type& element : elements) encode<Owner>(out, element);
}

template <class Owner, class T>
void encode_tuple(Encoder& out, const T& tuple) {
  const Encoder::Level level(out);
  out.array(std::tuple_size_v<T>);
  std::apply([&](const auto&... element) { (encode<Owner>(out, element), ...); }, tuple);
}

template <class Owner, class Variant>
void encode_variant(Encoder& out, const Variant& variant) {
  const Encoder::Level level(out);
  out.array(2);
  out.natural(variant.index());
  std::visit([&](const auto& alternative) { encode<Owner>(out, alternative); }, variant);
}

template <class Owner, class Entry>
void encode_entry(Encoder& out, const Entry& entry) {
  encode<Owner>(out, entry.first);
  encode<Owner>(out, entry.second);
}

/// Appends encoded elements in the order of their bytes.
void append_sorted(Encoder& out, std::vector<std::string>& elements);

/// Sorts the elements by their bytes: two equal hash tables may have different orders.
template <class Table, class Encode>
void encode_sorted(Encoder& out, const Table& table, Encode encode_one) {
  std::vector<std::string> elements;
  elements.reserve(table.size());
  for (const auto& element : table) {
    Encoder one(elements.emplace_back(), out);
    encode_one(one, element);
  }
  append_sorted(out, elements);
}

}  // namespace detail

/// Appends a value. `Owner`, the traits of the entity in which a struct occurs, lists the members of the
/// struct.
template <class Owner, class T>
void encode(Encoder& out, const T& value) {
  using namespace detail;
  if constexpr (HasCodec<T>) {
    Codec<T>::encode(out, value);
  } else if constexpr (std::same_as<T, bool>) {
    out.boolean(value);
  } else if constexpr (std::signed_integral<T>) {
    out.integer(value);
  } else if constexpr (std::unsigned_integral<T>) {
    out.natural(value);
  } else if constexpr (std::same_as<T, float> || std::same_as<T, double>) {
    out.real(value);
  } else if constexpr (std::is_enum_v<T>) {
    encode<Owner>(out, static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::same_as<T, std::string>) {
    out.text(value);
  } else if constexpr (std::same_as<T, std::monostate>) {
    out.nil();
  } else if constexpr (kIs<T, std::chrono::duration>) {
    encode<Owner>(out, value.count());
  } else if constexpr (kIsTimePoint<T>) {
    encode<Owner>(out, value.time_since_epoch());
  } else if constexpr (kIsRef<T>) {
    encode<Owner>(out, value.id());
  } else if constexpr (Nullable<T>) {
    encode_nullable<Owner>(out, value);
  } else if constexpr (Tuple<T>) {
    encode_tuple<Owner>(out, value);
  } else if constexpr (kIs<T, std::variant>) {
    encode_variant<Owner>(out, value);
  } else if constexpr (Map<T> && !Hashed<T>) {
    const Encoder::Level level(out);
    out.map(value.size());
    for (const auto& entry : value) encode_entry<Owner>(out, entry);
  } else if constexpr (Map<T>) {
    const Encoder::Level level(out);
    out.map(value.size());
    encode_sorted(out, value, [](Encoder& one, const auto& entry) { encode_entry<Owner>(one, entry); });
  } else if constexpr (Hashed<T>) {
    const Encoder::Level level(out);
    out.array(value.size());
    encode_sorted(out, value, [](Encoder& one, const auto& element) { encode<Owner>(one, element); });
  } else if constexpr (Sequence<T> || Keyed<T> || kIsArray<T>) {
    encode_sequence<Owner>(out, value);
  } else if constexpr (Bits<T>) {
    encode_bits(out, value);
  } else if constexpr (Member<Owner, T>) {
    const Encoder::Level level(out);
    std::apply(
        [&](const auto&... member) {
          out.map(sizeof...(member));
          ((out.text(member.name), encode<Owner>(out, value.*member.member)), ...);
        },
        Owner::members(static_cast<const T*>(nullptr)));
  } else {
    static_assert(kUnsupported<T>, "AutoShard cannot store this type: specialise autoshard::Codec for it");
  }
}

namespace detail {

/// Reads the value of the property of this name, if `properties` has it. Returns false and reads nothing
/// otherwise.
template <class Owner, class Properties, class T>
bool decode_property(const Properties& properties, Decoder& in, std::string_view name, T& object) {
  const auto matches = [&](const auto& property) {
    if (property.name != name) return false;
    decode<Owner>(in, object.*property.member);
    return true;
  };
  return std::apply([&](const auto&... property) { return (matches(property) || ...); }, properties);
}

template <class T>
T decode_integer(Decoder& in) {
  if constexpr (std::is_signed_v<T>) {
    const std::int64_t value = in.integer();
    if (!std::in_range<T>(value)) in.fail("a number too large for its property");
    return static_cast<T>(value);
  } else {
    const std::uint64_t value = in.natural();
    if (!std::in_range<T>(value)) in.fail("a number too large for its property");
    return static_cast<T>(value);
  }
}

template <class Owner, class T>
T decode_held(Decoder& in) {
  T value{};
  decode<Owner>(in, value);
  return value;
}

/// The largest number of elements for which memory is reserved at once: a short record may announce many
/// large ones.
inline constexpr std::size_t kMostReserved = 1024;

/// Adds one element. If the container allows it, the element is decoded in its final place.
template <class Owner, class Container>
void decode_element(Decoder& in, Container& container) {
  using T = typename Container::value_type;
  if constexpr (requires {
                  { container.emplace_back() } -> std::same_as<T&>;
                }) {
    decode<Owner>(in, container.emplace_back());
  } else {
    container.insert(container.end(), decode_held<Owner, T>(in));
  }
}

template <class Owner, class Pointer>
void decode_nullable(Decoder& in, Pointer& pointer) {
  using T = std::remove_cvref_t<decltype(*pointer)>;
  pointer.reset();
  if (in.nil()) return;
  if constexpr (kMayBeNil<T>) {
    if (in.array() != 1) in.fail("several values instead of one");
  }
  if constexpr (kIs<Pointer, std::unique_ptr>) {
    auto held = std::make_unique<T>();
    decode<Owner>(in, *held);
    pointer = std::move(held);
  } else {
    pointer = decode_held<Owner, T>(in);
  }
}

template <class Owner, class T>
void decode_tuple(Decoder& in, T& tuple) {
  if (in.array() != std::tuple_size_v<T>) in.fail("a tuple of another size");
  std::apply([&](auto&... element) { (decode<Owner>(in, element), ...); }, tuple);
}

template <class Owner, class Variant>
void decode_variant(Decoder& in, Variant& variant) {
  if (in.array() != 2) in.fail("a variant that is not an index and a value");
  const std::uint64_t index = in.natural();
  const auto decode_if = [&]<std::size_t kIndex>(std::integral_constant<std::size_t, kIndex>) {
    if (index != kIndex) return false;
    using T = std::variant_alternative_t<kIndex, Variant>;
    variant.template emplace<kIndex>(decode_held<Owner, T>(in));
    return true;
  };
  const bool known = [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
    return (decode_if(std::integral_constant<std::size_t, kIndex>()) || ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>());
  if (!known) in.fail("an alternative that its variant does not have");
}

}  // namespace detail

/// Reads one value. A member of a struct without an entry keeps its value; unknown entries are skipped.
template <class Owner, class T>
void decode(Decoder& in, T& value) {
  using namespace detail;
  if constexpr (HasCodec<T>) {
    Codec<T>::decode(in, value);
  } else if constexpr (std::same_as<T, bool>) {
    value = in.boolean();
  } else if constexpr (std::integral<T>) {
    using Plain = std::conditional_t<std::is_signed_v<T>, std::make_signed_t<T>, std::make_unsigned_t<T>>;
    value = static_cast<T>(decode_integer<Plain>(in));
  } else if constexpr (std::same_as<T, double>) {
    value = in.real();
  } else if constexpr (std::same_as<T, float>) {
    const double number = in.real();
    constexpr auto kMost = static_cast<double>(std::numeric_limits<float>::max());
    if (number > kMost && number <= std::numeric_limits<double>::max())
      in.fail("a number too large for its property");
    if (number < -kMost && number >= std::numeric_limits<double>::lowest())
      in.fail("a number too small for its property");
    value = static_cast<float>(number);
  } else if constexpr (std::is_enum_v<T>) {
    std::underlying_type_t<T> number{};
    decode<Owner>(in, number);
    value = static_cast<T>(number);
  } else if constexpr (std::same_as<T, std::string>) {
    value = in.text();
  } else if constexpr (std::same_as<T, std::monostate>) {
    if (!in.nil()) in.fail("a value where nil is expected");
  } else if constexpr (kIs<T, std::chrono::duration>) {
    typename T::rep count{};
    decode<Owner>(in, count);
    value = T(count);
  } else if constexpr (kIsTimePoint<T>) {
    typename T::duration since_epoch{};
    decode<Owner>(in, since_epoch);
    value = T(since_epoch);
  } else if constexpr (kIsRef<T>) {
    value = T(decode_held<Owner, std::remove_cvref_t<decltype(value.id())>>(in));
  } else if constexpr (Nullable<T>) {
    decode_nullable<Owner>(in, value);
  } else if constexpr (Tuple<T>) {
    decode_tuple<Owner>(in, value);
  } else if constexpr (kIs<T, std::variant>) {
    decode_variant<Owner>(in, value);
  } else if constexpr (Map<T>) {
    value.clear();
    for (std::size_t entries = in.map(); entries > 0; --entries) {
      auto key = decode_held<Owner, typename T::key_type>(in);
      value.insert_or_assign(std::move(key), decode_held<Owner, typename T::mapped_type>(in));
    }
  } else if constexpr (Sequence<T> || Keyed<T>) {
    value.clear();
    std::size_t elements = in.array();
    if constexpr (requires { value.reserve(elements); })
      value.reserve(elements < kMostReserved ? elements : kMostReserved);
    for (; elements > 0; --elements) decode_element<Owner>(in, value);
  } else if constexpr (kIsArray<T>) {
    if (in.array() != value.size()) in.fail("an array of another size");
    for (auto& element : value) decode<Owner>(in, element);
  } else if constexpr (Bits<T>) {
    decode_bits(in, value);
  } else if constexpr (Member<Owner, T>) {
    for (std::size_t entries = in.map(); entries > 0; --entries) {
      const std::string_view name = in.text();
      if (!decode_property<Owner>(Owner::members(static_cast<const T*>(nullptr)), in, name, value)) in.skip();
    }
  } else {
    static_assert(kUnsupported<T>, "AutoShard cannot store this type: specialise autoshard::Codec for it");
  }
}

}  // namespace autoshard
