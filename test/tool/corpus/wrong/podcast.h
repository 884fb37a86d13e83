#pragma once
#include <functional>
#include <string>

namespace radio {

#define PODCAST_KIND podcast_kind
inline constexpr const char* podcast_kind = "Podcast";

class [[autoshard::entity(PODCAST_KIND)]] Podcast {  // expect: autoshard-kind
 public:
  explicit Podcast(std::string feed) : feed_(std::move(feed)) {}
  [[autoshard::shard_method]] void downloaded() { ++downloads_; }

 private:
  [[autoshard::id]] std::string feed_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{})]] unsigned long downloads_ = 0;
};

}  // namespace radio
