#include "contestants.h"
#include "question_10.autoshard.h"
#include "questions.h"

namespace autoshard::bench {

std::vector<Contestant> own_contestants() {
  using shards_10::Question;
  return {
      questions<Question>("autoshard", "apply, combined", {}),
      questions<Question>("autoshard-async", "apply_async, 2,000 under way a thread", {}, 2000),
      questions<Question>("autoshard-buffered", "apply, acknowledged before the commit",
                          {.durability = durability::buffered{}}),
      questions<Question>("autoshard-random-shard", "a random shard each time, as in the paper",
                          {.choice = ShardChoice::kRandom, .combine = false}),
  };
}

}  // namespace autoshard::bench
