#pragma once

namespace billing {

class [[autoshard::entity]] Account {
 public:
  explicit Account(int number) : number_(number) {}

 private:
  [[autoshard::id]] int number_;
};

}  // namespace billing
