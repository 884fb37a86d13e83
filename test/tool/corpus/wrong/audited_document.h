#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace office {

/// Who changed what. Used all over the place, by classes that are not stored, too.
// wrong:
class Audited {
// right:
// class [[autoshard::mapped]] Audited {
 public:
  void touched_by(std::string who) { last_ = std::move(who); }

 private:
  std::string last_;
};

// wrong:
class [[autoshard::entity]] Document
    : public Audited {
    // expect: autoshard-base-members: base class 'office::Audited' has data members, which are stored only if
    //     it is marked [[autoshard::mapped]] and inherited publicly; mark it, make it a member of 'Document',
    //     or move its members here
// right:
// class [[autoshard::entity]] Document
//     : public Audited {
 public:
  explicit Document(long number) : number_(number) {}
  [[autoshard::shard_method]] void opened() { ++views_; }

 private:
  [[autoshard::id]] long number_;
  std::string text_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long views_ = 0;
};

}  // namespace office
