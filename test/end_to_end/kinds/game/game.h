#pragma once

namespace game {

#ifdef OTHER_KIND
class [[autoshard::entity("GameAccount")]] Account {
#else
class [[autoshard::entity]] Account {
#endif
 public:
  explicit Account(int number) : number_(number) {}

 private:
  [[autoshard::id]] int number_;
};

}  // namespace game
