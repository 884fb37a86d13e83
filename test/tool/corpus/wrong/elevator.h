#pragma once
#include <functional>

namespace building {

class [[autoshard::entity]] Elevator {
public:
	explicit Elevator(int number) : number(number) {}

	[[autoshard::shard_method]] void ride(int floors) { this->floors += floors < 0 ? -floors : floors; }

private:
	[[autoshard::id]] int number;
	[[autoshard::shardable(neutral = 0,
	                       shard = 4,  // expect: autoshard-unknown-argument
	                       shards = 4,
	                       fold = std::plus<>{})]]
	long floors = 0;
};

}  // namespace building
