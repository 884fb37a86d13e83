#pragma once

#include <autoshard/generated.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "operation.h"

namespace autoshard::simulation {

/// A class whose version 2 has an end of life, of which version 1 knows nothing. Both have the same sharded
/// members. Its companion is written by hand, see ledger.h; so both versions can be one template.
template <int kVersion>
class Permit {
 public:
  static constexpr bool kIsNew = kVersion == 2;
  using Ends = std::optional<std::chrono::sys_time<std::chrono::milliseconds>>;
  using List = std::vector<OperationId>;

  Permit(int number, const Operation& by, Ends ends = {})
      : number_(number), created_(by.id), saved_(by.id), ends_(kIsNew ? ends : Ends()) {}

  struct Shard {
    Effects uses_{};
    Effects seals_{};
    List signers_{};
    Effects passes_{};
    bool replaced_passes_ = false;
    int passed_ = 0;
    bool replaced_passed_ = false;

    void use(OperationId id) {
      user_code("a shard method");
      ++uses_[id];
    }
    void seal(OperationId id) { ++seals_[id]; }
    void sign(OperationId id) { signers_.push_back(id); }
    void pass(OperationId id) {
      ++passes_[id];
      ++passed_;
    }
    void restart(OperationId id) {
      replaced_passes_ = replaced_passed_ = true;
      passes_ = {{id, 1}};
      passed_ = 1;
    }

    static Effects fold_uses_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static Effects fold_seals_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static Effects fold_passes_(Effects x, const Effects& y) { return fold_effects(std::move(x), y); }
    static int fold_passed_(int x, const int& y) { return x + y; }
  };

  /// Runs shard methods on the object, and notes them for the next save.
  template <class Change>
  void update(const Change& change) {
    Shard now{uses_, seals_, signers_, passes_, false, passed_, false};
    change(now);
    change(autoshard_.pending);
    uses_ = now.uses_;
    seals_ = now.seals_;
    signers_ = now.signers_;
    passes_ = now.passes_;
    passed_ = now.passed_;
  }
  void save_by(const Operation& operation) { saved_ = operation.id; }

  int number() const { return number_; }
  OperationId created() const { return created_; }
  OperationId saved() const { return saved_; }
  const Ends& ends() const { return ends_; }
  const Effects& uses() const { return uses_; }
  const Effects& seals() const { return seals_; }
  const List& signers() const { return signers_; }
  /// Those of the last seconds, and how many they are.
  const Effects& passes() const { return passes_; }
  int passed() const { return passed_; }

  friend bool operator==(const Permit&, const Permit&) = default;

  // The shard methods by themselves, for `apply`.
  void use(OperationId id) {
    update([&](Shard& shard) { shard.use(id); });
  }
  void seal(OperationId id) {
    update([&](Shard& shard) { shard.seal(id); });
  }
  void sign(OperationId id) {
    update([&](Shard& shard) { shard.sign(id); });
  }
  void pass(OperationId id) {
    update([&](Shard& shard) { shard.pass(id); });
  }

 private:
  friend struct ::autoshard::Traits<Permit>;
  template <class>
  friend struct PermitTraits;
  explicit Permit(::autoshard::Loading) {}

  int number_ = 0;
  OperationId created_ = 0;
  OperationId saved_ = 0;
  Ends ends_;
  Effects uses_, seals_;
  List signers_;
  Effects passes_;
  int passed_ = 0;
  ::autoshard::State<Shard> autoshard_;
};

/// What the traits of both versions have.
template <class Permit>
struct PermitTraits {
  using Entity = Permit;
  using Shard = typename Entity::Shard;
  using Id = int;

  static constexpr std::string_view kKind = "Permit";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto sharded_properties() {
    using std::chrono::seconds;
    constexpr Window kExtent{.last = kWindow / seconds(1), .bucket = kBucket / seconds(1)};
    return std::tuple{
        ShardedProperty{"uses", 3, &Entity::uses_, &Shard::uses_, &Shard::fold_uses_},
        ShardedProperty{"seals", kDynamic, &Entity::seals_, &Shard::seals_, &Shard::fold_seals_},
        ShardedProperty{"signers", group(2), &Entity::signers_, &Shard::signers_, unite, kAnyOrder},
        ShardedProperty{"passes", adaptive(1, 4), &Entity::passes_, &Shard::passes_, &Shard::fold_passes_}
            .replaced_by(&Shard::replaced_passes_)
            .windowed(kExtent),
        ShardedProperty{"passed", 3, &Entity::passed_, &Shard::passed_, &Shard::fold_passed_}
            .replaced_by(&Shard::replaced_passed_)
            .folds_by(Fold::kSum)
            .windowed(kExtent),
    };
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::use>) {
      shard.use(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::seal>) {
      shard.seal(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::sign>) {
      shard.sign(std::forward<Args>(args)...);
    } else if constexpr (kSameMethod<kMethod, &Entity::pass>) {
      shard.pass(std::forward<Args>(args)...);
    } else {
      static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of Permit");
    }
  }
};

}  // namespace autoshard::simulation

template <>
struct autoshard::Traits<autoshard::simulation::Permit<1>>
    : autoshard::simulation::PermitTraits<autoshard::simulation::Permit<1>> {
  static constexpr auto properties() {
    return std::tuple{Property{"created", &Entity::created_}, Property{"saved", &Entity::saved_}};
  }
};

template <>
struct autoshard::Traits<autoshard::simulation::Permit<2>>
    : autoshard::simulation::PermitTraits<autoshard::simulation::Permit<2>> {
  static constexpr auto kExpires = &Entity::ends_;

  static constexpr auto properties() {
    return std::tuple{Property{"created", &Entity::created_}, Property{"saved", &Entity::saved_},
                      Property{"ends", &Entity::ends_}};
  }
};
