// Written by hand in a style of its own; what is generated follows the rest of the file's format.
#pragma once
#include <compare>

namespace metrics
{
  class [[autoshard::entity]]
  Counter
  {
  public:
    Counter() = default;
    explicit Counter(unsigned long long id) : id_(id) {}

    [[autoshard::shard_method]]
    auto increment(long by = 1) -> long
    {
      value_ += by;  /* { not a brace } */
      return by;
    }

    long value() const { return value_; }
    auto operator<=>(const Counter&) const = default;

  private:
    [[autoshard::id]] unsigned long long id_{};

    // Sharded, or a thousand processes wait for each other.
    [[autoshard::shardable(
        neutral = 0,
        shards = 100,
        fold = [](long a, long b) { return a + b; })]]
    long value_{};
  };
}
