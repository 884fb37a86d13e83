#include "contestants.h"
#include "question_10.autoshard.h"
#include "question_dynamic.autoshard.h"
#include "questions.h"

namespace autoshard::bench {

std::vector<Contestant> own_contestants() {
  using shards_10::Question;
  Contestant buffered = questions<Question>("autoshard-buffered", "apply, acknowledged before the commit",
                                            {.durability = durability::buffered{}});
  buffered.acknowledges_early = true;
  return {
      questions<Question>("autoshard", "apply, combined", {}),
      questions<Question>("autoshard-async", "apply_async, thousands under way", {}, 2000),
      buffered,
      questions<Question>("autoshard-random-shard", "a random shard each time, as in the paper",
                          {.choice = ShardChoice::kRandom, .combine = false}),
      questions<shards_dynamic::Question>("autoshard-dynamic", "apply, combined, a new record each commit",
                                          {}),
      questions<shards_dynamic::Question>("autoshard-dynamic-alone", "a new record each update",
                                          {.combine = false}),
  };
}

}  // namespace autoshard::bench
