#pragma once

/// The one header that generated code includes: what a companion class and its traits are made of.
/// Nothing here talks to a store; applications include `autoshard/autoshard.h` for that.

#if __cplusplus < 202002L
#error "AutoShard needs C++20: compile with -std=c++20"
#endif

#include <autoshard/fold.h>

#include <compare>
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

/// Raised whenever code that an older generator emitted would no longer work with this runtime.
#define AUTOSHARD_GENERATED_FORMAT 2

namespace autoshard {

/// Everything the mapper knows of an entity. The generator emits one specialisation an entity:
///
///   Entity, Shard, Id       the companion class, its sharded members alone (`NoShard` without any), its key
///   kKind                   the entity's name in the store
///   kId                     pointer to the member that holds the key; of a composite key, a tuple of such,
///                           and Id is a tuple, too
///   properties()            tuple of `Property`: what the main record holds
///   sharded_properties()    tuple of `ShardedProperty`: what lies in shards
///   kFormerNames            array of `FormerName`, of both kinds of properties; absent where there is none
///   indexes()               tuple of `Index`; absent where there is none
///   before_save(entity)     what runs before the entity is written; absent where there is nothing
///   after_load(entity)      what runs once it has been filled in; likewise
///   kExpires                pointer to the member that holds when the entity ends; likewise
///   members(const S*)       tuple of `Property` for a struct S that occurs among the properties
///   Fields                  struct with a static `Field` for each property and each id
///   make()                  an entity for the mapper to fill in
///   state(entity)           the mapper's notes in the companion
///   run<kMethod>(shard, …)  calls the shard method; does not compile for any other method
template <class E>
struct Traits;

/// A class that the generator has made a companion of.
template <class E>
concept Persisted = requires {
  Traits<E>::kKind;
};

/// Selects the constructor that the generator adds to a companion: members get their default values, and
/// the mapper fills in what the store holds.
struct Loading {
  explicit Loading() = default;
};

namespace detail {

/// The type of the members that pointers to members lead to.
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

/// Whether `Id` is the type of the members that `kId` of the traits points to. It is another one where the
/// generator read the header with other flags than those with which it is compiled.
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
Property(const char*, T Owner::*) -> Property<Owner, T>;

template <class E>
class Condition;
template <class E>
class Order;

/// A property of E, or its id, for queries; `autoshard/query.h` defines what it can be asked for, and
/// compares it with values.
template <class E, class T>
struct Field {
  std::string_view name;
  T E::*member;

  /// Whether it is one of the values.
  template <class V>
  Condition<E> in(std::initializer_list<V> values) const;
  template <class V>
  Condition<E> in(const std::vector<V>& values) const;
  /// Whether it is neither below `least` nor above `most`.
  template <class V, class W>
  Condition<E> between(const V& least, const W& most) const;
  /// Of a text.
  Condition<E> starts_with(std::string_view prefix) const;
  /// Whether a container has this element, or a map this key.
  template <class V>
  Condition<E> contains(const V& value) const;

  Order<E> asc() const;
  Order<E> desc() const;
};

template <class E, class Owner, class T>
constexpr Field<E, T> field(std::string_view name, T Owner::*member) {
  return {name, member};
}

/// Of a sequence that may come back in another order than the one in which it was filled.
inline constexpr bool kAnyOrder = true;

/// A property, or an index, cannot be spread over more records: a read goes through all of them.
inline constexpr std::uint32_t kMostShards = 4096;

/// Over how many records the updates of a sharded property are spread.
struct Shards {
  enum class Kind : std::uint8_t {
    kStatic,    ///< `least` of them, which is `most`, until `admin::set_shards` says otherwise
    kDynamic,   ///< each update is a record of its own, until compaction; `least` and `most` are 1
    kAdaptive,  ///< from `least` to `most`, as the load asks for
    kGroup,     ///< of a container: each element is a record of its own, in one of `least` groups
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

/// Puts the elements of `more` behind those of `all`; of two values of a map's key, the one in `more` stays.
template <class Container>
void add_all(Container& all, const Container& more) {
  if constexpr (requires { typename Container::mapped_type; }) {
    for (const auto& [key, value] : more) all.insert_or_assign(key, value);
  } else if constexpr (requires { typename Container::key_type; }) {
    all.insert(more.begin(), more.end());
  } else {
    all.insert(all.end(), more.begin(), more.end());
  }
}

/// The fold of a group: both, as `add_all` leaves them.
template <class Container>
Container unite(Container all, const Container& more) {
  add_all(all, more);
  return all;
}

/// One member whose value is the fold of several records.
template <class Entity, class Shard, class T>
struct ShardedProperty {
  std::string_view name;
  Shards shards;
  T Entity::*aggregated;  ///< the folded value, in the companion
  T Shard::*value;        ///< one shard's part of it; a default `Shard` holds the neutral value
  T (*fold)(T, const T&);
  bool any_order = false;           ///< values with the same elements are the same to the laws
  bool Shard::*replaced = nullptr;  ///< set where the part is no update, but what the whole value becomes
  T (*minimum)() = nullptr;         ///< bounds of the whole value, if it has any; the fold is a sum then
  T (*maximum)() = nullptr;
  // GCC, when it compiles for the undefined-behaviour sanitizer, takes no comparison of these for a constant.
  bool has_minimum = false;
  bool has_maximum = false;
  Fold known_fold = Fold::kOther;  ///< what `fold` does, where the generator can tell: a store may do it
  std::uint32_t last =
      0;  ///< seconds; the value is that of the buckets of so much time, this one included. 0: of all time
  std::uint32_t bucket = 0;  ///< seconds

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
  /// Of a window: what is older does not count.
  constexpr ShardedProperty within(std::uint32_t its_last, std::uint32_t its_bucket) const {
    ShardedProperty property = *this;
    property.last = its_last;
    property.bucket = its_bucket;
    return property;
  }
};
template <class Entity, class Shard, class T>
ShardedProperty(const char*, Shards, T Entity::*, T Shard::*, T (*)(T, const T&), bool = false)
    -> ShardedProperty<Entity, Shard, T>;

/// Entities in the order of some of their properties. `Key` and `Order` are tuples of `Property`: what is
/// looked for, and what those of the same key are sorted by.
template <class Key, class Order = std::tuple<>>
struct Index {
  std::string_view name;
  Key key;
  Order order{};
  std::uint32_t shards = 1;  ///< spread over so many, by a hash of key and order
  bool unique = false;       ///< not two entities of the same key
  /// Of a ranked index, an index of a sharded property: after how many seconds an entity that was updated,
  /// and is not any more, has its new place in it at last. 0: of properties in the main record, and never
  /// late.
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

/// What `mapper.range` calls the index at `kPlace` in `Traits<E>::indexes()`: `LogEntry::ByCompany` is one.
template <class E, std::size_t kPlace>
struct IndexOf;

/// A name under which records may still hold a property, and the one it has now. Those of a property with
/// bounds are in the order in which it had them, the oldest first.
struct FormerName {
  std::string_view former;
  std::string_view name;
};

/// The `Shard` of an entity that has no sharded member.
struct NoShard {};

/// What the mapper notes in a companion. Not part of the entity's value: it compares equal to any other, so
/// that the entity's defaulted comparisons mean what they meant before.
/// A copy of an entity carries the updates that are not saved yet, as it carries the values: save one of
/// them.
template <class Shard = NoShard>
struct State {
  std::uint64_t version = 0;  ///< of the main record that was loaded or saved last; 0: neither yet
  Shard pending{};            ///< updates since then, folded

  friend constexpr bool operator==(const State&, const State&) noexcept { return true; }
  friend constexpr std::strong_ordering operator<=>(const State&, const State&) noexcept {
    return std::strong_ordering::equal;
  }
};

namespace detail {
template <class T, T kValue>
struct Constant;

template <auto kOne, class T>
concept ConstantOf = requires {
  typename Constant<T, kOne>;
};
}  // namespace detail

/// Whether two pointers to methods name the same one. That the type of `kOne` tells of a `noexcept` and the
/// other's does not makes no difference.
template <auto kOne, auto kOther>
inline constexpr bool kSameMethod = false;
template <auto kOne, auto kOther>
requires detail::ConstantOf<kOne, decltype(kOther)>
inline constexpr bool kSameMethod<kOne, kOther> =
    std::is_same_v<detail::Constant<decltype(kOther), kOne>, detail::Constant<decltype(kOther), kOther>>;

/// Always false, but only known to be once `kMethod` is: for a `static_assert` in a branch not to be taken.
template <auto kMethod>
inline constexpr bool kNotAShardMethod = false;

}  // namespace autoshard
