#include <fmt/format.h>

#include <stdexcept>

#include "contestants.h"
#include "open_store.h"
#include "peer.h"
#include "question_1.autoshard.h"
#include "question_10.autoshard.h"
#include "question_64.autoshard.h"
#include "questions.h"

namespace autoshard::bench {
namespace {

constexpr int kVotesAShard = 6;  // on average: few shards are without any

/// Makes questions with votes on all shards, where there are none.
template <class Question>
void fill(const Setting& setting, int votes) {
  RocksDbStore store(setting.folder, {.sync = false, .minimum_free_bytes = 0});
  Mapper mapper(store, {.choice = ShardChoice::kRandom, .combine = false});
  if (mapper.exists<Question>(setting.entities - 1)) return;
  for (int id = 0; id < setting.entities; ++id) {
    for (int vote = 0; vote == 0 || vote < votes; ++vote) {
      if (vote == 0) mapper.save(Question{id, "Who is next?", "Phil R"});
      mapper.apply<&Question::voteUp>(id);
    }
  }
}

/// Reads, instead of counting; what it reads is checked.
template <class Load>
class Reading final : public Counters {
 public:
  Reading(Load load, int votes) : load_(std::move(load)), votes_(votes) {}

  void run(Lap& lap) override {
    run_blocking(lap, [this](int id) {
      const int votes = load_(id);
      if (votes != votes_) throw std::runtime_error(fmt::format("{} votes, {} were given", votes, votes_));
      return true;
    });
  }
  std::uint64_t total() override { return 0; }

 private:
  Load load_;
  const int votes_;
};

template <class Load>
std::unique_ptr<Counters> reading(Load load, int votes) {
  return std::make_unique<Reading<Load>>(std::move(load), votes);
}

template <class Question>
void add(std::vector<Contestant>& all, int shards) {
  const int votes = kVotesAShard * shards;
  all.push_back({fmt::format("autoshard-load-{}", shards), fmt::format("load, {} shards", shards),
                 [=](const Setting& setting) {
                   fill<Question>(setting, votes);
                   auto open = std::make_shared<OpenStore>(setting.folder);
                   return reading([open](int id) { return open->mapper.load<Question>(id).value().votes(); },
                                  votes);
                 }});
  all.push_back({fmt::format("peer-load-{}", shards), fmt::format("by hand, {} shards", shards),
                 [=](const Setting& setting) {
                   fill<Question>(setting, votes);
                   auto peer =
                       std::make_shared<PeerStore>(setting.folder, false, fmt::format("Question{}", shards));
                   return reading([peer](int id) { return peer->load(id).value().votes; }, votes);
                 }});
}

}  // namespace

std::vector<Contestant> load_contestants() {
  std::vector<Contestant> all;
  add<shards_1::Question>(all, 1);
  add<shards_10::Question>(all, 10);
  add<shards_64::Question>(all, 64);
  return all;
}

}  // namespace autoshard::bench
