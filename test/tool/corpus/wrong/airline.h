#pragma once
#include <cctype>
#include <functional>
#include <stdexcept>
#include <string>

namespace airline {

/// `FRA`, `CDG`. There is no airport without a code.
// wrong:
class [[autoshard::embedded]] Airport {
// expect: autoshard-part-default: embedded class 'Airport' has no default constructor, which a load needs;
//     add one, which must be public
 public:
  explicit Airport(std::string code) : code_(std::move(code)) {
// right:
// class [[autoshard::embedded]] Airport {
//  public:
//   Airport() = default;
//   explicit Airport(std::string code) : code_(std::move(code)) {
    if (code_.size() != 3) throw std::invalid_argument("an airport has three letters: " + code_);
  }
  const std::string& code() const { return code_; }

 private:
  std::string code_;
};

class [[autoshard::entity]] Flight {
 public:
  explicit Flight(std::string number) : number_(std::move(number)) {}
  [[autoshard::shard_method]] void boarded() { ++passengers_; }

 private:
  [[autoshard::id]] std::string number_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] int passengers_ = 0;
};

}  // namespace airline
