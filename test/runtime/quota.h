#pragma once

#include <autoshard/generated.h>

#include <stdexcept>
#include <string>

/// An entity as the generator makes them, whose fold refuses values above a limit.
namespace shop {

class Quota {
 public:
  explicit Quota(int number) : number_(number) {}

  struct Shard {
    int used_ = 0;

    void use(int amount) {
      if (amount < 0) throw std::invalid_argument("negative");
      used_ += amount;
    }

    static int fold_used_(int x, const int& y) {
      if (x + y > 100) throw std::out_of_range("above the limit");
      return x + y;
    }
  };

  void use(int amount) {
    autoshard_.pending.use(amount);
    used_ += amount;
  }
  int used() const { return used_; }

 private:
  friend struct ::autoshard::Traits<Quota>;
  explicit Quota(::autoshard::Loading) : number_() {}

  int number_;
  int used_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace shop

template <>
struct autoshard::Traits<shop::Quota> {
  using Entity = shop::Quota;
  using Shard = Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Quota";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() { return std::tuple{}; }
  static constexpr auto sharded_properties() {
    return std::tuple{ShardedProperty{"used", 4, &Entity::used_, &Shard::used_, &Shard::fold_used_}};
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::use>) {
      shard.use(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of shop::Quota");
    }
  }
};
