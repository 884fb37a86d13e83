// The entity of the examples in runtime/FORMAT.md: it has records of every kind.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace school {

using Time = std::chrono::sys_time<std::chrono::milliseconds>;

class [[autoshard::entity]] [[autoshard::sharded_index(name = ByTeacher, key = teacher, order = begins,
                                                       shards = 4)]] Course {
 public:
  explicit Course(int number) : number_(number) {}

  int number() const { return number_; }
  int votes() const { return votes_; }
  int views() const { return views_; }
  int seats() const { return seats_; }
  const std::vector<std::string>& questions() const { return questions_; }
  const std::set<std::string>& members() const { return members_; }
  const std::map<std::string, int>& ratings() const { return ratings_; }

  [[autoshard::shard_method]] void vote(int votes) { votes_ += votes; }
  [[autoshard::shard_write]] void count_again(int votes) { votes_ = votes; }
  [[autoshard::shard_method]] void view() {
    ++views_;
    ++visits_;
  }
  [[autoshard::shard_method]] void enrol(const std::string& member) {
    members_.insert(member);
    --seats_;
  }
  [[autoshard::shard_method]] void ask(const std::string& question) { questions_.push_back(question); }
  [[autoshard::shard_method]] void rate(const std::string& member, int stars) {
    ratings_.insert_or_assign(member, stars);
  }

  [[autoshard::index(unique)]] std::string title;
  std::string teacher;
  Time begins{};
  [[autoshard::index(elements)]] std::set<std::string> tags;
  [[autoshard::expires]] std::optional<Time> until;

 private:
  static constexpr int kSeats = 100;

  [[autoshard::id]] int number_;
  [[autoshard::index(staleness = 10),
    autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int votes_ = 0;
  [[autoshard::shardable(neutral = 0, fold = std::plus<>{})]] int views_ = 0;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, min = 0, max = kSeats)]] int seats_ =
      0;
  [[autoshard::shard_group(shards = 8)]] std::vector<std::string> questions_;
  [[autoshard::shard_group(shards = 4)]] std::set<std::string> members_;
  [[autoshard::shard_group(shards = 4), autoshard::also_load("stars")]] std::map<std::string, int> ratings_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{}, last = 24h,
                         bucket = 1h)]] int visits_ = 0;
};

}  // namespace school
