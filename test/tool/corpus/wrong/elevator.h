#pragma once
#include <functional>

namespace building {

class [[autoshard::entity]] Elevator {
public:
	explicit Elevator(int number) : number(number) {}

	[[autoshard::shard_method]] void ride(int floors) { this->floors += floors < 0 ? -floors : floors; }

private:
	[[autoshard::id]] int number;
	// wrong:
	[[autoshard::shardable(neutral = 0,
	                       shard = 4,
	                       // expect: autoshard-unknown-argument: '[[autoshard::shardable]]' has no argument
	                       //     'shard'; did you mean 'shards'?
	                       shards = 4,
	                       fold = std::plus<>{})]]
	long floors = 0;
	// right:
	// [[autoshard::shardable(neutral = 0,
	//                        shards = 4,
	//                        fold = std::plus<>{})]]
	// long floors = 0;
};

}  // namespace building
