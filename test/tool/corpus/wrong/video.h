#pragma once
#include <string>

namespace tube {

class [[autoshard::entity]] Video {
public:
    explicit Video(std::string id) : _id(std::move(id)) {}

    [[autoshard::shard_method]] void watched() { _views++; }
    // wrong:
    [[autoshard::shard_method]] auto views() const -> long { return _views; }
    // expect: autoshard-shard-method-const: shard method 'views' is const, so it cannot update anything; drop
    //     'const' or the attribute
    // right:
    // auto views() const -> long { return _views; }

private:
    [[autoshard::shard_fold]] static long sum(long x, long y) { return x + y; }

    [[autoshard::id]] std::string _id;
    std::string _title;
    [[autoshard::shardable(neutral = 0, shards = 64)]] long _views{0};
};

}  // namespace tube
