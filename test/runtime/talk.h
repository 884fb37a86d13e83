#pragma once

#include <autoshard/generated.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

/// An entity as the generator makes them, with a ranked index of every way to shard a property; and as it was
/// before it had them.
namespace conference {

template <bool kRolledUp>
class BasicTalk {
 public:
  explicit BasicTalk(int number, int seats = 0) : number_(number), seats_(seats) {}

  struct Shard {
    int seats_ = 0;
    std::int64_t likes_ = 0;
    int score_ = 0;
    bool replaced_score_ = false;
    std::string best_{};

    void book(int seats) { seats_ -= seats; }
    void like() { ++likes_; }
    void rate(int points) { score_ += points; }
    void reset_score(int score) {
      replaced_score_ = true;
      score_ = score;
    }
    void praise(const std::string& words) { best_ = std::max(best_, words); }

    static int fold_seats_(int x, const int& y) { return x + y; }
    static std::int64_t fold_likes_(std::int64_t x, const std::int64_t& y) { return x + y; }
    static int fold_score_(int x, const int& y) { return x + y; }
    static std::string fold_best_(std::string x, const std::string& y) {
      if (x < y) x = y;
      return x;
    }
    static int min_seats_() { return 0; }
    static int max_seats_() { return 1000; }
  };

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
  void praise(const std::string& words) {
    autoshard_.pending.praise(words);
    best_ = std::max(best_, words);
  }

  std::string room;
  int number() const { return number_; }
  int seats() const { return seats_; }
  std::int64_t likes() const { return likes_; }
  int score() const { return score_; }
  const std::string& best() const { return best_; }

 private:
  friend struct ::autoshard::Traits<BasicTalk>;
  explicit BasicTalk(::autoshard::Loading) : number_() {}

  int number_;
  int seats_ = 0;
  std::int64_t likes_ = 0;
  int score_ = 0;
  std::string best_;
  ::autoshard::State<Shard> autoshard_;
};

using Talk = BasicTalk<true>;
using FormerTalk = BasicTalk<false>;

}  // namespace conference

template <bool kRolledUp>
struct autoshard::Traits<conference::BasicTalk<kRolledUp>> {
  using Entity = conference::BasicTalk<kRolledUp>;
  using Shard = typename Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Talk";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() { return std::tuple{Property{"room", &Entity::room}}; }

  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"seats", 8, &Entity::seats_, &Shard::seats_, &Shard::fold_seats_}
            .at_least(&Shard::min_seats_)
            .at_most(&Shard::max_seats_),
        ShardedProperty{"likes", kDynamic, &Entity::likes_, &Shard::likes_, &Shard::fold_likes_},
        ShardedProperty{"score", 4, &Entity::score_, &Shard::score_, &Shard::fold_score_}
            .replaced_by(&Shard::replaced_score_)
            .folds_by(Fold::kSum),
        ShardedProperty{"best", adaptive(1, 16), &Entity::best_, &Shard::best_, &Shard::fold_best_},
    };
  }

  static constexpr auto indexes() requires kRolledUp {
    return std::tuple{index("room", Property{"room", &Entity::room}),
                      ranked_index("seats", Property{"seats", &Entity::seats_}, 10),
                      ranked_index("likes", Property{"likes", &Entity::likes_}, 10),
                      ranked_index("score", Property{"score", &Entity::score_}, 10),
                      ranked_index("best", Property{"best", &Entity::best_}, 1)};
  }

  struct Fields {
    static constexpr auto number = field<Entity>("number", &Entity::number_);
    static constexpr auto room = field<Entity>("room", &Entity::room);
    static constexpr auto seats = field<Entity>("seats", &Entity::seats_);
    static constexpr auto likes = field<Entity>("likes", &Entity::likes_);
    static constexpr auto score = field<Entity>("score", &Entity::score_);
    static constexpr auto best = field<Entity>("best", &Entity::best_);
  };

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
    } else if constexpr (kSameMethod<kMethod, &Entity::praise>) {
      shard.praise(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of conference::Talk");
    }
  }
};
