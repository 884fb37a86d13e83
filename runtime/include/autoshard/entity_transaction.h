#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/detail/hooks.h>
#include <autoshard/detail/operations.h>
#include <autoshard/generated.h>
#include <autoshard/token.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace autoshard {

namespace detail {

template <class Function, class C>
C class_of(Function C::*);

template <auto kMethod>
using ClassOf = decltype(class_of(kMethod));

/// Accepts any argument, so that the compiler reports the class of the method as the error.
struct IdOfNoEntity {
  template <class Id>
  IdOfNoEntity(const Id&) {}
  IdOfNoEntity(std::initializer_list<IdOfNoEntity>) {}
};

template <class E>
struct FindId {
  using Type = IdOfNoEntity;
};
template <Persisted E>
struct FindId<E> {
  using Type = typename Traits<E>::Id;
};

template <class E>
using IdOf = typename FindId<E>::Type;

template <class E>
struct HasCompanion {
  static_assert(
      Persisted<E>,
      "this class has no companion: mark it as [[autoshard::entity]], name its header after HEADERS in "
      "autoshard_generate(), and include the generated header instead of the original one");
};

/// Fails to compile at the call, before any other error of the caller is reported.
template <class E>
constexpr HasCompanion<E> needs_companion() {
  return {};
}

/// Always false, but dependent on `Function`: for a `static_assert` in a branch that must not be taken.
template <class Function>
inline constexpr bool kCannotBeCalled = false;

/// Returns a neutral `Shard` to which the change was made.
template <class E, class Change>
auto shard_changed_by(Change&& change) {
  typename Traits<E>::Shard shard{};
  if constexpr (std::is_invocable_v<Change, typename Traits<E>::Shard&>) {
    std::forward<Change>(change)(shard);
  } else {
    static_assert(kCannotBeCalled<Change>,
                  "update calls the function with a Shard of the entity, which has the sharded members "
                  "alone: take the parameter by `auto&`, as in "
                  "[](auto& shard) { shard.voteUp(); }");
  }
  return shard;
}

}  // namespace detail

/// The argument of the function that `Mapper::transact` calls: several entities in one commit. Used by one
/// thread, within that call.
///
/// Main records are read and written in one transaction of the store. All of them are written, or none, and
/// only if no main record that was read here, or found absent, has changed. Updates of sharded properties are
/// collected meanwhile and committed right after it, each entity's in a transaction of its own. So a conflict
/// at a hot shard never repeats the function, and never undoes the main records. Therefore:
/// - the sharded values that `load` returns are those of an instant during the transaction, and are not
///   validated at the commit;
/// - another reader may see the main records before the updates, and a crash in between loses the updates;
/// - if the updates of an entity cannot be committed, for any reason, those of the other entities are
///   committed all the same, and `transact` throws `OutcomeUnknown`. Its message names the entities of which
///   no update was made: those whose updates have to be applied again, and those whose updates together
///   exceed a bound. It names separately the entities whose updates have an unknown outcome, and those of
///   which only some were made: that is possible if the type of a bounded property has no room for their sum;
/// - the updates of an entity that is erased right after the commit vanish with it.
///
/// A call that throws has done nothing: the application may catch the exception, and the transaction commits
/// the other calls. Updates of one entity are folded after the work and before the commit; if a fold throws
/// then, nothing is written, and `transact` passes the exception on.
class EntityTransaction {
 public:
  EntityTransaction(const EntityTransaction&) = delete;
  EntityTransaction& operator=(const EntityTransaction&) = delete;

  /// As `Mapper::load`, with this transaction's changes so far. Throws `BoundExceeded` if they take a
  /// property to a value that its type cannot hold.
  template <class E>
  std::optional<E> load(const detail::IdOf<E>& id) {
    detail::needs_companion<E>();
    std::optional<E> entity(detail::make_entity<E>(id));
    if (do_load(detail::entity_ref(*entity))) {
      detail::after_load(*entity);
    } else {
      entity.reset();
    }
    return entity;
  }

  /// As `Mapper::save`, but leaves the entity object unchanged, because it may be destroyed before the
  /// commit. To use the entity afterwards, here or outside, load it again: a second save of the same object
  /// throws `StaleEntity`. `before_save` runs on a copy, and the copy is saved. If an entity ends in this
  /// transaction, by an erase or by the expiry time that a save gives it, a new entity of its id cannot be
  /// saved here: `StaleEntity`.
  template <class E>
  void save(const E& entity) {
    detail::needs_companion<E>();
    if constexpr (detail::kHasBeforeSave<E>) {
      static_assert(std::is_copy_constructible_v<E>,
                    "a class with a method before_save must be copyable to be saved in a transaction");
      E copy = entity;
      detail::before_save(copy);
      save_as_it_is(copy);
    } else {
      save_as_it_is(entity);
    }
  }

  /// As `Mapper::apply`, without a token.
  template <auto kMethod, class... Args>
  void apply(const detail::IdOf<detail::ClassOf<kMethod>>& id, Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    static_assert(
        !detail::kBeginsWithToken<Args...>,
        "an update in a transaction cannot have a token: only apply, apply_async and update of a Mapper do");
    update<E>(id, [&](auto& shard) { Traits<E>::template run<kMethod>(shard, std::forward<Args>(args)...); });
  }

  /// As `Mapper::update`, without a token.
  template <class E, class Change>
  void update(const detail::IdOf<E>& id, Change&& change) {
    detail::needs_companion<E>();
    auto shard = detail::shard_changed_by<E>(std::forward<Change>(change));
    do_update(detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id), share(std::move(shard)));
  }

  template <class E, class Change>
  void update(const detail::IdOf<E>&, const token&, Change&&) {
    static_assert(
        detail::kCannotBeCalled<Change>,
        "an update in a transaction cannot have a token: only apply, apply_async and update of a Mapper do");
  }

  /// As `Mapper::erase`.
  template <class E>
  bool erase(const detail::IdOf<E>& id) {
    detail::needs_companion<E>();
    return do_erase(detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id));
  }

  /// As `Mapper::exists`.
  template <class E>
  bool exists(const detail::IdOf<E>& id) {
    detail::needs_companion<E>();
    return do_exists(detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id));
  }

 private:
  friend void detail::transact(detail::MapperCore& core, const std::function<void(EntityTransaction&)>& work);

  /// Holds the reads and changes of the transaction.
  class Work;

  explicit EntityTransaction(Work& work) : work_(work) {}

  template <class Shard>
  static std::shared_ptr<void> share(Shard shard) {
    return std::make_shared<Shard>(std::move(shard));
  }

  template <class E>
  void save_as_it_is(const E& entity) {
    // The traits give access to mutable members only; this function does not change the entity.
    do_save(detail::entity_ref(const_cast<E&>(entity)),
            share(Traits<E>::state(const_cast<E&>(entity)).pending));
  }

  bool do_load(const detail::EntityRef& entity);
  void do_save(const detail::EntityRef& entity, std::shared_ptr<void> pending);
  void do_update(const detail::EntityType& type, detail::EntityKeyView key, std::shared_ptr<void> shard);
  bool do_erase(const detail::EntityType& type, detail::EntityKeyView key);
  bool do_exists(const detail::EntityType& type, detail::EntityKeyView key);

  Work& work_;
};

}  // namespace autoshard
