#pragma once
#include <functional>
#include <string>

namespace crawler {

// Its methods are defined in crawler.cc, which nobody named.
class [[autoshard::entity]] Host {
 public:
  explicit Host(std::string name);

  // wrong:
  [[autoshard::shard_method]] void fetched(long bytes);
  // expect: autoshard-shard-method-body: the definition of shard method 'fetched' is missing; write it into
  //     this header, or name the source that has it (--source, or SOURCES of autoshard_generate)
  // right:
  // [[autoshard::shard_method]] void fetched(long bytes) { bytes_ += bytes; }
  long bytes() const;

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] long bytes_ = 0;
};

}  // namespace crawler
