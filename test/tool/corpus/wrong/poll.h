#pragma once
#include <functional>
#include <string>

namespace tv {

/// Not an entity: it lives as long as the show.
// wrong:
class Poll {
 public:
  [[autoshard::shard_method]] void call() { ++calls_; }
  // expect: autoshard-misplaced: '[[autoshard::shard_method]]' means nothing on a method of a class that is
  //     no entity; it belongs on a method of an entity, so mark 'Poll' [[autoshard::entity]]

 private:
  int calls_ = 0;
// right:
// class Poll {
//  public:
//   void call() { ++calls_; }
//
//  private:
//   int calls_ = 0;
};

class [[autoshard::entity]] Show {
 public:
  explicit Show(std::string title) : title_(std::move(title)) {}
  [[autoshard::shard_method]] void watched() { ++viewers_; }

 private:
  [[autoshard::id]] std::string title_;
  [[autoshard::transient]] Poll poll_;
  [[autoshard::shardable(neutral = 0, shards = 8, fold = std::plus<>{})]] int viewers_ = 0;
};

}  // namespace tv
