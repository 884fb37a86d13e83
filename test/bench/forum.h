#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

/// What `autoshard_bench query` asks about.
namespace forum {

class [[autoshard::entity]] Question {
 public:
  Question(int id, std::string question, std::string author, int day)
      : id_(id), question_(std::move(question)), author_(std::move(author)), day_(day) {}

  [[autoshard::shard_method]] void add(int votes) { votes_ += votes; }

  int day() const { return day_; }
  int votes() const { return votes_; }

 private:
  [[autoshard::id]] int id_;
  std::string question_;
  [[autoshard::index]] std::string author_;
  [[autoshard::index]] int day_;
  [[autoshard::index, autoshard::shardable(neutral = 0, shards = 10, fold = std::plus<>{})]] int votes_ = 0;
};

class [[autoshard::entity,
        autoshard::sharded_index(name = ByCompany, key = company_, order = time_, shards = 10)]] LogEntry {
 public:
  LogEntry(int number, std::string company, std::int64_t time, std::string action)
      : number_(number), company_(std::move(company)), time_(time), action_(std::move(action)) {}

  std::int64_t time() const { return time_; }

 private:
  [[autoshard::id]] int number_;
  std::string company_;
  std::int64_t time_;
  std::string action_;
};

}  // namespace forum
