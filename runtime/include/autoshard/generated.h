#pragma once

/// The one header that generated code includes: the building blocks of a companion class and its traits.
/// Nothing here talks to a store; applications include `autoshard/autoshard.h` for that.

#if __cplusplus < 202002L
#error "AutoShard needs C++20: compile with -std=c++20"
#endif

#include <autoshard/detail/included.h>
#include <autoshard/detail/state.h>
#include <autoshard/fold.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

/// Incremented whenever code of an older generator no longer works with this runtime.
#define AUTOSHARD_GENERATED_FORMAT 4

namespace autoshard {

/// Everything that the mapper knows about an entity. The generator emits one specialisation for each entity:
///
///   Entity, Shard, Id       the companion class, its sharded members alone (`NoShard` without any), its key
///   kKind                   the entity's name in the store
///   kId                     pointer to the member that holds the key; for a composite key, a tuple of
///                           pointers, and Id is a tuple too
///   properties()            tuple of `Property`: the content of the main record
///   sharded_properties()    tuple of `ShardedProperty`: the content of the shards
///   kFormerNames            array of `FormerName`, for both kinds of properties; absent if there is none
///   indexes()               tuple of `Index`; absent if there is none
///   before_save(entity)     runs before the entity is written; absent if the class has no such hook
///   after_load(entity)      runs once the entity has been filled in; absent if the class has no such hook
///   kExpires                pointer to the member that says when the entity expires; absent without one
///   members(const S*)       tuple of `Property` for a struct S that occurs among the properties
///   Fields                  struct with a static `Field` for each property and each id
///   make()                  returns an entity for the mapper to fill in
///   state(entity)           the mapper's bookkeeping in the companion
///   run<kMethod>(shard, …)  calls the shard method; does not compile for any other method
template <class E>
struct Traits;

/// A class for which the generator has made a companion.
template <class E>
concept Persisted = requires {
  Traits<E>::kKind;
};

/// Selects the constructor that the generator adds to a companion. The members get their default values, and
/// the mapper fills in the stored values.
struct Loading {
  explicit Loading() = default;
};

namespace detail {

/// The type of the members that the pointers point to.
template <class Pointers>
struct MemberType;
template <class Owner, class T>
struct MemberType<T Owner::*> {
  using Type = T;
};
template <class... Owners, class... Ts>
struct MemberType<std::tuple<Ts Owners::*...>> {
  using Type = std::tuple<Ts...>;
};

}  // namespace detail

/// Whether `Id` is the type of the members that `kId` of the traits points to. The types differ if the
/// generator read the header with other compiler flags than those of this compilation.
template <class Id, class Pointers>
inline constexpr bool kIsTypeOf =
    std::is_same_v<Id, typename detail::MemberType<std::remove_cv_t<Pointers>>::Type>;

/// One persisted member of `Owner`, an entity or a struct inside one, and its name in the record.
template <class Owner, class T>
struct Property {
  std::string_view name;
  T Owner::*member;
};
template <class Owner, class T>
Property(std::string_view, T Owner::*) -> Property<Owner, T>;

template <class E>
class Condition;  // defined in <autoshard/query.h>
template <class E>
class Order;  // defined in <autoshard/query.h>

/// A property of E, or its id, for queries. `autoshard/query.h` defines its functions and comparisons.
template <class E, class T>
struct Field {
  std::string_view name;
  T E::*member;

  /// The field has one of the values.
  template <class V, class Of = Condition<E>>
  detail::OfQueryHeader<Of> in(std::initializer_list<V> values) const;
  template <class V, class Of = Condition<E>>
  detail::OfQueryHeader<Of> in(const std::vector<V>& values) const;
  /// The field is at least `least` and at most `most`.
  template <class V, class W, class Of = Condition<E>>
  detail::OfQueryHeader<Of> between(const V& least, const W& most) const;
  /// The field is a text that begins with `prefix`.
  template <class Of = Condition<E>>
  detail::OfQueryHeader<Of> starts_with(std::string_view prefix) const;
  /// The field is a container with this element, or a map with this key.
  template <class V, class Of = Condition<E>>
  detail::OfQueryHeader<Of> contains(const V& value) const;

  template <class Of = Order<E>>
  detail::OfQueryHeader<Of> asc() const;
  template <class Of = Order<E>>
  detail::OfQueryHeader<Of> desc() const;
};

template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator==(const Field<E, T>& field, const V& value);
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator!=(const Field<E, T>& field, const V& value);
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator<(const Field<E, T>& field, const V& value);
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator<=(const Field<E, T>& field, const V& value);
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator>(const Field<E, T>& field, const V& value);
template <class E, class T, class V>
detail::OfQueryHeader<Condition<E>> operator>=(const Field<E, T>& field, const V& value);

template <class E, class Owner, class T>
constexpr Field<E, T> field(std::string_view name, T Owner::*member) {
  return {name, member};
}

/// Marks a sequence whose elements may come back in another order than the one in which they were added.
inline constexpr bool kAnyOrder = true;

/// The largest number of records over which a property or an index can be spread: a read visits all of them.
inline constexpr std::uint32_t kMostShards = 4096;

/// The number of records over which the updates of a sharded property are spread.
struct Shards {
  enum class Kind : std::uint8_t {
    kStatic,  ///< `least` shards (`most` is the same), until `admin::set_shards` changes the number
    /// Each update is a record of its own, until compaction. `least` and `most` are 1.
    kDynamic,
    kAdaptive,  ///< from `least` to `most` shards, depending on the load
    /// Of a container: each element is a record of its own, in one of `least` groups.
    kGroup,
  };

  Kind kind = Kind::kStatic;
  std::uint32_t least = 1;
  std::uint32_t most = 1;

  constexpr Shards(Kind its_kind, std::uint32_t its_least, std::uint32_t its_most)
      : kind(its_kind), least(its_least), most(its_most) {}
  // NOLINTNEXTLINE(google-explicit-constructor): `ShardedProperty{"votes", 10, …}` is to read well
  constexpr Shards(int number)
      : Shards(Kind::kStatic, static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number)) {}
};

inline constexpr Shards kDynamic(Shards::Kind::kDynamic, 1, 1);
constexpr Shards adaptive(std::uint32_t least, std::uint32_t most) {
  return {Shards::Kind::kAdaptive, least, most};
}
constexpr Shards group(std::uint32_t groups) { return {Shards::Kind::kGroup, groups, groups}; }

/// The extent of a sliding window. The value counts the updates of `last`, in whole buckets: the present
/// bucket and those before it, so it covers a time between `last - bucket` and `last`.
struct Window {
  std::uint32_t last = 0;    ///< in seconds; 0: no window
  std::uint32_t bucket = 0;  ///< in seconds
};

/// One member whose value is the fold of several records. Its fold takes numbers and enumerations by value.
template <class Entity, class Shard, class T, class FoldFunction = T (*)(T, const T&)>
struct ShardedProperty {
  std::string_view name;
  Shards shards;
  T Entity::*aggregated;  ///< the folded value, in the companion
  T Shard::*value;        ///< one shard's part of it; a default `Shard` holds the neutral value
  FoldFunction fold;
  bool any_order = false;  ///< two values with the same elements are equal to the laws
  /// Set if the part is not an update but replaces the whole value.
  bool Shard::*replaced = nullptr;
  /// Bounds of the whole value; null without bounds. With bounds, the fold is a sum.
  T (*minimum)() = nullptr;
  T (*maximum)() = nullptr;
  // GCC does not treat a comparison of these pointers with null as constant if it compiles for the
  // undefined-behaviour sanitizer.
  bool has_minimum = false;
  bool has_maximum = false;
  /// What `fold` does, if the generator can tell. A store may then do the fold itself.
  Fold known_fold = Fold::kOther;
  Window window{};

  constexpr ShardedProperty folds_by(Fold its_fold) const {
    ShardedProperty property = *this;
    property.known_fold = its_fold;
    return property;
  }
  constexpr ShardedProperty replaced_by(bool Shard::*flag) const {
    ShardedProperty property = *this;
    property.replaced = flag;
    return property;
  }
  constexpr ShardedProperty at_least(T (*bound)()) const {
    ShardedProperty property = *this;
    property.minimum = bound;
    property.has_minimum = true;
    return property;
  }
  constexpr ShardedProperty at_most(T (*bound)()) const {
    ShardedProperty property = *this;
    property.maximum = bound;
    property.has_maximum = true;
    return property;
  }
  constexpr ShardedProperty windowed(Window its_window) const {
    ShardedProperty property = *this;
    property.window = its_window;
    return property;
  }
};
template <class Entity, class Shard, class T>
ShardedProperty(std::string_view, Shards, T Entity::*, T Shard::*, T (*)(T, const T&), bool = false)
    -> ShardedProperty<Entity, Shard, T>;
template <class Entity, class Shard, class T>
ShardedProperty(std::string_view, Shards, T Entity::*, T Shard::*, T (*)(T, T), bool = false)
    -> ShardedProperty<Entity, Shard, T, T (*)(T, T)>;

/// An order of entities by some of their properties. `Key` and `Order` are tuples of `Property`. The key is
/// looked for; entities of the same key are sorted by the order.
template <class Key, class Order = std::tuple<>>
struct Index {
  std::string_view name;
  Key key;
  Order order{};
  std::uint32_t shards = 1;  ///< number of parts over which it is spread, by a hash of key and order
  bool unique = false;       ///< no two entities have the same key
  /// The staleness of a ranked index, an index of a sharded property: the number of seconds after the last
  /// update of an entity until the index shows its new place at the latest. 0: an index of properties in the
  /// main record, which is never stale.
  std::uint32_t staleness = 0;
  bool elements = false;  ///< the key is a collection, and an entity has an entry for each of its elements
};
template <class Key, class Order>
Index(const char*, Key, Order, std::uint32_t) -> Index<Key, Order>;

template <class Key>
constexpr Index<std::tuple<Key>> index(const char* name, Key key) {
  return {name, std::tuple(key)};
}
template <class Key>
constexpr Index<std::tuple<Key>> unique_index(const char* name, Key key) {
  return {name, std::tuple(key), {}, 1, true};
}
template <class Key>
constexpr Index<std::tuple<Key>> ranked_index(const char* name, Key key, std::uint32_t staleness) {
  return {name, std::tuple(key), {}, 1, false, staleness};
}
template <class Key>
constexpr Index<std::tuple<Key>> elements_index(const char* name, Key key) {
  return {.name = name, .key = std::tuple(key), .elements = true};
}

/// The type that `mapper.range` takes for the index at `kPlace` in `Traits<E>::indexes()`, such as
/// `LogEntry::ByCompany`.
template <class E, std::size_t kPlace>
struct IndexOf;  // defined in <autoshard/range.h>

/// A name under which records may still hold a property, and the property's present name. The former names of
/// a property with bounds are sorted by age, the oldest first.
struct FormerName {
  std::string_view former;
  std::string_view name;
};

namespace detail {
template <class T, T kValue>
struct Constant;

template <auto kOne, class T>
concept ConstantOf = requires {
  typename Constant<T, kOne>;
};
}  // namespace detail

/// Whether two pointers to methods name the same method. A `noexcept` in the type of only one of them makes
/// no difference.
template <auto kOne, auto kOther>
inline constexpr bool kSameMethod = false;
template <auto kOne, auto kOther>
requires detail::ConstantOf<kOne, decltype(kOther)>
inline constexpr bool kSameMethod<kOne, kOther> =
    std::is_same_v<detail::Constant<decltype(kOther), kOne>, detail::Constant<decltype(kOther), kOther>>;

namespace detail {
/// `Result`, or for the entity itself, the shard.
template <class Result, class Entity, class Shard>
using ResultInShard =
    std::conditional_t<std::is_same_v<Result, Entity&>, Shard&,
                       std::conditional_t<std::is_same_v<Result, Entity*>, Shard*,
                                          std::conditional_t<std::is_same_v<Result, Entity>, Shard, Result>>>;

template <class Method, class Shard>
struct FindInShard;
template <class Result, class Entity, class... Parameters, bool kNoexcept, class Shard>
struct FindInShard<Result (Entity::*)(Parameters...) noexcept(kNoexcept), Shard> {
  using Type = ResultInShard<Result, Entity, Shard> (Shard::*)(Parameters...);
};
template <class Result, class Entity, class... Parameters, bool kNoexcept, class Shard>
struct FindInShard<Result (Entity::*)(Parameters...)& noexcept(kNoexcept), Shard> {
  using Type = ResultInShard<Result, Entity, Shard> (Shard::*)(Parameters...);
};
template <class Result, class Entity, class... Parameters, bool kNoexcept, class Shard>
struct FindInShard<Result (Entity::*)(Parameters...)&& noexcept(kNoexcept), Shard> {
  using Type = ResultInShard<Result, Entity, Shard> (Shard::*)(Parameters...);
};
}  // namespace detail

/// The type of a shard method in `Shard` if its type in the entity is `Method`. Tells the shard methods among
/// overloads.
template <class Method, class Shard>
using InShard = typename detail::FindInShard<Method, Shard>::Type;

/// Always false, but dependent on `kMethod`: for a `static_assert` in a branch that must not be taken.
template <auto kMethod>
inline constexpr bool kNotAShardMethod = false;

}  // namespace autoshard
