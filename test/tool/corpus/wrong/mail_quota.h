#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace mail_quota {

inline constexpr std::int32_t kMailsOfADay = 500;

class [[autoshard::entity]] Sender {
 public:
  explicit Sender(std::string address) : address_(std::move(address)) {}
  [[autoshard::shard_method]] void send(std::int32_t mails) { sent_ += mails; }

 private:
  [[autoshard::id]] std::string address_;
  // wrong:
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, last = 24h, bucket = 1h,
                         max = kMailsOfADay)]]
                         // expect: autoshard-window-bounded: 'sent_' has a window, so its value changes as
                         //     time passes, and no bound can be kept; remove 'min' and 'max', or 'last' and
                         //     'bucket'
  std::int32_t sent_ = 0;
  // right:
  // [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{}, last = 24h, bucket = 1h)]]
  // std::int32_t sent_ = 0;
};

}  // namespace mail_quota
