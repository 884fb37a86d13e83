#pragma once

#include <autoshard/generated.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

/// Entities as the generator makes them of classes with hooks. One of `Visit` ends when its hook says.
namespace web {

template <bool kEnds>
class BasicSession {
 public:
  explicit BasicSession(long number, std::string name = "") : user(std::move(name)), number_(number) {}

  long number() const { return number_; }
  long hits() const { return hits_; }
  int saves() const { return saves_; }
  int loads() const { return loads_; }

  void hit(long by) {
    autoshard_.pending.hit(by);
    hits_ += by;
  }

  std::string user;
  bool refuses = false;  ///< hooks throw, not persisted
  std::optional<std::chrono::system_clock::time_point> until,
      next_until;  ///< the hook makes one of the other

  struct Shard {
    long hits_ = 0;

    void hit(long by) { hits_ += by; }

    static long fold_hits(long x, const long& y) { return x + y; }
  };

 private:
  friend struct ::autoshard::Traits<BasicSession>;
  explicit BasicSession(::autoshard::Loading) : number_() {}

  void stamp() {
    if (refuses) throw std::runtime_error("not to be saved");
    ++saves_;
    until = next_until;
  }
  void arrive() {
    if (user == "cursed") throw std::runtime_error("not to be loaded");
    ++loads_;
  }

  long number_;
  int saves_ = 0;
  int loads_ = 0;  // not persisted
  long hits_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

using Session = BasicSession<false>;
using Visit = BasicSession<true>;

template <bool kEnds>
struct EndOf {
  static constexpr auto ends() { return std::tuple{}; }
};
template <>
struct EndOf<true> {
  static constexpr auto kExpires = &Visit::until;
  static constexpr auto ends() { return std::tuple{::autoshard::Property{"until", &Visit::until}}; }
};

}  // namespace web

template <bool kEnds>
struct autoshard::Traits<web::BasicSession<kEnds>> : web::EndOf<kEnds> {
  using Entity = web::BasicSession<kEnds>;
  using Shard = typename Entity::Shard;
  using Id = long;

  static constexpr std::string_view kKind = kEnds ? "Visit" : "Session";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() {
    return std::tuple_cat(std::tuple{Property{"user", &Entity::user}, Property{"saves", &Entity::saves_}},
                          web::EndOf<kEnds>::ends());
  }
  static constexpr auto sharded_properties() {
    return std::tuple{ShardedProperty{"hits", 4, &Entity::hits_, &Shard::hits_, &Shard::fold_hits}};
  }

  struct Fields {
    static constexpr auto number = field<Entity>("number", &Entity::number_);
    static constexpr auto user = field<Entity>("user", &Entity::user);
    static constexpr auto saves = field<Entity>("saves", &Entity::saves_);
    static constexpr auto hits = field<Entity>("hits", &Entity::hits_);
  };

  static void before_save(Entity& entity) { entity.stamp(); }
  static void after_load(Entity& entity) { entity.arrive(); }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    static_assert(kSameMethod<kMethod, &Entity::hit>,
                  "this is no [[autoshard::shard_method]] of web::Session");
    shard.hit(std::forward<Args>(args)...);
  }
};
