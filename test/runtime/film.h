#pragma once

#include <autoshard/generated.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// An entity as the generator makes them, with properties of many types; with indexes, and without.
namespace cinema {

enum class Genre { kDrama, kComedy, kThriller };

using Day = std::chrono::sys_days;

template <bool kIndexed>
class BasicFilm {
 public:
  explicit BasicFilm(std::string code) : code_(std::move(code)) {}

  const std::string& code() const { return code_; }
  long viewers() const { return viewers_; }
  int best() const { return best_; }

  void view(long by) {
    autoshard_.pending.view(by);
    viewers_ += by;
  }
  void rate(int points) {
    autoshard_.pending.rate(points);
    best_ = std::max(best_, points);
  }

  int year = 0;
  double length = 0;
  std::string title;
  Genre genre = Genre::kDrama;
  bool subtitled = false;
  std::optional<std::string> studio;
  std::set<std::string> tags;
  std::map<std::string, int> cast;
  Day released{};

  struct Shard {
    long viewers_ = 0;
    int best_ = 0;

    void view(long by) { viewers_ += by; }
    void rate(int points) { best_ = std::max(best_, points); }

    static long fold_viewers(long x, const long& y) { return x + y; }
    static int fold_best(int x, const int& y) { return std::max(x, y); }
  };

 private:
  friend struct ::autoshard::Traits<BasicFilm>;
  explicit BasicFilm(::autoshard::Loading) {}

  std::string code_;
  long viewers_ = 0;
  int best_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

using Film = BasicFilm<false>;
using IndexedFilm = BasicFilm<true>;

}  // namespace cinema

template <bool kIndexed>
struct autoshard::Traits<cinema::BasicFilm<kIndexed>> {
  using Entity = cinema::BasicFilm<kIndexed>;
  using Shard = typename Entity::Shard;
  using Id = std::string;

  static constexpr std::string_view kKind = kIndexed ? "IndexedFilm" : "Film";
  static constexpr auto kId = &Entity::code_;

  static constexpr auto properties() {
    return std::tuple{
        Property{"year", &Entity::year},           Property{"length", &Entity::length},
        Property{"title", &Entity::title},         Property{"genre", &Entity::genre},
        Property{"subtitled", &Entity::subtitled}, Property{"studio", &Entity::studio},
        Property{"tags", &Entity::tags},           Property{"cast", &Entity::cast},
        Property{"released", &Entity::released},
    };
  }
  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"viewers", 4, &Entity::viewers_, &Shard::viewers_, &Shard::fold_viewers},
        ShardedProperty{"best", kDynamic, &Entity::best_, &Shard::best_, &Shard::fold_best},
    };
  }

  static constexpr auto indexes() requires kIndexed {
    return std::tuple{index("year", Property{"year", &Entity::year}),
                      Index{"ByTitle", std::tuple{Property{"title", &Entity::title}},
                            std::tuple{Property{"year", &Entity::year}}, 3},
                      index("genre", Property{"genre", &Entity::genre}),
                      ranked_index("viewers", Property{"viewers", &Entity::viewers_}, 10),
                      ranked_index("best", Property{"best", &Entity::best_}, 10)};
  }

  struct Fields {
    static constexpr auto code = field<Entity>("code", &Entity::code_);
    static constexpr auto year = field<Entity>("year", &Entity::year);
    static constexpr auto length = field<Entity>("length", &Entity::length);
    static constexpr auto title = field<Entity>("title", &Entity::title);
    static constexpr auto genre = field<Entity>("genre", &Entity::genre);
    static constexpr auto subtitled = field<Entity>("subtitled", &Entity::subtitled);
    static constexpr auto studio = field<Entity>("studio", &Entity::studio);
    static constexpr auto tags = field<Entity>("tags", &Entity::tags);
    static constexpr auto cast = field<Entity>("cast", &Entity::cast);
    static constexpr auto released = field<Entity>("released", &Entity::released);
    static constexpr auto viewers = field<Entity>("viewers", &Entity::viewers_);
    static constexpr auto best = field<Entity>("best", &Entity::best_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::view>) {
      shard.view(std::forward<Args>(args)...);
    } else {
      static_assert(kSameMethod<kMethod, &Entity::rate>,
                    "this is no [[autoshard::shard_method]] of cinema::Film");
      shard.rate(std::forward<Args>(args)...);
    }
  }
};
