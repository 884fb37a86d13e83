#pragma once

#include <autoshard/generated.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

namespace ship {

/// An entity as the generator makes them, with a bound that is the greatest integer, and a property of
/// another name before.
class Hold {
 public:
  explicit Hold(int number, std::int64_t tons = 0) : number_(number), tons_(tons) {}

  struct Shard {
    std::int64_t tons_ = 0;
    int loads_ = 0;

    void load(std::int64_t tons) {
      tons_ += tons;
      ++loads_;
    }
    static std::int64_t fold_tons_(std::int64_t x, const std::int64_t& y) { return x + y; }
    static int fold_loads_(int x, const int& y) { return x + y; }
    static std::int64_t min_tons_() { return 0; }
    static std::int64_t max_tons_() { return std::numeric_limits<std::int64_t>::max(); }
  };

  void load(std::int64_t);
  std::int64_t tons() const { return tons_; }
  int loads() const { return loads_; }

 private:
  friend struct ::autoshard::Traits<Hold>;
  explicit Hold(::autoshard::Loading) : number_() {}

  int number_;
  std::int64_t tons_ = 0;
  int loads_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

}  // namespace ship

template <>
struct autoshard::Traits<ship::Hold> {
  using Entity = ship::Hold;
  using Shard = Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Hold";
  static constexpr auto kId = &Entity::number_;
  static constexpr std::array<FormerName, 1> kFormerNames = {FormerName{"visits", "loads"}};

  static constexpr auto properties() { return std::tuple{}; }
  static constexpr auto sharded_properties() {
    return std::tuple{ShardedProperty{"tons", 2, &Entity::tons_, &Shard::tons_, &Shard::fold_tons_}
                          .at_least(&Shard::min_tons_)
                          .at_most(&Shard::max_tons_),
                      ShardedProperty{"loads", 2, &Entity::loads_, &Shard::loads_, &Shard::fold_loads_}};
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    static_assert(kSameMethod<kMethod, &Entity::load>,
                  "this is no [[autoshard::shard_method]] of ship::Hold");
    shard.load(std::forward<Args>(args)...);
  }
};
