#pragma once
#include <string>

namespace call_log {

// The member has been renamed since.
class [[autoshard::entity]] [[autoshard::sharded_index(
    name = ByCaller,
    key = caller_number_,  // expect: autoshard-index-member
    order = started_,
    shards = 8)]] Call {
 public:
  explicit Call(long id) : id_(id) {}

 private:
  [[autoshard::id]] long id_;
  std::string number_of_caller_;
  long started_ = 0;
};

}  // namespace call_log
