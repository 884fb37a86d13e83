// Members that conditions compare with values of other types: structs of one value, and values that may be
// missing.
#pragma once

#include <optional>

namespace market {

struct OfferId {
  int number = 0;
};
struct Money {
  long cents = 0;
};

struct [[autoshard::entity]] Offer {
  explicit Offer(OfferId its_id) : id(its_id) {}

  [[autoshard::id]] OfferId id;
  [[autoshard::index]] Money price;
  std::optional<unsigned> stars;
  std::optional<int> rank;
  double weight = 0;
};

}  // namespace market
