#pragma once

class [[autoshard::entity]] Visit {
 public:
  explicit Visit(int number) : number_(number) {}

 private:
  [[autoshard::id]] int number_;
};
