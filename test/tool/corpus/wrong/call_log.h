#pragma once
#include <string>

namespace call_log {

// The member has been renamed since.
// wrong:
class [[autoshard::entity]] [[autoshard::sharded_index(
    name = ByCaller,
    key = caller_number_,
    // expect: autoshard-index-member: 'Call' has no data member 'caller_number_'; use 'id_',
    //     'number_of_caller_' or 'started_'
    order = started_,
    shards = 8)]] Call {
// right:
// class [[autoshard::entity]] [[autoshard::sharded_index(
//     name = ByCaller,
//     key = number_of_caller_,
//     order = started_,
//     shards = 8)]] Call {
 public:
  explicit Call(long id) : id_(id) {}

 private:
  [[autoshard::id]] long id_;
  // wrong:
  std::string number_of_caller_;
  long started_ = 0;
  // right:
  // std::string number_of_caller_;
  // long started_ = 0;
};

}  // namespace call_log
