#pragma once

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace autoshard {

template <class E>
struct Traits;

/// Refers to an entity E by its id, and is stored as the id. `Id` is the type that `load<E>` takes. The
/// entity may be absent: a reference does not keep it from being erased.
///
/// This is the one header of AutoShard that annotated classes may include. E may be incomplete; it needs to
/// be an entity only where it is loaded.
template <class E, std::default_initializable Id>
class Ref {
 public:
  /// Refers to the entity with the default id.
  Ref() = default;
  explicit Ref(Id id) : id_(std::move(id)) {}

  const Id& id() const { return id_; }

  /// Reads the entity from the store on every call. Returns an empty optional if the entity is absent.
  /// `source` is a `Mapper` or an `EntityTransaction`; throws what its `load` throws.
  template <class Source>
  std::optional<E> load(Source& source) const {
    static_assert(std::is_same_v<Id, typename Traits<E>::Id>, "this is not the type of the entity's id");
    return source.template load<E>(id_);
  }

  friend bool operator==(const Ref&, const Ref&) = default;

 private:
  Id id_{};
};

}  // namespace autoshard
