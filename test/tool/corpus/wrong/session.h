#pragma once
#include <functional>
#include <string>
#include <vector>

namespace web {

class [[autoshard::entity]] Session {
 public:
  explicit Session(std::string token) : mToken(std::move(token)) {}
  [[autoshard::shard_method]] void request() { ++mRequests; }
  const std::string& token() const { return mToken; }

 private:
  [[autoshard::id]] std::string mToken;
  std::vector<std::string> mRoles;
  // wrong:
  // Only for the time that the user is logged in.
  [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]]
  [[autoshard::transient]] int mRequests = 0;
  // expect: autoshard-contradiction: 'mRequests' cannot be both '[[autoshard::shardable]]' and
  //     '[[autoshard::transient]]'; keep one of them
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 2, fold = std::plus<>{})]]
  // int mRequests = 0;
};

}  // namespace web
