#pragma once

#include <autoshard/generated.h>

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

/// An entity as the generator makes them, with indexes of elements before indexes of values, and an end; in
/// its first version without the members that are indexed by elements.
namespace market {

using Clock = std::chrono::system_clock;

template <bool kTagged>
class BasicListing {
 public:
  explicit BasicListing(int number, std::string its_code = "") : code(std::move(its_code)), number_(number) {}

  int number() const { return number_; }

  std::vector<std::string> tags = {"new"};  // the default of records that an earlier version has written
  std::set<int> sizes;
  std::string seller;
  std::string code;
  std::optional<Clock::time_point> until;

 private:
  friend struct ::autoshard::Traits<BasicListing>;
  explicit BasicListing(::autoshard::Loading) : number_() {}

  int number_;
  ::autoshard::State<> autoshard_;
};

using Listing = BasicListing<true>;
using FirstListing = BasicListing<false>;

}  // namespace market

template <bool kTagged>
struct autoshard::Traits<market::BasicListing<kTagged>> {
  using Entity = market::BasicListing<kTagged>;
  using Shard = NoShard;
  using Id = int;

  static constexpr std::string_view kKind = "Listing";
  static constexpr auto kId = &Entity::number_;
  static constexpr auto kExpires = &Entity::until;

  static constexpr auto properties() {
    const std::tuple first{Property{"seller", &Entity::seller}, Property{"code", &Entity::code},
                           Property{"until", &Entity::until}};
    if constexpr (kTagged) {
      return std::tuple_cat(std::tuple{Property{"tags", &Entity::tags}, Property{"sizes", &Entity::sizes}},
                            first);
    } else {
      return first;
    }
  }
  static constexpr auto sharded_properties() { return std::tuple{}; }
  static constexpr auto indexes() {
    const std::tuple first{index("seller", Property{"seller", &Entity::seller}),
                           unique_index("code", Property{"code", &Entity::code})};
    if constexpr (kTagged) {
      return std::tuple_cat(std::tuple{elements_index("tags", Property{"tags", &Entity::tags}),
                                       elements_index("sizes", Property{"sizes", &Entity::sizes})},
                            first);
    } else {
      return first;
    }
  }

  struct Fields {
    static constexpr auto number = field<Entity>("number", &Entity::number_);
    static constexpr auto tags = field<Entity>("tags", &Entity::tags);
    static constexpr auto sizes = field<Entity>("sizes", &Entity::sizes);
    static constexpr auto seller = field<Entity>("seller", &Entity::seller);
    static constexpr auto code = field<Entity>("code", &Entity::code);
    static constexpr auto until = field<Entity>("until", &Entity::until);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<>& state(Entity& entity) { return entity.autoshard_; }
};
