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
  // wrong:
  [[autoshard::index]] std::optional<int> shelf_;
  // expect: autoshard-index-type: 'shelf_' has type 'std::optional<int>', which an index cannot sort by; use
  //     an integer, a bool, an enum, std::string, a time counted in integers, an array of bytes, or a struct
  //     of one of these
  // right:
  // [[autoshard::index]] int shelf_ = -1;  // -1: on none
};

}  // namespace warehouse
