#pragma once
#include <functional>
#include <string>

namespace radio {

// wrong:
#define PODCAST_KIND podcast_kind
inline constexpr const char* podcast_kind = "Podcast";
// right:
// #define PODCAST_KIND "Podcast"

// wrong:
class [[autoshard::entity(PODCAST_KIND)]] Podcast {
// expect: autoshard-kind: the kind of an entity is a string literal, as in 'entity("Podcast")'
// right:
// class [[autoshard::entity(PODCAST_KIND)]] Podcast {
 public:
  explicit Podcast(std::string feed) : feed_(std::move(feed)) {}
  [[autoshard::shard_method]] void downloaded() { ++downloads_; }

 private:
  [[autoshard::id]] std::string feed_;
  [[autoshard::shardable(neutral = 0, shards = 16, fold = std::plus<>{})]] unsigned long downloads_ = 0;
};

}  // namespace radio
