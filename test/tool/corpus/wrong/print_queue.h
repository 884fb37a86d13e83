#pragma once
#include <functional>
#include <memory>
#include <string>

namespace print {

struct Job {
  int pages = 0;
  bool in_colour = false;
};

class [[autoshard::entity]] Printer {
 public:
  explicit Printer(std::string name) : name_(std::move(name)) {}
  // wrong:
  [[autoshard::shard_method]] void print(std::unique_ptr<Job> job) { pages_ += job->pages; }
  // expect: autoshard-shard-method-parameter: parameter 'job' of shard method 'print' cannot be copied, but
  //     the method runs twice with it; pass a value that can be copied, or a const reference
  // right:
  // [[autoshard::shard_method]] void print(const Job& job) { pages_ += job.pages; }

 private:
  [[autoshard::id]] std::string name_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long pages_ = 0;
};

}  // namespace print
