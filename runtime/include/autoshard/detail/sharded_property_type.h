#pragma once

#include <autoshard/codec.h>
#include <autoshard/detail/index_type.h>
#include <autoshard/generated.h>
#include <autoshard/store.h>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

/// The sharded properties of an entity as plain pointers; see entity_type.h.
namespace autoshard::detail {

/// The bounds of the whole value of a property.
struct Bounds {
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

/// Receives an element of a group. `bytes` identifies an element of a set or map, and is empty for an element
/// of a sequence. `container` is an encoded container that has only this element.
using PutElement = std::function<void(std::string_view bytes, std::string_view container)>;

/// The implementation of `Strategy` (runtime/src/strategies/strategy.h) that keeps the value of a property.
enum class StrategyKind : std::uint8_t {
  kShards,   ///< static, dynamic or adaptive shards
  kBounded,  ///< shards that keep to their share of bounds
  kGroup,    ///< a record for each element
  kWindow,   ///< a record for each shard and bucket of time
};

/// The extent of a sliding window, in milliseconds.
struct WindowSize {
  std::int64_t last = 0;  ///< a multiple of `bucket`
  std::int64_t bucket = 0;
};

/// A sharded property. In its functions, `value` points to a value of the property's type.
struct ShardedPropertyType {
  std::string_view name;
  /// The name in the keys of the shards. For a property with bounds this is its oldest name: programs that
  /// know the property by different names share its bounds.
  std::string_view record_name;
  Shards shards = 1;
  StrategyKind strategy = StrategyKind::kShards;
  void* (*in_entity)(void* entity);  ///< the folded value
  void* (*in_shard)(void* shard);
  bool* (*replaced)(void* shard);  ///< null if nothing ever replaces the value
  bool (*is_neutral)(const void* value);
  void (*make_neutral)(void* value);
  void (*encode)(Encoder& out, const void* value);
  void (*fold)(void* value, Decoder& other);  ///< value := fold(value, other)
  void (*fold_value)(void* value, const void* other);
  void (*encode_folded)(Encoder& out, const void* value, Decoder& other);
  void (*copy)(void* value, const void* other);
  // For a property with bounds, whose values are integers and whose fold is their sum; otherwise null.
  Bounds (*bounds)();
  Bounds range;  ///< of the values of the type
  std::int64_t (*to_integer)(const void* value);
  // For integers whose fold a store may know; otherwise null. Sets the fold into a record, without the
  // elements that follow the number in the record. Returns false if no store can do the fold.
  bool (*to_fold)(const void* value, NumberFold& fold);
  Fold known_fold;
  // For a group; otherwise null. Calls `put` for each element of the value, in their order.
  void (*split)(const void* value, const PutElement& put);
  bool is_sequence;            ///< neither set nor map: equal elements are kept
  bool is_number;              ///< or an enumeration: each encoded value has at most 9 bytes
  WindowSize window;           ///< used by a window only
  const IndexType* ranked_by;  ///< the index of the folded value; null without one

  // Facts about strategies for the layers below the strategies, and for the hottest loops.

  /// The commit decides about each update by the value that the update would lead to.
  constexpr bool admits_updates() const { return strategy == StrategyKind::kBounded; }
  /// The parts of the value are folded in an order of their own, once all of them are known.
  constexpr bool folds_in_order() const { return strategy == StrategyKind::kGroup; }
  /// A part counts for a limited time. A value that was stored before the class had the window has no time,
  /// and is void.
  constexpr bool is_timed() const { return strategy == StrategyKind::kWindow; }
  /// An index can follow the folded value, because only updates change it.
  constexpr bool may_be_ranked() const { return !folds_in_order() && !is_timed(); }
};

/// Whether a value is the neutral one. Compares values if that is cheap and exact, and otherwise the bytes
/// that would be stored, because a type's `==` may ignore stored members.
template <class Owner, class T>
bool equal_stored(const T& one, const T& other) {
  if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T> || std::same_as<T, std::string>) {
    return one == other;
  } else {
    std::string one_bytes, other_bytes;
    Encoder one_out(one_bytes), other_out(other_bytes);
    encode<Owner>(one_out, one);
    encode<Owner>(other_out, other);
    return one_bytes == other_bytes;
  }
}

template <class E>
constexpr std::span<const FormerName> former_names() {
  if constexpr (requires { Traits<E>::kFormerNames; }) {
    return Traits<E>::kFormerNames;
  } else {
    return {};
  }
}

template <class E, std::size_t kIndex>
inline constexpr auto kShardedProperty = std::get<kIndex>(Traits<E>::sharded_properties());

template <class E, std::size_t kIndex>
constexpr void add_bounds(ShardedPropertyType& type) {
  constexpr const auto& kProperty = kShardedProperty<E, kIndex>;
  using T = std::remove_cvref_t<decltype(kProperty.fold({}, {}))>;
  if constexpr (kProperty.has_minimum || kProperty.has_maximum) {
    static_assert(std::is_integral_v<T> && std::is_signed_v<T>,
                  "a property with bounds must be a signed integer");
    type.strategy = StrategyKind::kBounded;
    type.range = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    type.bounds = [] {
      Bounds bounds{std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
      if constexpr (kProperty.has_minimum) bounds.least = kProperty.minimum();
      if constexpr (kProperty.has_maximum) bounds.most = kProperty.maximum();
      return bounds;
    };
    type.to_integer = [](const void* value) -> std::int64_t { return *static_cast<const T*>(value); };
  }
}

template <class E, std::size_t kIndex>
constexpr void add_known_fold(ShardedPropertyType& type) {
  constexpr const auto& kProperty = kShardedProperty<E, kIndex>;
  using T = std::remove_cvref_t<decltype(kProperty.fold({}, {}))>;
  // The number of adaptive shards follows the conflicts of updates, and the folds of a store meet none.
  // (The generator gives adaptive members `kOther`.)
  if constexpr (kProperty.known_fold != Fold::kOther && std::integral<T> && !std::same_as<T, bool> &&
                !kProperty.has_minimum && !kProperty.has_maximum &&
                kProperty.shards.kind != Shards::Kind::kAdaptive) {
    type.to_fold = [](const void* value, NumberFold& fold) {
      constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
      using Limits = std::numeric_limits<T>;
      const T number = *static_cast<const T*>(value);
      fold.fold = kProperty.known_fold;
      fold.least = static_cast<std::int64_t>(Limits::min());
      constexpr auto kMax = static_cast<std::uint64_t>(Limits::max());
      fold.most = static_cast<std::int64_t>(kMax < kMost ? kMax : kMost);
      fold.number = static_cast<std::int64_t>(number);
      if (number > 0 && static_cast<std::uint64_t>(number) > kMost) return false;
      return true;
    };
  }
}

/// Encodes a container that has only this element.
template <class Owner, class Container>
void encode_alone(Encoder& out, const typename Container::value_type& element) {
  const Encoder::Level level(out);
  if constexpr (requires { typename Container::mapped_type; }) {
    out.map(1);
    encode_entry<Owner>(out, element);
  } else {
    out.array(1);
    encode<Owner>(out, element);
  }
}

/// Appends bytes that are equal for equal elements of a set, and for entries of a map with equal keys.
/// Appends nothing for a sequence.
template <class Owner, class Container>
void append_identity(std::string& bytes, const typename Container::value_type& element) {
  Encoder out(bytes);
  if constexpr (requires { typename Container::mapped_type; }) {
    encode<Owner>(out, element.first);
  } else if constexpr (requires { typename Container::key_type; }) {
    encode<Owner>(out, element);
  }
}

template <class E, std::size_t kIndex>
constexpr void add_split(ShardedPropertyType& type) {
  using Owner = Traits<E>;
  using T = std::remove_cvref_t<decltype(std::declval<typename Owner::Shard&>().*
                                         kShardedProperty<E, kIndex>.value)>;
  if constexpr (kShardedProperty<E, kIndex>.shards.kind == Shards::Kind::kGroup) {
    static_assert(ranked_index_of<E>(kShardedProperty<E, kIndex>.name) == nullptr,
                  "a group cannot have a ranked index");
    static_assert(!HasCodec<T>,
                  "a group is stored element by element, so its container must not have an autoshard::Codec");
    type.strategy = StrategyKind::kGroup;
    type.split = [](const void* value, const PutElement& put) {
      std::string bytes, container;
      for (const typename T::value_type& element : *static_cast<const T*>(value)) {
        bytes.clear();
        container.clear();
        append_identity<Owner, T>(bytes, element);
        Encoder out(container);
        encode_alone<Owner, T>(out, element);
        put(bytes, container);
      }
    };
    type.is_sequence = !requires { typename T::key_type; };
    type.is_neutral = [](const void* value) { return static_cast<const T*>(value)->empty(); };
    if constexpr (!requires { typename T::key_type; }) {
      type.fold = [](void* value, Decoder& other) {  // appends in place, because there may be many elements
        for (std::size_t elements = other.array(); elements > 0; --elements)
          decode_element<Owner>(other, *static_cast<T*>(value));
      };
    }
  }
}

template <class E, std::size_t kIndex>
constexpr void add_window(ShardedPropertyType& type) {
  constexpr const auto& kProperty = kShardedProperty<E, kIndex>;
  if constexpr (kProperty.window.last != 0) {
    static_assert(kProperty.window.bucket > 0 && kProperty.window.last % kProperty.window.bucket == 0,
                  "a window must last a whole number of buckets");
    static_assert(!kProperty.has_minimum && !kProperty.has_maximum, "a window cannot have bounds");
    static_assert(
        kProperty.shards.kind == Shards::Kind::kStatic || kProperty.shards.kind == Shards::Kind::kAdaptive,
        "a window must have a number of shards");
    static_assert(ranked_index_of<E>(kProperty.name) == nullptr,
                  "a window cannot have an index, because its value changes without an update");
    type.strategy = StrategyKind::kWindow;
    type.window = {std::int64_t{1000} * kProperty.window.last, std::int64_t{1000} * kProperty.window.bucket};
  }
}

/// Returns the oldest name of a property with bounds, and the present name of any other property.
template <class E, std::size_t kIndex>
constexpr std::string_view record_name_of() {
  constexpr const auto& kProperty = kShardedProperty<E, kIndex>;
  if constexpr (kProperty.has_minimum || kProperty.has_maximum) {
    for (const FormerName& former : former_names<E>()) {
      if (former.name == kProperty.name) return former.former;
    }
  }
  return kProperty.name;
}

template <class E, std::size_t kIndex>
constexpr ShardedPropertyType make_sharded_property_type() {
  using Owner = Traits<E>;
  using Shard = typename Owner::Shard;
  constexpr const auto& kProperty = kShardedProperty<E, kIndex>;
  using T = std::remove_cvref_t<decltype(std::declval<Shard&>().*kProperty.value)>;
  ShardedPropertyType type = {
      .name = kProperty.name,
      .record_name = record_name_of<E, kIndex>(),
      .shards = kProperty.shards,
      .in_entity = [](void* entity) -> void* { return &(static_cast<E*>(entity)->*kProperty.aggregated); },
      .in_shard = [](void* shard) -> void* { return &(static_cast<Shard*>(shard)->*kProperty.value); },
      .replaced = nullptr,
      .is_neutral =
          [](const void* value) {
            return equal_stored<Owner>(*static_cast<const T*>(value), Shard{}.*kProperty.value);
          },
      .make_neutral = [](void* value) { *static_cast<T*>(value) = std::move(Shard{}.*kProperty.value); },
      .encode = [](Encoder& out, const void* value) { encode<Owner>(out, *static_cast<const T*>(value)); },
      .fold =
          [](void* value, Decoder& other) {
            T part = Shard{}.*kProperty.value;
            decode<Owner>(other, part);
            T& total = *static_cast<T*>(value);
            total = kProperty.fold(std::move(total), part);
          },
      .fold_value =
          [](void* value, const void* other) {
            T& total = *static_cast<T*>(value);
            total = kProperty.fold(std::move(total), *static_cast<const T*>(other));
          },
      .encode_folded =
          [](Encoder& out, const void* value, Decoder& other) {
            T part = Shard{}.*kProperty.value;
            decode<Owner>(other, part);
            encode<Owner>(out, kProperty.fold(std::move(part), *static_cast<const T*>(value)));
          },
      .copy = [](void* value, const void* other) { *static_cast<T*>(value) = *static_cast<const T*>(other); },
      .bounds = nullptr,
      .range = {},
      .to_integer = nullptr,
      .to_fold = nullptr,
      .known_fold = kProperty.known_fold,
      .split = nullptr,
      .is_sequence = false,
      .is_number = std::is_arithmetic_v<T> || std::is_enum_v<T>,
      .window = {},
      .ranked_by = ranked_index_of<E>(kProperty.name),
  };
  if constexpr (kProperty.replaced != nullptr)
    type.replaced = [](void* shard) { return &(static_cast<Shard*>(shard)->*kProperty.replaced); };
  add_bounds<E, kIndex>(type);
  add_known_fold<E, kIndex>(type);
  add_split<E, kIndex>(type);
  add_window<E, kIndex>(type);
  return type;
}

template <class E>
inline constexpr auto kShardedPropertyTypes = []<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
  return std::array<ShardedPropertyType, sizeof...(kIndex)>{make_sharded_property_type<E, kIndex>()...};
}
(std::make_index_sequence<std::tuple_size_v<decltype(Traits<E>::sharded_properties())>>());

}  // namespace autoshard::detail
