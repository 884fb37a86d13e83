#pragma once

#include <autoshard/generated.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

/// An entity as the generator makes them, with a property of nearly every type that there is.
namespace museum {

struct Label {
  std::string text;
  std::optional<int> size;
  std::vector<Label> parts;
};

class Specimen {
 public:
  Specimen(std::string cabinet, std::uint32_t drawer) : cabinet_(std::move(cabinet)), drawer_(drawer) {}

  std::uint64_t natural = 0;
  std::int64_t integer = 0;
  double real = 0;
  float single = 0;
  bool shown = false;
  std::string text;
  std::chrono::sys_seconds found{};
  std::optional<std::optional<int>> maybe;
  std::vector<double> weights;
  std::array<std::int8_t, 3> place{};
  std::map<std::string, std::string> notes;
  std::map<int, std::string> numbered;
  std::unordered_map<std::string, std::vector<int>> table;
  std::variant<std::monostate, int, std::string> kind;
  std::pair<int, std::string> pair;
  Label label;

  void visit(std::int64_t by) {
    autoshard_.pending.visit(by);
    visits_ += by;
  }
  void see(std::string who) {
    autoshard_.pending.see(who);
    visitors_.insert(std::move(who));
  }
  std::int64_t visits() const { return visits_; }
  const std::set<std::string>& visitors() const { return visitors_; }

  struct Shard {
    std::int64_t visits_ = 0;
    std::set<std::string> visitors_{};

    void visit(std::int64_t by) { visits_ += by; }
    void see(std::string who) { visitors_.insert(std::move(who)); }

    static std::int64_t fold_visits(std::int64_t x, const std::int64_t& y) {
      return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
    }
    static std::set<std::string> fold_visitors(std::set<std::string> x, const std::set<std::string>& y) {
      x.insert(y.begin(), y.end());
      return x;
    }
  };

 private:
  friend struct ::autoshard::Traits<Specimen>;
  explicit Specimen(::autoshard::Loading) : drawer_() {}

  std::string cabinet_;
  std::uint32_t drawer_;
  std::int64_t visits_ = 0;
  std::set<std::string> visitors_;
  ::autoshard::State<Shard> autoshard_;
};

/// With bytes for an id, which it has alone.
class Crate {
 public:
  using Id = std::array<std::byte, 4>;

  explicit Crate(Id id) : id_(id) {}

  std::string content;

 private:
  friend struct ::autoshard::Traits<Crate>;
  explicit Crate(::autoshard::Loading) : id_() {}

  Id id_;
  ::autoshard::State<> autoshard_;
};

}  // namespace museum

template <>
struct autoshard::Traits<museum::Specimen> {
  using Entity = museum::Specimen;
  using Shard = Entity::Shard;
  using Id = std::tuple<std::string, std::uint32_t>;

  static constexpr std::string_view kKind = "Specimen";
  static constexpr std::tuple kId{&Entity::cabinet_, &Entity::drawer_};
  static constexpr std::array kFormerNames{FormerName{"remarks", "notes"}, FormerName{"guests", "visitors"}};

  static constexpr auto properties() {
    return std::tuple{
        Property{"natural", &Entity::natural}, Property{"integer", &Entity::integer},
        Property{"real", &Entity::real},       Property{"single", &Entity::single},
        Property{"shown", &Entity::shown},     Property{"text", &Entity::text},
        Property{"found", &Entity::found},     Property{"maybe", &Entity::maybe},
        Property{"weights", &Entity::weights}, Property{"place", &Entity::place},
        Property{"notes", &Entity::notes},     Property{"numbered", &Entity::numbered},
        Property{"table", &Entity::table},     Property{"kind", &Entity::kind},
        Property{"pair", &Entity::pair},       Property{"label", &Entity::label},
    };
  }
  static void before_save(Entity& entity) { entity.text += " saved"; }
  static void after_load(Entity& entity) { entity.text += " loaded"; }

  static constexpr auto sharded_properties() {
    return std::tuple{
        ShardedProperty{"visits", 4, &Entity::visits_, &Shard::visits_, &Shard::fold_visits},
        ShardedProperty{"visitors", kDynamic, &Entity::visitors_, &Shard::visitors_, &Shard::fold_visitors},
    };
  }
  static constexpr auto members(const museum::Label*) {
    return std::tuple{Property{"text", &museum::Label::text}, Property{"size", &museum::Label::size},
                      Property{"parts", &museum::Label::parts}};
  }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard& shard, Args&&... args) {
    if constexpr (kSameMethod<kMethod, &Entity::visit>) {
      shard.visit(std::forward<Args>(args)...);
    } else {
      static_assert(kSameMethod<kMethod, &Entity::see>,
                    "this is no [[autoshard::shard_method]] of museum::Specimen");
      shard.see(std::forward<Args>(args)...);
    }
  }
};

template <>
struct autoshard::Traits<museum::Crate> {
  using Entity = museum::Crate;
  using Shard = NoShard;
  using Id = Entity::Id;

  static constexpr std::string_view kKind = "Crate";
  static constexpr auto kId = &Entity::id_;

  static constexpr auto properties() { return std::tuple{Property{"content", &Entity::content}}; }
  static constexpr auto sharded_properties() { return std::tuple{}; }

  static Entity make() { return Entity(Loading{}); }
  static State<Shard>& state(Entity& entity) { return entity.autoshard_; }

  template <auto kMethod, class... Args>
  static void run(Shard&, Args&&...) {
    static_assert(kNotAShardMethod<kMethod>, "this is no [[autoshard::shard_method]] of museum::Crate");
  }
};
