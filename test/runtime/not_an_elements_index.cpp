// Must not compile: an index of elements is over one collection in main records, and nothing else. The
// generator refuses such a class, so its traits are written by hand.
#include <autoshard/autoshard.h>

#include <set>
#include <string>

struct Dish {
  std::string name;
  std::set<int> tags, likes;
};

template <>
struct autoshard::Traits<Dish> {
  static constexpr auto indexes() {
    auto unique = elements_index("tags", Property{"tags", &Dish::tags});
    unique.unique = true;
    return std::tuple{unique, elements_index("likes", Property{"likes", &Dish::likes}),
                      elements_index("name", Property{"name", &Dish::name})};
  }
  static constexpr auto sharded_properties() { return std::tuple{Property{"likes", &Dish::likes}}; }
};

const auto& indexes = autoshard::detail::kIndexTypes<Dish>;
