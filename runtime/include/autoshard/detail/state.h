#pragma once

/// What runs the shard methods of a companion class: the bookkeeping of the mapper in the companion, and the
/// sharded members that a shard method changes there.

#include <compare>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace autoshard {

/// Appends the elements of `more` to `all`. If both maps have a key, the value of `more` stays.
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

/// The fold of a group: the union that `add_all` makes.
template <class Container>
Container unite(Container all, const Container& more) {
  add_all(all, more);
  return all;
}

/// A member of an entity, and the member of the same name of its `Shard`.
template <class Entity, class Shard, class T>
struct ShardedMember {
  static constexpr bool kIsGroup = false;

  T Entity::*aggregated;
  T Shard::*value;

  constexpr void begin(Shard& shard, const Entity& entity) const { shard.*value = entity.*aggregated; }
  constexpr void begin(Shard& shard, const Shard& pending) const { shard.*value = pending.*value; }
  constexpr void keep(Shard& shard, Entity& entity) const { entity.*aggregated = std::move(shard.*value); }
  constexpr void keep(Shard& shard, Shard& pending) const { pending.*value = std::move(shard.*value); }
};
template <class Entity, class Shard, class T>
ShardedMember(T Entity::*, T Shard::*) -> ShardedMember<Entity, Shard, T>;

/// A member that a shard method may also replace, and the flag in the `Shard` that says so.
template <class Entity, class Shard, class T>
struct ReplaceableMember {
  static constexpr bool kIsGroup = false;

  T Entity::*aggregated;
  T Shard::*value;
  bool Shard::*replaced;

  constexpr void begin(Shard& shard, const Entity& entity) const { shard.*value = entity.*aggregated; }
  constexpr void begin(Shard& shard, const Shard& pending) const {
    shard.*value = pending.*value;
    shard.*replaced = pending.*replaced;
  }
  constexpr void keep(Shard& shard, Entity& entity) const { entity.*aggregated = std::move(shard.*value); }
  constexpr void keep(Shard& shard, Shard& pending) const {
    pending.*value = std::move(shard.*value);
    pending.*replaced = shard.*replaced;
  }
};
template <class Entity, class Shard, class T>
ReplaceableMember(T Entity::*, T Shard::*, bool Shard::*) -> ReplaceableMember<Entity, Shard, T>;

/// A member that is a group. Shard methods only add to a group, so they begin with an empty one, and to add
/// to a large group costs no more than to add to a small one.
template <class Entity, class Shard, class T>
struct GroupMember {
  static constexpr bool kIsGroup = true;

  T Entity::*aggregated;
  T Shard::*value;

  constexpr void begin(Shard&, const Entity&) const {}
  constexpr void begin(Shard&, const Shard&) const {}
  constexpr void keep(const Shard& shard, Entity& entity) const { add_all(entity.*aggregated, shard.*value); }
  constexpr void keep(const Shard& shard, Shard& pending) const { add_all(pending.*value, shard.*value); }
};
template <class Entity, class Shard, class T>
GroupMember(T Entity::*, T Shard::*) -> GroupMember<Entity, Shard, T>;

/// The `Shard` of an entity that has no sharded member.
struct NoShard {};

/// The mapper's bookkeeping in a companion. It is not part of the entity's value: it compares equal to any
/// other `State`, so the entity's defaulted comparisons keep their meaning. A copy of an entity carries the
/// unsaved updates along with the values: save one of the copies only.
template <class Shard = NoShard>
struct State {
  std::uint64_t version = 0;  ///< of the main record that was loaded or saved last; 0: never loaded or saved
  Shard pending{};            ///< the updates since then, folded

  /// Runs a shard method of `entity`, which this state belongs to. `kMembers` are the members that the method
  /// changes. The method runs twice: `in_updates` runs it on the pending updates, `in_values` on the values
  /// of the entity. Both runs get copies, which are kept after both runs; if a run throws, nothing has
  /// changed. Returns the result of the second run.
  template <auto... kMembers, class Entity, class InUpdates, class InValues>
  constexpr auto update(Entity& entity, InUpdates&& in_updates, InValues&& in_values) {
    Shard updates{};
    Shard values{};
    (kMembers.begin(updates, pending), ...);
    (kMembers.begin(values, entity), ...);
    const auto keep = [&] {
      (kMembers.keep(updates, pending), ...);
      (kMembers.keep(values, entity), ...);
    };
    static_cast<void>(in_updates(updates));
    if constexpr (std::is_void_v<decltype(in_values(values))>) {
      in_values(values);
      keep();
    } else {
      auto result = in_values(values);
      keep();
      return result;
    }
  }

  /// Runs `method` in both runs. If all members are groups, one run suffices: both would begin with empty
  /// groups, and so add the same elements.
  template <auto... kMembers, class Entity, class Method>
  constexpr auto update(Entity& entity, Method&& method) {
    if constexpr ((kMembers.kIsGroup && ...)) {
      Shard added{};
      const auto keep = [&] {
        (kMembers.keep(added, entity), ...);
        (kMembers.keep(added, pending), ...);
      };
      if constexpr (std::is_void_v<decltype(method(added))>) {
        method(added);
        keep();
      } else {
        auto result = method(added);
        keep();
        return result;
      }
    } else {
      return update<kMembers...>(entity, method, method);
    }
  }

  friend constexpr bool operator==(const State&, const State&) noexcept { return true; }
  friend constexpr std::strong_ordering operator<=>(const State&, const State&) noexcept {
    return std::strong_ordering::equal;
  }
};

}  // namespace autoshard
