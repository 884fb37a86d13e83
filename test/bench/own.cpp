#include <autoshard/autoshard.h>

#include "contestants.h"
#include "question.autoshard.h"

namespace autoshard::bench {
namespace {

using moderator::Question;

class Questions final : public Counters {
 public:
  Questions(const Setting& setting, const MapperOptions& options)
      : store_(setting.folder, {.sync = setting.sync, .minimum_free_bytes = 0}),
        mapper_(store_, options),
        entities_(setting.entities) {
    if (mapper_.exists<Question>(entities_ - 1)) return;
    for (int id = 0; id < entities_; ++id) mapper_.save(Question{id, "Who is next?", "Phil R"});
  }

  void run(Lap& lap) override {
    run_blocking(lap, [this](int id) {
      mapper_.apply<&Question::voteUp>(id);
      return true;
    });
  }

  std::uint64_t total() override {
    std::int64_t votes = 0;
    for (int id = 0; id < entities_; ++id) votes += mapper_.load<Question>(id).value().votes();
    return static_cast<std::uint64_t>(votes);
  }

 private:
  RocksDbStore store_;
  Mapper mapper_;
  const int entities_;
};

Contestant contestant(std::string name, std::string what, MapperOptions options) {
  return {std::move(name), std::move(what),
          [options = std::move(options)](const Setting& setting) -> std::unique_ptr<Counters> {
            return std::make_unique<Questions>(setting, options);
          }};
}

}  // namespace

std::vector<Contestant> own_contestants() {
  return {
      contestant("autoshard", "apply, 10 shards", {}),
      contestant("autoshard-random-shard", "a random shard each time, as in the paper",
                 {.choice = ShardChoice::kRandom}),
  };
}

}  // namespace autoshard::bench
