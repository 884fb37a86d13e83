#pragma once

#include <autoshard/generated.h>

#include <array>
#include <string_view>
#include <tuple>
#include <utility>

namespace bus {

inline int least_free = 0, most_free = 1000;

/// An entity as the generator makes them; of another release if `kRenamed`, in which its property has another
/// name.
template <bool kRenamed>
class Bus {
 public:
  explicit Bus(int number, int free = 0) : number_(number), free_(free) {}

  struct Shard {
    int free_ = 0;
    bool replaced_free_ = false;

    void take(int seats) { free_ -= seats; }
    void set_free(int seats) {
      replaced_free_ = true;
      free_ = seats;
    }
    static int fold_free_(int x, const int& y) { return x + y; }
    static int min_free_() { return least_free; }
    static int max_free_() { return most_free; }
  };

  void take(int);
  void set_free(int);
  int free() const { return free_; }

 private:
  friend struct ::autoshard::Traits<Bus>;
  explicit Bus(::autoshard::Loading) : number_() {}

  int number_;
  int free_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace bus

template <bool kRenamed>
struct autoshard::Traits<bus::Bus<kRenamed>> {
  using Entity = bus::Bus<kRenamed>;
  using Shard = typename Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Bus";
  static constexpr auto kId = &Entity::number_;
  static constexpr std::array<FormerName, kRenamed ? 1 : 0> kFormerNames = [] {
    std::array<FormerName, kRenamed ? 1 : 0> names{};
    if constexpr (kRenamed) names[0] = {"seats", "free"};
    return names;
  }();

  static constexpr auto properties() { return std::tuple{}; }
  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{kRenamed ? "free" : "seats", 4, &Entity::free_, &Shard::free_, &Shard::fold_free_}
            .replaced_by(&Shard::replaced_free_)
            .at_least(&Shard::min_free_)
            .at_most(&Shard::max_free_)};
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::take>) {
      shard.take(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::set_free>) {
      shard.set_free(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of bus::Bus");
    }
  }
};
