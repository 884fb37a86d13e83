#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace office {

/// Who changed what. Used all over the place, by classes that are not stored, too.
class Audited {
 public:
  void touched_by(std::string who) { last_ = std::move(who); }

 private:
  std::string last_;
};

class [[autoshard::entity]] Document
    : public Audited {  // expect: autoshard-base-members
 public:
  explicit Document(long number) : number_(number) {}
  [[autoshard::shard_method]] void opened() { ++views_; }

 private:
  [[autoshard::id]] long number_;
  std::string text_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long views_ = 0;
};

}  // namespace office
