#pragma once

#include <autoshard/generated.h>

#include <cstdint>
#include <string>
#include <utility>

/// An entity as the generator makes them, with every way to shard a property.
namespace airline {

class Flight {
 public:
  explicit Flight(int number, int seats = 0) : number_(number), seats_(seats) {}

  struct Shard {
    int seats_ = 0;
    std::int64_t likes_ = 0;
    int score_ = 0;
    bool replaced_score_ = false;
    int views_ = 0;

    void book(int seats) { seats_ -= seats; }
    void like() { ++likes_; }
    void rate(int points) { score_ += points; }
    void reset_score(int score) {
      replaced_score_ = true;
      score_ = score;
    }
    void view() { ++views_; }

    static int fold_seats_(int x, const int& y) { return x + y; }
    static std::int64_t fold_likes_(std::int64_t x, const std::int64_t& y) { return x + y; }
    static int fold_score_(int x, const int& y) { return x + y; }
    static int fold_views_(int x, const int& y) { return x + y; }
    static int min_seats_() { return 0; }
    static int max_seats_() { return kSeats; }
  };
  static constexpr int kSeats = 1000;

  void book(int seats) {
    autoshard_.pending.book(seats);
    seats_ -= seats;
  }
  void like() {
    autoshard_.pending.like();
    ++likes_;
  }
  void rate(int points) {
    autoshard_.pending.rate(points);
    score_ += points;
  }
  void reset_score(int score) {
    autoshard_.pending.reset_score(score);
    score_ = score;
  }
  void view() {
    autoshard_.pending.view();
    ++views_;
  }
  void set_to(std::string to) { to_ = std::move(to); }

  int number() const { return number_; }
  const std::string& to() const { return to_; }
  int seats() const { return seats_; }
  std::int64_t likes() const { return likes_; }
  int score() const { return score_; }
  int views() const { return views_; }

 private:
  friend struct ::autoshard::Traits<Flight>;
  explicit Flight(::autoshard::Loading) : number_() {}

  int number_;
  std::string to_;
  int seats_ = 0;
  std::int64_t likes_ = 0;
  int score_ = 0;
  int views_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace airline

template <>
struct autoshard::Traits<airline::Flight> {
  using Entity = airline::Flight;
  using Shard = Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Flight";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() { return std::tuple{Property{"to", &Entity::to_}}; }

  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"seats", 8, &Entity::seats_, &Shard::seats_, &Shard::fold_seats_}
            .at_least(&Shard::min_seats_)
            .at_most(&Shard::max_seats_),
        ShardedProperty{"likes", kDynamic, &Entity::likes_, &Shard::likes_, &Shard::fold_likes_},
        ShardedProperty{"score", 4, &Entity::score_, &Shard::score_, &Shard::fold_score_}
            .replaced_by(&Shard::replaced_score_)
            .folds_by(Fold::kSum),
        ShardedProperty{"views", adaptive(1, 16), &Entity::views_, &Shard::views_, &Shard::fold_views_}
            .folds_by(Fold::kSum),
    };
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::book>) {
      shard.book(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::like>) {
      shard.like(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::rate>) {
      shard.rate(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::reset_score>) {
      shard.reset_score(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::view>) {
      shard.view(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of airline::Flight");
    }
  }
};
