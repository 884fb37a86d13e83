#pragma once

#include <autoshard/autoshard.h>

#include <memory>
#include <string>
#include <utility>

#include "race.h"

namespace autoshard::bench {

/// Votes on AutoShard's questions, of a class with some number of shards.
template <class Question>
class Questions final : public Counters {
 public:
  Questions(const Setting& setting, const MapperOptions& options)
      : store_(setting.folder, {.sync = setting.sync, .minimum_free_bytes = 0}),
        mapper_(store_, options),
        entities_(setting.entities) {
    if (mapper_.template exists<Question>(entities_ - 1)) return;
    for (int id = 0; id < entities_; ++id) mapper_.save(Question{id, "Who is next?", "Phil R"});
  }

  void run(Lap& lap) override {
    run_blocking(lap, [this](int id) {
      mapper_.template apply<&Question::voteUp>(id);
      return true;
    });
  }

  std::uint64_t total() override {
    std::int64_t votes = 0;
    for (int id = 0; id < entities_; ++id) votes += mapper_.template load<Question>(id).value().votes();
    return static_cast<std::uint64_t>(votes);
  }

 private:
  RocksDbStore store_;
  Mapper mapper_;
  const int entities_;
};

template <class Question>
Contestant questions(std::string name, std::string what, const MapperOptions& options) {
  return {std::move(name), std::move(what), [options](const Setting& setting) -> std::unique_ptr<Counters> {
            return std::make_unique<Questions<Question>>(setting, options);
          }};
}

}  // namespace autoshard::bench
