#pragma once
#include <autoshard/generated.h>
#if AUTOSHARD_GENERATED_FORMAT != 4
#error "the AutoShard plugin is of another version than the AutoShard runtime: install them together"
#endif
#ifndef COUNTER_H
#define COUNTER_H

#include <string>
#include <utility>

namespace metrics {

inline namespace sharded {

/// Counts, in a way that makes its lines tell.
class                       Counter {
 public:
  explicit Counter(std::string name) : name_(std::move(name)) {}

                              int add(
      int pieces,
      int more = 0);
                              void increment();
                            static int sum(int x, int y) { return x + y; }

  int count() const { return count_; }
  static int line() { return __LINE__; }

 private:
                    std::string name_;
  int count_ = 0;

 public:
  /// The sharded members of Counter alone, each neutral until a shard method changes it.
  struct Shard {
    int count_ = 0;

    int add(int pieces, int more = 0)
  {
    const int line = __LINE__;
    count_ += pieces;
    if (more > 0) {
      count_ += more;
    }
    return line;
  }
    void increment()                           { ++count_; }

    static int fold_count_(int x, int y) { return Counter::sum(x, y); }
  };

 private:
  friend struct ::autoshard::Traits<Counter>;
  explicit Counter(::autoshard::Loading) {}

  /// For shard methods: each sharded member, and the member of Shard that holds its updates.
  struct Sharded {
    static constexpr ::autoshard::ShardedMember count_{&Counter::count_, &Shard::count_};
  };

  /// Bookkeeping of the mapper; not part of the entity's value.
  ::autoshard::State<Shard> autoshard_ = {};
};

inline int Counter::add(int pieces, int more) {
  return autoshard_.update<Sharded::count_>(*this, [&](Shard& shard) { return shard.add(pieces, more); });
}

inline void Counter::increment() {
  autoshard_.update<Sharded::count_>(*this, [](Shard& shard) { shard.increment(); });
}

}  // namespace sharded

}  // namespace metrics

/// How the mapper reads and writes metrics::Counter.
template <>
struct autoshard::Traits<::metrics::Counter> {
  using Entity = ::metrics::Counter;
  using Shard = Entity::Shard;
  using Id = std::string;

  static constexpr std::string_view kKind = "Counter";
  static constexpr auto kId = &Entity::name_;
  static_assert(kIsTypeOf<Id, decltype(kId)>,
  "the generator has read another type of id; run it with the flags of this compilation");

  static constexpr auto properties() {
    return std::tuple{
    };
  }

  static constexpr auto sharded_properties() {
    return std::tuple{
      ShardedProperty{"count", 4, &Entity::count_, &Shard::count_, &Shard::fold_count_}.folds_by(Fold::kSum),
    };
  }

  /// For queries: `using q = autoshard::Fields<metrics::Counter>;`
  struct Fields {
    static constexpr auto name = field<Entity>("name", &Entity::name_);
    static constexpr auto count = field<Entity>("count", &Entity::count_);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::add>) {
      shard.add(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::increment>) {
      shard.increment(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of metrics::Counter");
    }
  }
};

namespace metrics {

inline int line_behind() { return __LINE__; }

}  // namespace metrics

#endif
