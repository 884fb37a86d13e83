#pragma once

/// Classes with a shard method, a fold or a neutral value that may have an effect somewhere in what it runs.

#include "test/tool/diagnostics/rule_case.h"

namespace autoshard::tool {

/// A question with one more shard method, of this body, and `before` it.
inline std::string updating(const std::string& body, const std::string& before) {
  return with_headers(before + question("[[autoshard::shard_method]] void f(int n) { " + body + " }"));
}

/// A question with another sharded member, with this fold and neutral value.
inline std::string folding(const std::string& fold, const std::string& neutral, const std::string& before) {
  return with_headers(before + question("[[autoshard::shard_method]] void f(int n) { sum_ += n; }",
                                        "[[autoshard::shardable(neutral = " + neutral +
                                            ", shards = 2, fold = " + fold + ")]] int sum_ = 0;"));
}

/// The same with a fold that is a method of this body.
inline std::string folding_by(const std::string& body, const std::string& before) {
  return with_headers(before +
                      question("[[autoshard::shard_fold(sum_)]] static int sum(int x, int y) { " + body +
                                   " }\n[[autoshard::shard_method]] void f(int n) { sum_ += n; }",
                               "[[autoshard::shardable(neutral = 0, shards = 2)]] int sum_ = 0;"));
}

}  // namespace autoshard::tool
