// An end of life that may be missing, and one that is always there.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace permits {

using Clock = std::chrono::system_clock;

class [[autoshard::entity]] Permit {
 public:
  explicit Permit(std::string holder, std::optional<Clock::time_point> until = {})
      : expires(until), holder_(std::move(holder)) {}

  const std::string& holder() const { return holder_; }
  long uses() const { return uses_; }
  [[autoshard::shard_method]] void use(long times) { uses_ += times; }

  [[autoshard::expires]] std::optional<Clock::time_point> expires;
  std::string zone;

 private:
  [[autoshard::id]] std::string holder_;
  [[autoshard::shardable(neutral = 0, shards = 4, fold = std::plus<>{})]] long uses_ = 0;
};

/// Without a sharded member.
class [[autoshard::entity]] Ticket {
 public:
  explicit Ticket(int number, std::chrono::sys_days last = {}) : day(last), number_(number) {}

  [[autoshard::expires]] std::chrono::sys_days day;

 private:
  [[autoshard::id]] int number_;
};

}  // namespace permits
