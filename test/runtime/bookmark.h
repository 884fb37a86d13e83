#pragma once

#include <autoshard/generated.h>

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

/// An entity as the generator makes them, with indexes of the elements of collections; without them if
/// `kIndexed` is false, as it was in an earlier version.
namespace reading {

template <bool kIndexed = true>
class Bookmark {
 public:
  explicit Bookmark(int number) : number_(number) {}

  int number() const { return number_; }

  std::string title;
  std::vector<std::string> tags;
  std::set<std::uint16_t> years;
  std::map<std::string, int> votes;
  std::array<unsigned char, 4> hash{};   // a key as a whole
  std::array<unsigned char, 4> marks{};  // each of them is one

 private:
  friend struct ::autoshard::Traits<Bookmark>;
  explicit Bookmark(::autoshard::Loading) : number_() {}

  int number_;
  ::autoshard::State<> autoshard_;
};

}  // namespace reading

template <bool kIndexed>
struct autoshard::Traits<reading::Bookmark<kIndexed>> {
  using Entity = reading::Bookmark<kIndexed>;
  using Shard = NoShard;
  using Id = int;

  static constexpr std::string_view kKind = "Bookmark";
  static constexpr auto kId = &Entity::number_;

  static constexpr auto properties() {
    return std::tuple{Property{"title", &Entity::title}, Property{"tags", &Entity::tags},
                      Property{"years", &Entity::years}, Property{"votes", &Entity::votes},
                      Property{"hash", &Entity::hash},   Property{"marks", &Entity::marks}};
  }
  static constexpr auto sharded_properties() { return std::tuple{}; }
  static constexpr auto indexes() {
    if constexpr (kIndexed) {
      return std::tuple{elements_index("tags", Property{"tags", &Entity::tags}),
                        elements_index("years", Property{"years", &Entity::years}),
                        elements_index("votes", Property{"votes", &Entity::votes}),
                        index("hash", Property{"hash", &Entity::hash}),
                        elements_index("marks", Property{"marks", &Entity::marks})};
    } else {
      return std::tuple{};
    }
  }

  struct Fields {
    static constexpr auto number = field<Entity>("number", &Entity::number_);
    static constexpr auto title = field<Entity>("title", &Entity::title);
    static constexpr auto tags = field<Entity>("tags", &Entity::tags);
    static constexpr auto years = field<Entity>("years", &Entity::years);
    static constexpr auto votes = field<Entity>("votes", &Entity::votes);
    static constexpr auto hash = field<Entity>("hash", &Entity::hash);
    static constexpr auto marks = field<Entity>("marks", &Entity::marks);
  };

  static Entity make() { return Entity(Loading{}); }
  static State<>& state(Entity& entity) { return entity.autoshard_; }
};
