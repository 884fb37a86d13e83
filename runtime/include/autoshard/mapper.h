#pragma once

#include <autoshard/adaptive.h>
#include <autoshard/cached.h>
#include <autoshard/completion.h>
#include <autoshard/detail/batch.h>
#include <autoshard/detail/entity_type.h>
#include <autoshard/detail/hooks.h>
#include <autoshard/detail/operations.h>
#include <autoshard/durability.h>
#include <autoshard/elements.h>
#include <autoshard/entity_transaction.h>
#include <autoshard/generated.h>
#include <autoshard/options.h>
#include <autoshard/query.h>
#include <autoshard/range.h>
#include <autoshard/store.h>
#include <autoshard/token.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace autoshard {

class Mapper;
namespace detail {
/// For operations that other headers declare, such as `autoshard/admin.h`.
MapperCore& core_of(const Mapper& mapper);
}  // namespace detail

/// Keeps entities in a store. Thread-safe; make one for the process. The store must outlive it.
///
/// A mapper may be of static storage, as long as its store and its shared cache are constructed before it.
/// What the runtime keeps for itself is never destroyed. At exit the destructor of the mapper commits what is
/// buffered; threads of the application must not use the mapper any more by then.
///
/// Every call is durable, as far as the store's traits promise it, once it returns (for `apply_async`: once
/// its completion is ready), unless `MapperOptions::durability` says otherwise. Apart from the errors
/// that are named below, each may throw `StoreUnavailable`, `CorruptRecord` and, if it writes, `Contention`,
/// `CommitTooLarge` and `OutcomeUnknown`, this one only if a lost acknowledgement cannot be made up for: see
/// there. Exceptions out of the application's own methods and lambdas pass through; nothing is written then.
/// That goes for the hooks of a class too: `before_save` runs once in each call that saves an entity, before
/// anything is written, even if nothing has changed; `after_load` on each whole entity that is read, once it
/// is filled in. If only sharded members were changed before `before_save` ran, `save` does not write the
/// main record, and takes back what the hook has changed in the entity: two users who load, vote and save do
/// not meet because of an `updated_at` that the hook sets. A transaction writes each main record that it
/// saves. Exports and imports of JSON run no hooks.
///
/// An entity whose class has a member that says when it expires is gone from that instant on, by the clock of
/// whoever asks: it is not loaded, found by queries or updated (`NotFound`), and another one of its id can be
/// created. A call judges all entities by one instant (see `MapperOptions::clock`). The records of an entity
/// that has expired are removed some time later, by a thread of a mapper in a program that uses the class
/// (see `MapperOptions::compact_every`), or by `admin::compact`. A save that moves the time moves the end.
class Mapper {
 public:
  using Options = MapperOptions;

  /// Throws `StoreUnavailable` if the store lacks transactions over several records or snapshots.
  explicit Mapper(Store& store, Options options = {});
  ~Mapper();
  Mapper(const Mapper&) = delete;
  Mapper& operator=(const Mapper&) = delete;

  /// Writes the entity: its main record if that changed, and in a transaction of its own the updates to
  /// sharded properties since it was loaded or saved last, into one shard each, or what was added to a group
  /// into a record for each element.
  ///
  /// A new entity is created: `StaleEntity` if its id is taken. Any other must not have been saved by
  /// somebody else since it was loaded, `StaleEntity`, nor erased, `NotFound`. `NotUnique` if another has its
  /// key of a unique index, `KeyTooLong` if the store has no room for its id, or for its key of an index.
  ///
  /// What has been committed is noted in the entity even when the save then fails, so that after `Contention`
  /// or `StoreUnavailable` the same entity can be saved again: nothing is lost and nothing counted twice.
  /// After `BoundExceeded` the main record is saved, and none of the updates is: to go on, load it again.
  /// After `OutcomeUnknown` that is not certain: load the entity and look.
  template <class E>
  void save(E&& entity) {
    static_assert(!std::is_const_v<std::remove_reference_t<E>>,
                  "save notes in the entity what it has written: pass one that is not const");
    detail::needs_companion<std::remove_cvref_t<E>>();
    static_cast<void>(&detail::kIsNoted<std::remove_cvref_t<E>>);
    detail::save(*core_, detail::entity_to_save<std::remove_cvref_t<E>>(entity));
  }

  /// Each of them as `save` does it alone, in few commits: main records, and first values, of up to 128
  /// entities in one, their updates in another. Takes any range of entities, or of optionals and pointers,
  /// which may be empty: what a `load` of several ids gave, too. Not all or none; see `transact` for that.
  /// One that cannot be saved leaves the others alone: `BatchFailed` in the end, with an error for each; no
  /// other one of a store. After `StoreUnavailable` for one, those that are left are not attempted.
  template <detail::EntityRange Entities>
  requires(!Persisted<std::remove_cvref_t<Entities>>) void save(Entities&& entities) {
    save_all(entities, [](auto& entity) { return detail::entity_to_save(entity); });
  }

  /// The entity of this id, every shard folded in, all as of one instant; empty if there is none.
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

  /// The entities of these ids, a range of them, each as `load` gives it, in the order of the range; all as
  /// of one instant, and in one round trip for every 128 where the store can do that.
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

  /// As `load`, or a copy of what a load with `cached` gave not longer ago than that, here or, for
  /// `cached::where::shared`, in any process, unless this mapper has changed the entity since. Costs no read
  /// of the store then. Absent entities are looked for every time. The mapper keeps 65,536 entities that it
  /// has loaded like this, about the last ones, as `after_load` left them.
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

  /// Runs a shard method on the entity of this id: writes to one shard, loads nothing. The method runs once,
  /// on a neutral value. `NotFound` if there is no such entity.
  template <auto kMethod, class... Args>
  requires(!detail::kBeginsWithToken<Args...>) void apply(const detail::IdOf<detail::ClassOf<kMethod>>& id,
                                                          Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    auto shard = shard_after<kMethod>(std::forward<Args>(args)...);
    detail::update(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id), &shard, {});
  }
  /// Likewise, unless an update of this token was counted already.
  template <auto kMethod, class... Args>
  void apply(const detail::IdOf<detail::ClassOf<kMethod>>& id, const token& token, Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    auto shard = shard_after<kMethod>(std::forward<Args>(args)...);
    detail::update(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id), &shard,
                   token.bytes());
  }

  /// Calls `change` once with a neutral `Shard` of E, for any number of shard methods, and commits what that
  /// amounts to. `NotFound` if there is no such entity.
  template <class E, class Change>
  void update(const detail::IdOf<E>& id, Change&& change) {
    detail::needs_companion<E>();
    static_cast<void>(&detail::kIsNoted<E>);
    auto shard = detail::shard_changed_by<E>(std::forward<Change>(change));
    detail::update(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id), &shard, {});
  }
  /// Likewise, unless an update of this token was counted already.
  template <Persisted E, class Change>
  void update(const typename Traits<E>::Id& id, const token& token, Change&& change) {
    static_cast<void>(&detail::kIsNoted<E>);
    auto shard = detail::shard_changed_by<E>(std::forward<Change>(change));
    detail::update(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id), &shard,
                   token.bytes());
  }

  /// Waits until every update that was acknowledged before is committed. `UpdatesLost` if some could not be.
  void flush();

  /// As `apply`, without waiting for the commit: one thread can have thousands of updates under way. The
  /// method runs before this returns; what it throws, this throws. See `Completion` for how to learn of the
  /// commit.
  ///
  /// While `MapperOptions::max_in_flight` updates are under way, this waits until one is committed, behind
  /// those who wait already, except in callbacks of completions. The destructor of the mapper waits for all
  /// of them, with their callbacks.
  template <auto kMethod, class... Args>
  requires(!detail::kBeginsWithToken<Args...>) Completion
      apply_async(const detail::IdOf<detail::ClassOf<kMethod>>& id, Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    auto shard = shard_after<kMethod>(std::forward<Args>(args)...);
    return detail::update_async(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id),
                                &shard, {});
  }
  /// Likewise, unless an update of this token was counted already.
  template <auto kMethod, class... Args>
  Completion apply_async(const detail::IdOf<detail::ClassOf<kMethod>>& id, const token& token,
                         Args&&... args) {
    using E = detail::ClassOf<kMethod>;
    detail::needs_companion<E>();
    auto shard = shard_after<kMethod>(std::forward<Args>(args)...);
    return detail::update_async(*core_, detail::entity_type<E>(), *detail::ReusedKey(Traits<E>::kKind, id),
                                &shard, token.bytes());
  }

  /// Removes the entity; false if there was none. An update belongs to the entity that its first attempt
  /// finds: it either precedes the erase or ends with `NotFound`, and no later entity of this id counts it.
  /// The first attempt of an asynchronous update may come later than the call. But a mapper erases or creates
  /// an entity only when all updates of this id that it was asked for before are done.
  template <class E>
  bool erase(const detail::IdOf<E>& id) {
    detail::needs_companion<E>();
    return detail::erase(*core_, detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id));
  }

  /// Removes the entities of these ids, a range of them, each as `erase` does it alone, in two commits for
  /// every 128. Returns how many there were. Not all or none: after an error, some may be gone; call it
  /// again.
  template <class E, detail::IdsOf<E> Ids>
  std::uint64_t erase(const Ids& ids) {
    std::vector<std::string> keys;
    for (const typename Traits<E>::Id& id : ids) keys.push_back(detail::entity_key(Traits<E>::kKind, id));
    return detail::erase(*core_, detail::entity_type<E>(), keys);
  }

  /// Whether there is an entity of this id.
  template <class E>
  bool exists(const detail::IdOf<E>& id) const {
    detail::needs_companion<E>();
    return detail::exists(*core_, detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id));
  }

  /// The entities of a class, those that fulfil the condition; see `Query` for what can be asked for.
  template <Persisted E>
  Query<E> query(const Condition<E>& condition = {}) const {
    return Query<E>(*core_, condition);
  }

  /// The elements of a group of this entity: `mapper.elements(42, q::responses)`, where q is
  /// `Fields<Question>`; see `Elements` for how to page through them.
  template <Persisted E, class Container>
  Elements<E, Container> elements(const typename Traits<E>::Id& id, const Field<E, Container>& group) const {
    return {*core_,
            {.type = &detail::entity_type<E>(),
             .key = detail::entity_key(Traits<E>::kKind, id),
             .place = detail::place_of_group(group)}};
  }

  /// Removes one element of a group; false if it is not there, or the entity is not. What there was of a set
  /// or map before it was a group is no element until compaction has made it one, so that an equal one shows
  /// again: call `admin::compact` for the entity before.
  template <Persisted E, class Container>
  bool erase_element(const typename Traits<E>::Id& id, const Field<E, Container>& group,
                     const ElementId& element) {
    return detail::erase_element(*core_, detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id),
                                 detail::place_of_group(group), element.text());
  }

  /// Puts another value in the place of an element of a sequence, or of a map, whose key stays:
  /// `InvalidUse` for another. `NotFound` if it is not there.
  template <Persisted E, class Container>
  void replace_element(const typename Traits<E>::Id& id, const Field<E, Container>& group,
                       const ElementId& element, typename detail::ElementOf<Container>::Type value) {
    static_assert(!std::is_same_v<typename Container::value_type, detail::KeyOf<Container>>,
                  "an element of a set is its value: erase it, and add another");
    Container alone;
    alone.insert(alone.end(), std::move(value));
    detail::replace_element(*core_, detail::entity_type<E>(), detail::entity_key(Traits<E>::kKind, id),
                            detail::place_of_group(group), element.text(), &alone);
  }

  /// The entities of one key of an index: `mapper.range<LogEntry::ByCompany>("Acme")`. A key of several
  /// members is a tuple. See `Range`.
  template <IndexName I>
  Range<typename I::Entity> range(const typename I::Key& key) const {
    return Range<typename I::Entity>(*core_, I::range(key));
  }
  /// Those of them whose order is not below `from` and is below `to`.
  template <IndexName I>
  Range<typename I::Entity> range(const typename I::Key& key, const typename I::Order& from,
                                  const typename I::Order& to) const {
    return Range<typename I::Entity>(*core_, I::range(key, from, to));
  }

  /// Calls `work` with an `EntityTransaction&`, commits what it did to any entities, and returns what it
  /// returned. See there for what is committed how. `work` is called again after a conflict: what it does
  /// besides should bear that.
  template <class Work>
  auto transact(Work&& work) {
    if constexpr (std::is_invocable_v<Work&, EntityTransaction&>) {
      using Result = std::invoke_result_t<Work&, EntityTransaction&>;
      if constexpr (std::is_void_v<Result>) {
        detail::transact(*core_, [&](EntityTransaction& transaction) { work(transaction); });
      } else {
        static_assert(!std::is_reference_v<Result>, "the result of a transaction is a value");
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
  /// What the method makes of a neutral value.
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

  /// As `save`, without hooks.
  template <class Entities>
  void save_as_they_are(Entities& entities) {
    save_all(entities, [](auto& entity) { return detail::entity_ref(entity); });
  }

  template <class Entities, class Ref>
  void save_all(Entities& entities, Ref ref) {
    using E = std::remove_pointer_t<decltype(detail::entity_in(*std::ranges::begin(entities)))>;
    static_cast<void>(&detail::kIsNoted<E>);
    std::vector<detail::EntityRef> given;
    std::vector<std::size_t> places;
    std::size_t place = 0;
    for (auto&& element : entities) {
      if (E* entity = detail::entity_in(element)) {
        given.push_back(ref(*entity));
        places.push_back(place);
      }
      ++place;
    }
    detail::save(*core_, given, places);
  }

  std::unique_ptr<detail::MapperCore> core_;
};

inline detail::MapperCore& detail::core_of(const Mapper& mapper) { return *mapper.core_; }

}  // namespace autoshard
