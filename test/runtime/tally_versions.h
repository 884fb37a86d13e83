#pragma once

#include <autoshard/generated.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

/// Versions of one class with sharded numbers, which get other names: what one writes, the others read.
namespace poll {

inline constexpr std::int64_t kMostSeats = 100;

struct First {
  static constexpr int kNumber = 1;
  static constexpr bool kIsIndexed = false;
  static constexpr const char *kVotes = "votes", *kViews = "views", *kSeats = "seats";
  static constexpr std::array<::autoshard::FormerName, 0> kFormerNames{};
};
/// Its names sort before those of the first version.
struct Second {
  static constexpr int kNumber = 2;
  static constexpr bool kIsIndexed = false;
  static constexpr const char *kVotes = "likes", *kViews = "hits", *kSeats = "places";
  static constexpr std::array<::autoshard::FormerName, 3> kFormerNames{
      {{First::kVotes, kVotes}, {First::kViews, kViews}, {First::kSeats, kSeats}}};
};
/// Its names sort behind them.
struct Third {
  static constexpr int kNumber = 3;
  static constexpr bool kIsIndexed = false;
  static constexpr const char *kVotes = "zeal", *kViews = "visits", *kSeats = "tickets";
  static constexpr std::array<::autoshard::FormerName, 6> kFormerNames{{{First::kVotes, kVotes},
                                                                        {Second::kVotes, kVotes},
                                                                        {First::kViews, kViews},
                                                                        {Second::kViews, kViews},
                                                                        {First::kSeats, kSeats},
                                                                        {Second::kSeats, kSeats}}};
};

/// The first version, with a ranked index of the votes.
struct Indexed : First {
  static constexpr bool kIsIndexed = true;
};

template <class Version>
class Tally {
 public:
  static constexpr int kNumber = Version::kNumber;

  explicit Tally(int id, int votes = 0, int views = 0, std::int64_t seats = 0)
      : id_(id), votes_(votes), views_(views), seats_(seats) {}

  struct Shard {
    int votes_ = 0, views_ = 0;
    std::int64_t seats_ = 0;
    bool replaced_votes_ = false, replaced_views_ = false, replaced_seats_ = false;

    void vote(int votes) { votes_ += votes; }
    void view(int views) { views_ += views; }
    void sell(std::int64_t seats) { seats_ -= seats; }
    void set_votes(int votes) {
      replaced_votes_ = true;
      votes_ = votes;
    }
    void set_views(int views) {
      replaced_views_ = true;
      views_ = views;
    }
    void set_seats(std::int64_t seats) {
      replaced_seats_ = true;
      seats_ = seats;
    }

    static int sum(int x, const int& y) { return x + y; }
    static std::int64_t fold_seats_(std::int64_t x, const std::int64_t& y) { return x + y; }
    static std::int64_t min_seats_() { return 0; }
    static std::int64_t max_seats_() { return kMostSeats; }
  };

  void vote(int votes) {
    autoshard_.pending.vote(votes);
    votes_ += votes;
  }

  int id() const { return id_; }
  int votes() const { return votes_; }
  int views() const { return views_; }
  std::int64_t seats() const { return seats_; }

  std::string title;

 private:
  friend struct ::autoshard::Traits<Tally>;
  explicit Tally(::autoshard::Loading) : id_() {}

  int id_;
  int votes_ = 0, views_ = 0;
  std::int64_t seats_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

/// The oldest version: nothing is sharded.
template <class Version>
class PlainTallyOf {
 public:
  explicit PlainTallyOf(int id) : id_(id) {}

  std::string title;
  int votes = 0, views = 0;
  std::int64_t seats = 0;

 private:
  friend struct ::autoshard::Traits<PlainTallyOf>;
  explicit PlainTallyOf(::autoshard::Loading) : id_() {}

  int id_;
  ::autoshard::State<> autoshard_;
};
using PlainTally = PlainTallyOf<First>;

}  // namespace poll

template <class Version>
struct autoshard::Traits<poll::Tally<Version>> {
  using Entity = poll::Tally<Version>;
  using Shard = typename Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Tally";
  static constexpr auto kId = &Entity::id_;
  static constexpr auto kFormerNames = Version::kFormerNames;

  static constexpr auto properties() { return std::tuple{Property{"title", &Entity::title}}; }
  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{Version::kVotes, 4, &Entity::votes_, &Shard::votes_, &Shard::sum}
            .replaced_by(&Shard::replaced_votes_)
            .folds_by(Fold::kSum),
        ShardedProperty{Version::kViews, kDynamic, &Entity::views_, &Shard::views_, &Shard::sum}.replaced_by(
            &Shard::replaced_views_),
        ShardedProperty{Version::kSeats, 4, &Entity::seats_, &Shard::seats_, &Shard::fold_seats_}
            .replaced_by(&Shard::replaced_seats_)
            .at_least(&Shard::min_seats_)
            .at_most(&Shard::max_seats_)};
  }

  static constexpr auto indexes() requires Version::kIsIndexed {
    return std::tuple{ranked_index("votes", Property{Version::kVotes, &Entity::votes_}, 10)};
  }
  struct Fields {
    static constexpr auto votes = field<Entity>(Version::kVotes, &Entity::votes_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    static_assert(kSameMethod<kMethod, &Entity::vote>,
                  "this is no [[autoshard::shard_method]] of poll::Tally");
    shard.vote(std::forward<Args>(args)...);
  }
};

template <class Version>
struct autoshard::Traits<poll::PlainTallyOf<Version>> {
  using Entity = poll::PlainTallyOf<Version>;
  using Shard = NoShard;
  using Id = int;

  static constexpr std::string_view kKind = "Tally";
  static constexpr auto kId = &Entity::id_;
  static constexpr auto kFormerNames = Version::kFormerNames;

  static constexpr auto properties() {
    return std::tuple{Property{"title", &Entity::title}, Property{Version::kVotes, &Entity::votes},
                      Property{Version::kViews, &Entity::views}, Property{Version::kSeats, &Entity::seats}};
  }
  static constexpr auto sharded_properties() { return std::tuple{}; }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard&, Args&&...) {
    static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of poll::PlainTally");
  }
};
