#pragma once

#include <autoshard/generated.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

/// Entities as the generator makes them of classes with a member that says when they expire.
namespace permits {

using Clock = std::chrono::system_clock;

class Permit {
 public:
  explicit Permit(std::string holder, std::optional<Clock::time_point> until = {})
      : expires(until), holder_(std::move(holder)) {}

  const std::string& holder() const { return holder_; }
  long uses() const { return uses_; }

  void use(long times) {
    autoshard_.pending.use(times);
    uses_ += times;
  }

  std::optional<Clock::time_point> expires;
  std::string zone;

  struct Shard {
    long uses_ = 0;

    void use(long times) { uses_ += times; }

    static long fold_uses(long x, const long& y) { return x + y; }
  };

 private:
  friend struct ::autoshard::Traits<Permit>;
  explicit Permit(::autoshard::Loading) {}

  std::string holder_;
  long uses_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

/// Without anything sharded, and always with an end.
class Ticket {
 public:
  explicit Ticket(int number, std::chrono::sys_days last = {}) : day(last), number_(number) {}

  std::chrono::sys_days day;

 private:
  friend struct ::autoshard::Traits<Ticket>;
  explicit Ticket(::autoshard::Loading) : number_() {}

  int number_;
  ::autoshard::State<> autoshard_;
};

}  // namespace permits

template <>
struct autoshard::Traits<permits::Permit> {
  using Entity = permits::Permit;
  using Shard = Entity::Shard;
  using Id = std::string;

  static constexpr std::string_view kKind = "Permit";
  static constexpr auto kId = &Entity::holder_;
  static constexpr auto kExpires = &Entity::expires;

  static constexpr auto properties() {
    return std::tuple{Property{"expires", &Entity::expires}, Property{"zone", &Entity::zone}};
  }
  static constexpr auto sharded_properties() {
    return std::tuple{ShardedProperty{"uses", 4, &Entity::uses_, &Shard::uses_, &Shard::fold_uses}};
  }

  struct Fields {
    static constexpr auto holder = field<Entity>("holder", &Entity::holder_);
    static constexpr auto zone = field<Entity>("zone", &Entity::zone);
    static constexpr auto uses = field<Entity>("uses", &Entity::uses_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    static_assert(kSameMethod<kMethod, &Entity::use>,
                  "this is no [[autoshard::shard_method]] of permits::Permit");
    shard.use(std::forward<Args>(args)...);
  }
};

template <>
struct autoshard::Traits<permits::Ticket> {
  using Entity = permits::Ticket;
  using Shard = NoShard;
  using Id = int;

  static constexpr std::string_view kKind = "Ticket";
  static constexpr auto kId = &Entity::number_;
  static constexpr auto kExpires = &Entity::day;

  static constexpr auto properties() { return std::tuple{Property{"day", &Entity::day}}; }
  static constexpr auto sharded_properties() { return std::tuple{}; }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard&, Args&&...) {
    static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of permits::Ticket");
  }
};
