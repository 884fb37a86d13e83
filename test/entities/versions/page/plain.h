// The version of the class Page whose clicks were plain properties.
#pragma once

#include <algorithm>
#include <string>

namespace pages {

class [[autoshard::entity("Page")]] PlainPage {
 public:
  explicit PlainPage(int number) : number_(number) {}

  int number() const { return number_; }
  long clicks() const { return clicks_; }

  void click(long times, int milliseconds) {
    clicks_ += times;
    slowest_ = std::max(slowest_, static_cast<unsigned>(milliseconds));
  }

  std::string title;

 private:
  [[autoshard::id]] int number_;
  long clicks_ = 0;
  unsigned slowest_ = 0;
};

}  // namespace pages
