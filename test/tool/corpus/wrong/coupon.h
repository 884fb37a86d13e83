#pragma once
// wrong:
#include <string>
// right:
// #include <chrono>
// #include <string>

namespace coupon {

class [[autoshard::entity]] Coupon {
 public:
  explicit Coupon(std::string code) : code_(code) {}

 private:
  [[autoshard::id]] std::string code_;
  // wrong:
  [[autoshard::expires]] long valid_until_ = 0;
  // expect: autoshard-expires: 'valid_until_' has type 'long'; the time at which an entity ends is a
  //     std::chrono::system_clock::time_point, a std::chrono::sys_time of integers, or a std::optional of one
  // right:
  // [[autoshard::expires]] std::chrono::system_clock::time_point valid_until_;
};

}  // namespace coupon
