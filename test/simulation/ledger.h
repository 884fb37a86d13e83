#pragma once

#include <autoshard/generated.h>
#include <autoshard/mapper.h>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "operation.h"

namespace autoshard::simulation {

/// An entity with every way to shard a property. Each update leaves its name, so that a load tells which
/// updates it has seen. Its companion is written by hand: the generator refuses shard methods that call
/// `user_code`, for a shard method runs more than once for an update.
class Ledger {
 public:
  static constexpr int kMostSeats = 40;

  Ledger(int number, OperationId created, int seats)
      : number_(number), created_(created), saved_(created), capacity_(seats), seats_(seats) {}

  struct Shard {
    Effects votes_{};
    Effects likes_{};
    Effects views_{};
    Effects notes_{};
    bool replaced_notes_ = false;
    Effects bookings_{};
    int seats_ = 0;
    std::vector<OperationId> likers_{};
    int tally_ = 0;
    OperationId newest_ = 0;
    int noted_ = 0;
    bool replaced_noted_ = false;

    void vote(OperationId id) {
      user_code("a shard method");
      ++votes_[id];
      ++tally_;
      newest_ = std::max(newest_, id);
    }
    void like(OperationId id) {
      ++likes_[id];
      likers_.push_back(id);
    }
    void view(OperationId id) { ++views_[id]; }
    void note(OperationId id) {
      ++notes_[id];
      ++noted_;
    }
    void rewrite_notes(OperationId id) {
      replaced_notes_ = replaced_noted_ = true;
      notes_ = {{id, 1}};
      noted_ = 1;
    }
    void book(OperationId id, int seats) {
      user_code("a shard method");
      ++bookings_[id];
      seats_ -= seats;
    }

    static Effects fold_votes_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static Effects fold_likes_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static Effects fold_views_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static Effects fold_notes_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static Effects fold_bookings_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static int fold_seats_(int x, const int& y) { return x + y; }
    static int fold_tally_(int x, const int& y) { return x + y; }
    static OperationId fold_newest_(OperationId x, const OperationId& y) { return std::max(x, y); }
    static int fold_noted_(int x, const int& y) { return x + y; }
    static int min_seats_() { return 0; }
    static int max_seats_() { return kMostSeats; }
  };

  /// Runs shard methods on the object, and notes them for the next save.
  template <class Change>
  void update(const Change& change) {
    change(autoshard_.pending);
    Shard now{votes_, likes_,  views_, notes_,  false,  bookings_,
              seats_, likers_, tally_, newest_, noted_, false};
    change(now);
    votes_ = now.votes_;
    likes_ = now.likes_;
    views_ = now.views_;
    notes_ = now.notes_;
    bookings_ = now.bookings_;
    seats_ = now.seats_;
    likers_ = now.likers_;
    tally_ = now.tally_;
    newest_ = now.newest_;
    noted_ = now.noted_;
  }
  /// What a save by this operation leaves in the main record.
  void save_by(const Operation& operation) { saved_ = operation.id; }

  int number() const { return number_; }
  OperationId created() const { return created_; }
  OperationId saved() const { return saved_; }
  int capacity() const { return capacity_; }
  const Effects& votes() const { return votes_; }
  const Effects& likes() const { return likes_; }
  const Effects& views() const { return views_; }
  const Effects& notes() const { return notes_; }
  const Effects& bookings() const { return bookings_; }
  int seats() const { return seats_; }
  /// Whose names are in `likes`, too.
  const std::vector<OperationId>& likers() const { return likers_; }
  /// How many names are in `votes`, and the greatest of them.
  int tally() const { return tally_; }
  OperationId newest() const { return newest_; }
  /// How many are in `notes`.
  int noted() const { return noted_; }

  friend bool operator==(const Ledger&, const Ledger&) = default;

  // The shard methods by themselves, for `apply`.
  void vote(OperationId id) {
    update([&](Shard& shard) { shard.vote(id); });
  }
  void like(OperationId id) {
    update([&](Shard& shard) { shard.like(id); });
  }
  void view(OperationId id) {
    update([&](Shard& shard) { shard.view(id); });
  }
  void book(OperationId id, int seats) {
    update([&](Shard& shard) { shard.book(id, seats); });
  }

 private:
  friend struct ::autoshard::Traits<Ledger>;
  explicit Ledger(::autoshard::Loading) {}

  int number_ = 0;
  OperationId created_ = 0;
  OperationId saved_ = 0;
  int capacity_ = 0;
  Effects votes_, likes_, views_, notes_, bookings_;
  int seats_ = 0;
  std::vector<OperationId> likers_;
  int tally_ = 0;
  OperationId newest_ = 0;
  int noted_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace autoshard::simulation

template <>
struct autoshard::Traits<autoshard::simulation::Ledger> {
  using Entity = simulation::Ledger;
  using Shard = Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Ledger";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() {
    return std::tuple{Property{"created", &Entity::created_}, Property{"saved", &Entity::saved_},
                      Property{"capacity", &Entity::capacity_}};
  }

  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"votes", 4, &Entity::votes_, &Shard::votes_, &Shard::fold_votes_},
        ShardedProperty{"likes", kDynamic, &Entity::likes_, &Shard::likes_, &Shard::fold_likes_},
        ShardedProperty{"views", adaptive(1, 8), &Entity::views_, &Shard::views_, &Shard::fold_views_},
        ShardedProperty{"notes", 3, &Entity::notes_, &Shard::notes_, &Shard::fold_notes_}.replaced_by(
            &Shard::replaced_notes_),
        ShardedProperty{"bookings", 2, &Entity::bookings_, &Shard::bookings_, &Shard::fold_bookings_},
        ShardedProperty{"seats", 4, &Entity::seats_, &Shard::seats_, &Shard::fold_seats_}
            .at_least(&Shard::min_seats_)
            .at_most(&Shard::max_seats_),
        ShardedProperty{"likers", group(3), &Entity::likers_, &Shard::likers_, unite, kAnyOrder},
        ShardedProperty{"tally", 4, &Entity::tally_, &Shard::tally_, &Shard::fold_tally_}.folds_by(
            Fold::kSum),
        ShardedProperty{"newest", 2, &Entity::newest_, &Shard::newest_, &Shard::fold_newest_}.folds_by(
            Fold::kMaximum),
        ShardedProperty{"noted", 3, &Entity::noted_, &Shard::noted_, &Shard::fold_noted_}
            .replaced_by(&Shard::replaced_noted_)
            .folds_by(Fold::kSum),
    };
  }

  static constexpr auto indexes() {
    return std::tuple{ranked_index("seats", Property{"seats", &Entity::seats_}, 1)};
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::vote>) {
      shard.vote(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::like>) {
      shard.like(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::view>) {
      shard.view(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::book>) {
      shard.book(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of Ledger");
    }
  }
};
