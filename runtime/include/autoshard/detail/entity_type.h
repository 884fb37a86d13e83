#pragma once

#include <autoshard/codec.h>
#include <autoshard/detail/expiry.h>
#include <autoshard/detail/id.h>
#include <autoshard/detail/index_type.h>
#include <autoshard/detail/sharded_property_type.h>
#include <autoshard/generated.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

/// An entity's traits as plain pointers, so that the code of the mapper is written and compiled once.
namespace autoshard::detail {

/// An entity's `Shard` for code that does not know its type.
struct ShardType {
  std::size_t size;
  std::size_t alignment;
  void (*construct)(void* at);         ///< constructs a neutral shard
  void (*move)(void* from, void* at);  ///< constructs a shard at `at`
  void (*destroy)(void* shard);
};

struct EntityType {
  std::string_view kind;
  const std::type_info* entity_class;
  std::size_t properties;
  void (*encode_properties)(Encoder& out, const void* entity);  ///< the name and the value of each property
  /// Returns false, and reads nothing, if there is no such property.
  bool (*decode_property)(Decoder& in, std::string_view name, void* entity);
  std::size_t (*place)(std::string_view name);  ///< index of a property; `properties` if there is none
  ShardType shard;
  std::span<const ShardedPropertyType> sharded;
  std::span<const FormerName> former_names;
  std::span<const IndexType> indexes;
  std::shared_ptr<void> (*make)(EntityKeyView key);  ///< an entity of this key with default members
  ExpiresAt expires_at;                              ///< null in a class whose entities never expire
  bool has_windows;                                  ///< one of the sharded properties is a window

  bool has_property(std::string_view name) const { return place(name) < properties; }
  /// Whether the meaning of an entity's records changes as time passes.
  constexpr bool needs_clock() const { return expires_at != nullptr || has_windows; }
};

/// The state of an entity before a save ran the hooks of its class.
struct BeforeHooks {
  std::string properties;              ///< their names and values, encoded
  std::optional<std::int64_t> expiry;  ///< when the entity expires
  std::uint64_t version = 0;           ///< of its main record
};

/// An entity that the application passes to a call; valid during the call.
struct EntityRef {
  const EntityType& type;
  EntityKey key;
  void* entity;
  std::uint64_t* version;
  void* pending;
  /// Of a save; null if no hook ran.
  std::shared_ptr<const BeforeHooks> before_hooks{};
  /// Of a new entity: whether it may have values that updates could not have led to, such as one outside of
  /// bounds that have become narrower.
  bool is_copy = false;
};

template <class Shard>
inline constexpr ShardType kShardType = {
    .size = sizeof(Shard),
    .alignment = alignof(Shard),
    .construct = [](void* at) { new (at) Shard{}; },
    .move = [](void* from, void* at) { new (at) Shard(std::move(*static_cast<Shard*>(from))); },
    .destroy = [](void* shard) { static_cast<Shard*>(shard)->~Shard(); },
};

template <class E>
std::shared_ptr<void> make_shared_entity(EntityKeyView key) {
  return std::make_shared<E>(make_entity<E>(read_id<typename Traits<E>::Id>(key)));
}

constexpr bool has_windows(std::span<const ShardedPropertyType> properties) {
  for (const ShardedPropertyType& property : properties) {
    if (property.is_timed()) return true;
  }
  return false;
}

template <class E>
inline constexpr EntityType kEntityType = {
    .kind = Traits<E>::kKind,
    .entity_class = &typeid(E),
    .properties = std::tuple_size_v<decltype(Traits<E>::properties())>,
    .encode_properties =
        [](Encoder& out, const void* entity) {
          std::apply(
              [&](const auto&... property) {
                ((out.text(property.name),
                  encode<Traits<E>>(out, static_cast<const E*>(entity)->*property.member)),
                 ...);
              },
              Traits<E>::properties());
        },
    .decode_property =
        [](Decoder& in, std::string_view name, void* entity) {
          return decode_property<Traits<E>>(Traits<E>::properties(), in, name, *static_cast<E*>(entity));
        },
    .place =
        [](std::string_view name) {
          return std::apply(
              [&](const auto&... property) {
                std::size_t place = 0;
                static_cast<void>(((property.name == name || (++place, false)) || ...));
                return place;
              },
              Traits<E>::properties());
        },
    .shard = kShardType<typename Traits<E>::Shard>,
    .sharded = kShardedPropertyTypes<E>,
    .former_names = former_names<E>(),
    .indexes = kIndexTypes<E>,
    .make = make_shared_entity<E>,
    .expires_at = expires_at<E>(),
    .has_windows = has_windows(kShardedPropertyTypes<E>),
};

/// Registers a class of entities with the operations that concern all classes of the program. Returns true.
bool note_entity_type(const EntityType& type);
/// Returns the registered classes with sharded properties.
std::vector<const EntityType*> entity_types();
/// Returns the registered classes whose entities may expire.
std::vector<const EntityType*> expiring_types();

/// Registers the class when the program begins, if it is used anywhere.
template <class E>
inline const bool kIsNoted = note_entity_type(kEntityType<E>);

/// Registers the kind of this class. Returns false if another class of the kind was registered before.
bool note_kind(const EntityType& type);
/// Throws `InvalidUse` if another class of the kind was registered before.
void refuse_second_class(const EntityType& type);
/// For tests whose programs have several versions of a class: allows all of them.
void allow_versions_of_classes(bool are_allowed);

/// Registers the kind of the class when the program begins, if the class is used anywhere. False until then.
template <class E>
inline const bool kIsFirstOfKind = note_kind(kEntityType<E>);

/// Returns the type of an entity that is used. Throws `InvalidUse` if two classes have the same kind, because
/// their records would be mixed.
template <class E>
const EntityType& entity_type() {
  if (!kIsFirstOfKind<E>) refuse_second_class(kEntityType<E>);
  return kEntityType<E>;
}

/// Is not constexpr, so a call of it at compile time is an error, and compilers print its name.
inline void the_entity_has_no_sharded_property_of_this_name() {}

/// The name of a sharded property of E, as in records and in `--explain`. Any other name does not compile.
template <class E>
class ShardedName {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): `set_shards<Question>(42, "votes", 16)` is to read well
  consteval ShardedName(const char* name) {
    const auto& types = kShardedPropertyTypes<E>;
    while (place_ < types.size() && types[place_].name != name) ++place_;
    if (place_ == types.size()) the_entity_has_no_sharded_property_of_this_name();
  }
  constexpr std::size_t place() const { return place_; }

 private:
  std::size_t place_ = 0;
};

template <class E>
EntityRef entity_ref(E& entity) {
  State<typename Traits<E>::Shard>& state = Traits<E>::state(entity);
  return {entity_type<E>(), entity_key(Traits<E>::kKind, id_of(entity)),
          &entity,          &state.version,
          &state.pending,   nullptr};
}

}  // namespace autoshard::detail
