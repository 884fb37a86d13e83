#pragma once
#include <string>

namespace tube {

class [[autoshard::entity]] Video {
public:
    explicit Video(std::string id) : _id(std::move(id)) {}

    [[autoshard::shard_method]] void watched() { _views++; }
    [[autoshard::shard_method]] auto views() const -> long { return _views; }  // expect: autoshard-shard-method-const

private:
    [[autoshard::shard_fold]] static long sum(long x, long y) { return x + y; }

    [[autoshard::id]] std::string _id;
    std::string _title;
    [[autoshard::shardable(neutral = 0, shards = 64)]] long _views{0};
};

}  // namespace tube
