#include <fmt/format.h>

#include "contestants.h"
#include "question_1.autoshard.h"
#include "question_16.autoshard.h"
#include "question_4.autoshard.h"
#include "question_64.autoshard.h"
#include "questions.h"

namespace autoshard::bench {
namespace {

template <class Question>
void add(std::vector<Contestant>& all, int shards) {
  const std::string name = fmt::format("autoshard-{}-", shards), what = fmt::format("{} shards, ", shards);
  all.push_back(questions<Question>(name + "combined", what + "updates combined", {}));
  all.push_back(questions<Question>(name + "sticky", what + "each thread keeps to one", {.combine = false}));
  all.push_back(questions<Question>(name + "random", what + "a random one each time",
                                    {.choice = ShardChoice::kRandom, .combine = false}));
}

}  // namespace

std::vector<Contestant> shard_contestants() {
  std::vector<Contestant> all;
  add<shards_1::Question>(all, 1);
  add<shards_4::Question>(all, 4);
  add<shards_16::Question>(all, 16);
  add<shards_64::Question>(all, 64);
  return all;
}

}  // namespace autoshard::bench
