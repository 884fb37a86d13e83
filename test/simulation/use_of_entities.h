#pragma once

#include <autoshard/mapper.h>

#include <cstdlib>
#include <vector>

#include "album.h"
#include "history.h"
#include "ledger.h"
#include "operation.h"
#include "permit.h"

/// What clients do to entities of the several classes, each by the same names for all classes.
namespace autoshard::simulation {

template <class E>
struct Use;  // kWorld, and these functions:
//   make(number, creation, now)  the new entity of an operation, at that time of the system's clock
//   change(shard, operation)     calls the shard methods
//   apply_async(mapper, op)      calls the one shard method
//   set_shards(operation, set)   chooses a property, and a number of shards
//   view(entity)                 what it shows
//   check(…)                     what has to be true of a loaded entity besides; see history.h

template <>
struct Use<Ledger> {
  static constexpr World kWorld = World::kLedgers;

  static Ledger make(int number, const Operation& by, Time) { return {number, by.id, by.amount}; }

  static void change(Ledger::Shard& shard, const Operation& operation) {
    if (operation.parts & kVote) shard.vote(operation.id);
    if (operation.parts & kLike) shard.like(operation.id);
    if (operation.parts & kView) shard.view(operation.id);
    if (operation.parts & kNote) shard.note(operation.id);
    if (operation.parts & kRewrite) shard.rewrite_notes(operation.id);
    if (operation.parts & kBook) shard.book(operation.id, operation.amount);
  }

  static Completion apply_async(Mapper& mapper, const Operation& operation) {
    switch (operation.parts) {
      case kVote:
        return mapper.apply_async<&Ledger::vote>(operation.entity, operation.id);
      case kLike:
        return mapper.apply_async<&Ledger::like>(operation.entity, operation.id);
      case kView:
        return mapper.apply_async<&Ledger::view>(operation.entity, operation.id);
      default:
        return mapper.apply_async<&Ledger::book>(operation.entity, operation.id, operation.amount);
    }
  }

  template <class Set>
  static void set_shards(const Operation& operation, const Set& set) {
    switch (operation.parts % 7) {
      case 0:
        return set("votes", operation.number);
      case 1:
        return set("likes", operation.number);
      case 2:
        return set("views", operation.number);
      case 3:
        return set("notes", operation.number);
      case 4:
        return set("tally", operation.number);
      case 5:
        return set("noted", operation.number);
      default:
        return set("seats", std::max(operation.number, 1U));
    }
  }

  static View view(const Ledger& ledger);
  static void check(const Ledger& ledger, const History& history, const History::Effect& created);
};

template <int kOfClass>
struct Use<Album<kOfClass>> {
  using Entity = Album<kOfClass>;
  static constexpr World kWorld = World::kAlbums;

  static Entity make(int number, const Operation& by, Time) { return {number, by}; }

  static void change(typename Entity::Shard& shard, const Operation& operation) {
    if (operation.parts & kPost) shard.post(operation.id);
    if (operation.parts & kSay) shard.say(operation.id);
    if (operation.parts & kTag) shard.tag(operation.id);
    if (operation.parts & kMark) shard.mark(operation.id);
    if (operation.parts & kSell) shard.sell(operation.id, operation.amount);
    if (!Entity::kIsNew) return;
    if (operation.parts & kDraw) shard.draw(operation.id);
    if (operation.parts & kRefill) shard.refill(operation.id, std::abs(operation.amount));
  }

  static Completion apply_async(Mapper& mapper, const Operation& operation) {
    switch (operation.parts) {
      case kPost:
        return mapper.apply_async<&Entity::post>(operation.entity, operation.id);
      case kSay:
        return mapper.apply_async<&Entity::say>(operation.entity, operation.id);
      case kTag:
        return mapper.apply_async<&Entity::tag>(operation.entity, operation.id);
      case kMark:
        return mapper.apply_async<&Entity::mark>(operation.entity, operation.id);
      case kRefill:
        if constexpr (Entity::kIsNew)
          return mapper.apply_async<&Entity::refill>(operation.entity, operation.id,
                                                     std::abs(operation.amount));
        [[fallthrough]];
      default:
        return mapper.apply_async<&Entity::sell>(operation.entity, operation.id, operation.amount);
    }
  }

  template <class Set>
  static void set_shards(const Operation& operation, const Set& set) {
    switch (operation.parts % 2) {
      case 0:
        return set("sales", operation.number);
      default:
        return set(Entity::kIsNew ? "copies" : "stock", std::max(operation.number, 1U));
    }
  }

  static View view(const Entity& album);
  static void check(const Entity& album, const History& history, const History::Effect& created);
};

template <int kOfClass>
struct Use<Permit<kOfClass>> {
  using Entity = Permit<kOfClass>;
  static constexpr World kWorld = World::kPermits;

  static Entity make(int number, const Operation& by, Time now) {
    if (by.time == Time(0)) return {number, by};
    return {number, by,
            std::chrono::sys_time<std::chrono::milliseconds>(
                std::chrono::ceil<std::chrono::milliseconds>(now + by.time))};
  }

  static void change(typename Entity::Shard& shard, const Operation& operation) {
    if (operation.parts & kUse) shard.use(operation.id);
    if (operation.parts & kSeal) shard.seal(operation.id);
    if (operation.parts & kSign) shard.sign(operation.id);
    if (operation.parts & kPass) shard.pass(operation.id);
    if (operation.parts & kRestart) shard.restart(operation.id);
  }

  static Completion apply_async(Mapper& mapper, const Operation& operation) {
    switch (operation.parts) {
      case kUse:
        return mapper.apply_async<&Entity::use>(operation.entity, operation.id);
      case kSeal:
        return mapper.apply_async<&Entity::seal>(operation.entity, operation.id);
      case kPass:
        return mapper.apply_async<&Entity::pass>(operation.entity, operation.id);
      default:
        return mapper.apply_async<&Entity::sign>(operation.entity, operation.id);
    }
  }

  template <class Set>
  static void set_shards(const Operation& operation, const Set& set) {
    if (operation.parts & kPass) return set("passes", std::max(operation.number, 1U));
    if (operation.parts & kRestart) return set("passed", std::max(operation.number, 1U));
    operation.parts % 2 == 0 ? set("uses", operation.number) : set("seals", operation.number);
  }

  static View view(const Entity& permit);
  static void check(const Entity& permit, const History& history, const History::Effect& created);
};

}  // namespace autoshard::simulation
