#pragma once
#include <string>

namespace coupon {

class [[autoshard::entity]] Coupon {
 public:
  explicit Coupon(std::string code) : code_(code) {}

 private:
  [[autoshard::id]] std::string code_;
  [[autoshard::expires]] long valid_until_ = 0;  // expect: autoshard-expires
};

}  // namespace coupon
