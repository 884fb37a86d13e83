#pragma once
#include <optional>
#include <string>

namespace warehouse {

class [[autoshard::entity]] Pallet {
 public:
  explicit Pallet(long number) : number_(number) {}

 private:
  [[autoshard::id]] long number_;
  [[autoshard::index]] std::string goods_;
  [[autoshard::index]] std::optional<int> shelf_;  // expect: autoshard-index-type
};

}  // namespace warehouse
