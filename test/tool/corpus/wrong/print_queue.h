#pragma once
#include <functional>
#include <memory>
#include <string>

namespace print {

struct Job {
  int pages = 0;
  std::string file;
};

class [[autoshard::entity]] Printer {
 public:
  explicit Printer(std::string name) : name_(std::move(name)) {}
  [[autoshard::shard_method]] void print(std::unique_ptr<Job> job) { pages_ += job->pages; }  // expect: autoshard-shard-method-parameter

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long pages_ = 0;
};

}  // namespace print
