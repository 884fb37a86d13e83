#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace links {

// How often a short link was followed, of all time and lately.
class [[autoshard::entity]] ShortLink {
 public:
  ShortLink(std::string code, std::string target) : code_(std::move(code)), target_(std::move(target)) {}
  [[autoshard::shard_method]] void follow() {
    ++follows_;
    ++lately_;
  }

 private:
  [[autoshard::id]] std::string code_;
  std::string target_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{})]] std::uint64_t follows_ = 0;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{},
                         last = 86400, bucket = 1h)]]
                         // expect: autoshard-window-duration: 'last' has no unit; write 's', 'min', 'h' or
                         //     'd' after the number, as in '86400s'
  std::uint64_t lately_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{},
  //                        last = 24h, bucket = 1h)]]
  // std::uint64_t lately_ = 0;
};

}  // namespace links
