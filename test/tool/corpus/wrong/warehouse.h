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
  // expect: autoshard-index-type: 'shelf_' has type 'std::optional<int>', which has no order that a store can
  //     keep; an index is over integers, bools, enums, std::string, std::array of bytes, points in time or
  //     durations that are counted in integers, or structs with one of these as their only member and without
  //     constructors
  // right:
  // [[autoshard::index]] int shelf_ = -1;  // -1: on none
};

}  // namespace warehouse
