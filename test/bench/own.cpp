#include <autoshard/monitor.h>

#include "contestants.h"
#include "question_10.autoshard.h"
#include "question_dynamic.autoshard.h"
#include "questions.h"

namespace autoshard::bench {

namespace {

#ifdef AUTOSHARD_HAS_MONITOR
/// Votes while a monitor observes the mapper.
class Monitored final : public Counters {
 public:
  explicit Monitored(const Setting& setting) : votes_(setting, {}, 0) {}

  void run(Lap& lap) override { votes_.run(lap); }
  std::uint64_t total() override { return votes_.total(); }

 private:
  Questions<shards_10::Question> votes_;
  Monitor monitor_{votes_.mapper(), {.port = 0}};
};
#endif

}  // namespace

std::vector<Contestant> own_contestants() {
  using shards_10::Question;
  Contestant buffered = questions<Question>("autoshard-buffered", "apply, acknowledged before the commit",
                                            {.durability = durability::buffered{}});
  buffered.acknowledges_early = true;
  std::vector<Contestant> contestants = {
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
#ifdef AUTOSHARD_HAS_MONITOR
  contestants.push_back({"autoshard-monitored", "apply, combined, with a monitor",
                         [](const Setting& setting) { return std::make_unique<Monitored>(setting); }});
#endif
  return contestants;
}

}  // namespace autoshard::bench
