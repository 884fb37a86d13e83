// The version of the class Crossing before its cars were sharded.
#pragma once

namespace ferry {

class [[autoshard::entity("Crossing")]] EarlierCrossing {
 public:
  explicit EarlierCrossing(int number, int cars = 0) : number_(number), cars_(cars) {}

 private:
  [[autoshard::id]] int number_;
  int cars_ = 0;
};

}  // namespace ferry
