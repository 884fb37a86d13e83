#pragma once
#include <string>

namespace mail_archive {

class [[autoshard::entity]]
// wrong:
[[autoshard::sharded_index(name = BySender, key = sender_, order = sent_, shards = 8)]]
[[autoshard::sharded_index(name = BySender, key = receiver_, order = sent_, shards = 8)]]
// expect: autoshard-index-name: 'BySender' is the name of something else in 'Mail'; give the index another
//     one
// right:
// [[autoshard::sharded_index(name = BySender, key = sender_, order = sent_, shards = 8)]]
// [[autoshard::sharded_index(name = ByReceiver, key = receiver_, order = sent_, shards = 8)]]
Mail {
 public:
  explicit Mail(long id) : id_(id) {}

 private:
  [[autoshard::id]] long id_;
  std::string sender_;
  std::string receiver_;
  long sent_ = 0;
};

}  // namespace mail_archive
