#pragma once

#include <autoshard/adaptive.h>
#include <autoshard/cached.h>
#include <autoshard/completion.h>
#include <autoshard/detail/batch.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/detail/hooks.h>
#include <autoshard/detail/included.h>
#include <autoshard/detail/operations.h>
#include <autoshard/durability.h>
#include <autoshard/entity_transaction.h>
#include <autoshard/generated.h>
#include <autoshard/options.h>
#include <autoshard/store.h>
#include <autoshard/token.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace autoshard {

class Mapper;
template <Persisted E, class Row = E>
class Query;  // defined in <autoshard/query.h>
template <Persisted E, class Container>
class Elements;   // defined in <autoshard/elements.h>
class ElementId;  // defined in <autoshard/elements.h>
template <Persisted E>
class Range;  // defined in <autoshard/range.h>

namespace detail {
template <class Container>
struct ElementOf;  // defined in <autoshard/elements.h>
/// For operations that other headers declare, such as `autoshard/admin.h`.
MapperCore& core_of(const Mapper& mapper);
}  // namespace detail

/// Keeps entities in a store. Thread-safe; one mapper serves the whole process. The store must outlive it.
///
/// A mapper may have static storage duration if its store and its shared cache are constructed before it. The
/// runtime never destroys its own static objects. At exit the destructor of the mapper commits buffered
/// updates. Threads of the application must have stopped using the mapper by then.
///
/// A call is durable once it returns, as far as the store's traits promise it. `apply_async` is durable once
/// its completion is ready. `MapperOptions::durability` can change that for updates.
///
/// The comment of each function names its errors. Besides those, every function may throw `StoreUnavailable`
/// and `CorruptRecord`. A function that writes may also throw `Contention`, `CommitTooLarge` and
/// `OutcomeUnknown`, the last one only if the outcome of a commit cannot be found out after its
/// acknowledgement was lost. Exceptions from the application's own methods, lambdas and hooks pass through;
/// nothing is written then, except that a `save` may have written the main record.
///
/// Hooks: `before_save` runs once in each call that saves an entity, before anything is written, even if
/// nothing has changed. `after_load` runs on each whole entity that is read, once its members are filled in.
/// If only sharded members were changed before `before_save` ran, `save` does not write the main record, and
/// restores the members that the hook changed. So two users who load, vote and save do not conflict because
/// of an `updated_at` that the hook sets. A save that fails before it has saved the main record restores
/// them, too. A transaction writes every main record that it saves. Exports and imports of JSON run no hooks.
///
/// Expiry: a class may have a member that says when an entity expires. From that instant on the entity is
/// gone, by the clock of the mapper that is called. It is not loaded, queries do not find it, an update of it
/// throws `NotFound`, and another entity of its id can be created. A call judges all entities by one instant
/// (see `MapperOptions::clock`). The records of an expired entity are removed later, by `admin::compact` or
/// by a maintenance thread in a program that uses the class (see `MapperOptions::compact_every`). A save that
/// changes the member changes the end.
class Mapper {
 public:
  using Options = MapperOptions;

  /// Throws `StoreUnavailable` if the store lacks transactions over several records, or snapshots.
  explicit Mapper(Store& store, Options options = {});
  ~Mapper();
  Mapper(const Mapper&) = delete;
  Mapper& operator=(const Mapper&) = delete;

  /// Writes the entity. The main record is written if it has changed. The updates to sharded properties since
  /// the last load or save are committed in a transaction of their own, each into one shard; an addition to a
  /// group becomes a record for each element.
  ///
  /// A new entity is created: `StaleEntity` if its id is taken. For any other entity: `StaleEntity` if
  /// another caller has saved it since it was loaded, `NotFound` if it was erased. `NotUnique` if another
  /// entity has its key of a unique index. `KeyTooLong` if the store has no room for its id, or for its key
  /// of an index.
  ///
  /// The entity records which parts were committed, even if the save then fails. So after `Contention` or
  /// `StoreUnavailable` the same entity can be saved again: nothing is lost and nothing is counted twice.
  /// After `BoundExceeded` the main record is saved and none of the updates is; load the entity again to go
  /// on. After `OutcomeUnknown` the committed parts are not known: load the entity and look.
  template <class E>
  void save(E&& entity) {
    static_assert(!std::is_const_v<std::remove_reference_t<E>>,
                  "save stores its result in the entity: pass an entity that is not const");
    detail::needs_companion<std::remove_cvref_t<E>>();
    static_cast<void>(&detail::kIsNoted<std::remove_cvref_t<E>>);
    detail::save(*core_, detail::entity_to_save<std::remove_cvref_t<E>>(entity));
  }

  /// Saves each of these entities as `save` of one entity does, in few commits: one commit for the main
  /// records and first values of up to 128 entities, and another for their updates. Takes any range of
  /// entities, or of optionals or pointers, which may be empty; the result of `load` with several ids is such
  /// a range. The call is not atomic; see `transact` for that. An entity that cannot be saved does not stop
  /// the others: the call throws `BatchFailed` at the end, with an error for each failed entity, and no other
  /// error of a store. After `StoreUnavailable` for one entity, the rest are not attempted.
  template <detail::EntityRange Entities>
  requires(!Persisted<std::remove_cvref_t<Entities>>) void save(Entities&& entities) {
    save_all(entities, [](auto& entity) { return detail::entity_to_save(entity); });
  }

  /// Returns the entity of this id with every shard folded in, all as of one instant. Empty if there is no
  /// such entity.
  template <class E>
  std::optional<E> load(const detail::IdOf<E>& id) const {
    detail::needs_companion<E>();
    std::optional<E> entity(detail::make_entity<E>(id));
    if (detail::load(*core_, detail::entity_ref(*entity))) {
      detail::after_load(*entity);
    } else {
      entity.reset();
    }
    return entity;
  }

  /// Returns the entities of these ids (a range of ids), in the order of the range and as of one instant.
  /// Each is what `load` of its id returns. Takes one round trip for every 128 ids if the store can do that.
  template <class E, detail::IdsOf<E> Ids>
  std::vector<std::optional<E>> load(const Ids& ids) const {
    std::vector<std::optional<E>> entities;
    for (const auto& id : ids) entities.emplace_back(detail::make_entity<E>(id));
    std::vector<detail::EntityRef> places;
    for (std::optional<E>& entity : entities) places.push_back(detail::entity_ref(*entity));
    const std::vector<bool> are_there = detail::load(*core_, places);
    for (std::size_t i = 0; i < entities.size(); ++i) {
      if (are_there[i]) {
        detail::after_load(*entities[i]);
      } else {
        entities[i].reset();
      }
    }
    return entities;
  }

  /// As `load`, but may return a copy that an earlier load with `cached` made. The copy is at most as old as
  /// `how` allows, and this mapper has not changed the entity since. The copy is one of this process, or of
  /// any process for `cached::where::shared`. A copy costs no read of the store. Absent entities are never
  /// cached. The mapper keeps about the 65,536 entities that it loaded last in this way, as `after_load` left
  /// them.
  template <class E>
  std::optional<E> load(const detail::IdOf<E>& id, cached how) const {
    detail::needs_companion<E>();
    static_assert(std::is_copy_constructible_v<E>, "a class that cannot be copied cannot be cached");
    const detail::ReusedKey key(Traits<E>::kKind, id);
    if (const auto kept = detail::find_kept(*core_, detail::entity_type<E>(), *key, how))
      return *static_cast<const E*>(kept.get());
    std::optional<E> entity;
    const auto make = [&] {
      entity.emplace(detail::make_entity<E>(id));
      return detail::entity_ref(*entity);
    };
    bool is_kept = false;
    const auto copy = [&] {
      detail::after_load(*entity);
      is_kept = true;
      return std::make_shared<const E>(*entity);
    };
    if (!detail::load_cached(*core_, detail::entity_type<E>(), how, make, copy)) return std::nullopt;
    if (!is_kept) detail::after_load(*entity);
    return entity;
  }

  /// Runs a shard method on the entity of this id. Writes to one shard and loads nothing. The method runs
  /// once, on a neutral value. `NotFound` if there is no such entity.
  template <auto kMethod, class... Args>
  requires(!detail::kBeginsWithToken<Args...>) void apply(const detail::IdOf<detail::ClassOf<kMethod>>& id,
                                                          Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    auto shard = shard_after<kMethod>(std::forward<Args>(args)...);
    detail::update(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id), &shard, {});
  }
  /// As `apply` without a token. Does nothing if an update with this token was already counted for the
  /// entity.
  template <auto kMethod, class... Args>
  void apply(const detail::IdOf<detail::ClassOf<kMethod>>& id, const token& token, Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    auto shard = shard_after<kMethod>(std::forward<Args>(args)...);
    detail::update(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id), &shard,
                   token.bytes());
  }

  /// Calls `change` once with a neutral `Shard` of E, on which it may call any number of shard methods, and
  /// commits the result. `NotFound` if there is no such entity.
  template <class E, class Change>
  void update(const detail::IdOf<E>& id, Change&& change) {
    detail::needs_companion<E>();
    static_cast<void>(&detail::kIsNoted<E>);
    auto shard = detail::shard_changed_by<E>(std::forward<Change>(change));
    detail::update(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id), &shard, {});
  }
  /// As `update` without a token. Does nothing if an update with this token was already counted for the
  /// entity.
  template <class E, class Change>
  void update(const detail::IdOf<E>& id, const token& token, Change&& change) {
    detail::needs_companion<E>();
    static_cast<void>(&detail::kIsNoted<E>);
    auto shard = detail::shard_changed_by<E>(std::forward<Change>(change));
    detail::update(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id), &shard,
                   token.bytes());
  }

  /// Waits until every update that was acknowledged before the call is committed. `UpdatesLost` if some could
  /// not be committed.
  void flush();

  /// As `apply`, without waiting for the commit: one thread can have thousands of updates in flight. The
  /// method runs before the call returns, and its exceptions come out of the call. `Completion` tells the
  /// caller of the commit.
  ///
  /// While `MapperOptions::max_in_flight` updates are in flight, the call waits until one is committed, in
  /// first come, first served order. Callbacks of completions do not wait. The destructor of the mapper waits
  /// for all updates in flight and for their callbacks.
  template <auto kMethod, class... Args>
  requires(!detail::kBeginsWithToken<Args...>) Completion
      apply_async(const detail::IdOf<detail::ClassOf<kMethod>>& id, Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    auto shard = shard_after<kMethod>(std::forward<Args>(args)...);
    return detail::update_async(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id),
                                &shard, {});
  }
  /// As `apply_async` without a token. Does nothing if an update with this token was already counted for the
  /// entity.
  template <auto kMethod, class... Args>
  Completion apply_async(const detail::IdOf<detail::ClassOf<kMethod>>& id, const token& token,
                         Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    auto shard = shard_after<kMethod>(std::forward<Args>(args)...);
    return detail::update_async(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id),
                                &shard, token.bytes());
  }

  /// Removes the entity; returns false if there was none. An update belongs to the entity that its first
  /// attempt finds: it either precedes the erase or ends with `NotFound`, and no later entity of this id
  /// counts it. The first attempt of an asynchronous update may run after `apply_async` has returned. Before
  /// a mapper erases or creates an entity, it finishes all asynchronous and buffered updates of this id that
  /// it accepted earlier. An update that another thread or process has called, but that has not read the
  /// entity yet, counts in the entity that it will find.
  template <class E>
  bool erase(const detail::IdOf<E>& id) {
    detail::needs_companion<E>();
    return detail::erase(*core_, detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id));
  }

  /// Removes the entities of these ids (a range of ids) as `erase` of one id does, in two commits for every
  /// 128. Returns the number of entities removed. The call is not atomic: after an error some entities may be
  /// gone; call it again.
  template <class E, detail::IdsOf<E> Ids>
  std::uint64_t erase(const Ids& ids) {
    std::vector<detail::EntityKey> keys;
    for (const typename Traits<E>::Id& id : ids) keys.push_back(detail::entity_key(Traits<E>::kKind, id));
    return detail::erase(*core_, detail::entity_type<E>(), keys);
  }

  /// Returns whether there is an entity of this id.
  template <class E>
  bool exists(const detail::IdOf<E>& id) const {
    detail::needs_companion<E>();
    return detail::exists(*core_, detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id));
  }

  // The definitions of the following functions are in other headers, which a source that calls them includes.

  /// Selects the entities of a class that fulfil the condition. See `Query` for orders, limits and results.
  /// Needs `#include <autoshard/query.h>`.
  template <Persisted E>
  detail::OfQueryHeader<Query<E>> query(const Condition<E>& condition = {}) const;

  /// Gives access to the elements of a group of this entity: `mapper.elements(42, q::responses)`, where q is
  /// `Fields<Question>`. `Elements` describes how to page through them. Needs
  /// `#include <autoshard/elements.h>`, as do the next two functions.
  template <Persisted E, class Container>
  detail::OfElementsHeader<Elements<E, Container>> elements(const typename Traits<E>::Id& id,
                                                            const Field<E, Container>& group) const;

  /// Removes one element of a group; returns false if the element or the entity is absent. For a set or map,
  /// content that an earlier version of the class has left may hold an equal element. The call then compacts
  /// the group first. To find such content, it reads about one sixteenth of the elements, twice. Throws
  /// `CommitTooLarge` if the content is too large to compact, and `OutcomeUnknown` if programs of that
  /// version keep writing the element, or the store fails at the end.
  template <Persisted E, class Container>
  detail::OfElementsHeader<Elements<E, Container>, bool> erase_element(const typename Traits<E>::Id& id,
                                                                       const Field<E, Container>& group,
                                                                       const ElementId& element);

  /// Replaces the value of an element of a sequence or a map. The key of a map's element stays: `InvalidUse`
  /// if `value` has another key. `NotFound` if the element is absent.
  template <Persisted E, class Container>
  detail::OfElementsHeader<Elements<E, Container>, void> replace_element(
      const typename Traits<E>::Id& id, const Field<E, Container>& group, const ElementId& element,
      typename detail::ElementOf<Container>::Type value);

  /// Selects the entities of one key of an index: `mapper.range<LogEntry::ByCompany>("Acme")`. A key of
  /// several members is a tuple. See `Range`. Needs `#include <autoshard/range.h>`.
  template <class I>
  Range<typename detail::OfRangeHeader<I>::Entity> range(
      const typename detail::OfRangeHeader<I>::Key& key) const;
  /// Selects the entities of the key whose order is at least `from` and below `to`.
  template <class I>
  Range<typename detail::OfRangeHeader<I>::Entity> range(const typename detail::OfRangeHeader<I>::Key& key,
                                                         const typename I::Order& from,
                                                         const typename I::Order& to) const;

  /// Calls `work` with an `EntityTransaction&`, commits its changes to any number of entities, and returns
  /// its result. `EntityTransaction` says what is committed atomically. `work` is called again after a
  /// conflict, so its other side effects must allow repetition.
  template <class Work>
  auto transact(Work&& work) {
    if constexpr (std::is_invocable_v<Work&, EntityTransaction&>) {
      using Result = std::invoke_result_t<Work&, EntityTransaction&>;
      if constexpr (std::is_void_v<Result>) {
        detail::transact(*core_, [&](EntityTransaction& transaction) { work(transaction); });
      } else {
        static_assert(!std::is_reference_v<Result>,
                      "the function of transact must return a value, not a reference");
        std::optional<Result> result;
        detail::transact(*core_, [&](EntityTransaction& transaction) {
          result.reset();
          result.emplace(work(transaction));
        });
        return Result(*std::move(result));
      }
    } else {
      static_assert(
          detail::kCannotBeCalled<Work>,
          "transact calls the function with an EntityTransaction&, which cannot be copied: take it by "
          "reference, as in [](EntityTransaction& transaction) { … }");
    }
  }

 private:
  /// Returns the result of running the method on a neutral value.
  template <auto kMethod, class... Args>
  static auto shard_after(Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    static_cast<void>(&detail::kIsNoted<E>);
    typename Traits<E>::Shard shard{};
    Traits<E>::template run<kMethod>(shard, std::forward<Args>(args)...);
    return shard;
  }

  friend detail::MapperCore& detail::core_of(const Mapper& mapper);
  friend struct detail::JsonTransfer;

  /// As `save`, without hooks, and also with values outside of their bounds.
  template <class Entities>
  void save_as_they_are(Entities& entities) {
    save_all(entities, [](auto& entity) {
      detail::EntityRef copy = detail::entity_ref(entity);
      copy.is_copy = true;
      return copy;
    });
  }

  template <class Entities, class Ref>
  void save_all(Entities& entities, Ref ref) {
    using E =
        std::remove_pointer_t<decltype(detail::entity_in(*std::declval<detail::range::Begin<Entities>>()))>;
    static_cast<void>(&detail::kIsNoted<E>);
    std::vector<detail::EntityRef> given;
    std::vector<std::size_t> places;
    std::size_t place = 0;
    try {
      for (auto&& element : entities) {
        if (E* entity = detail::entity_in(element)) {
          if (given.size() == given.capacity()) given.reserve(2 * given.size() + 1);  // before the hook runs
          given.push_back(ref(*entity));
          places.push_back(place);
        }
        ++place;
      }
    } catch (...) {
      for (; !given.empty(); given.pop_back()) detail::undo_hooks(given.back());
      throw;
    }
    detail::save(*core_, given, places);
  }

  std::unique_ptr<detail::MapperCore> core_;
};

inline detail::MapperCore& detail::core_of(const Mapper& mapper) { return *mapper.core_; }

}  // namespace autoshard
