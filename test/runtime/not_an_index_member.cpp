// Must not compile: what has no order of bytes is no member of an index. The generator refuses such a class,
// so its traits are written by hand.
#include <autoshard/autoshard.h>

#include <string>

struct Weight {
  int id = 0;
  double kilograms = 0;
};

template <>
struct autoshard::Traits<Weight> {
  static constexpr auto indexes() {
    return std::tuple{index("kilograms", Property{"kilograms", &Weight::kilograms})};
  }
};

const auto& indexes = autoshard::detail::kIndexTypes<Weight>;
