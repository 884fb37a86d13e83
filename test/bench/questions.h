#pragma once

#include <autoshard/autoshard.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "race.h"

namespace autoshard::bench {

/// Votes on AutoShard's questions, of a class with some number of shards. Each thread waits for each of its
/// votes, or where there is a number `in_flight`, only once so many of them are under way.
template <class Question>
class Questions final : public Counters {
 public:
  Questions(const Setting& setting, const MapperOptions& options, std::size_t in_flight)
      : store_(setting.folder, {.sync = setting.sync, .minimum_free_bytes = 0}),
        mapper_(store_, options),
        entities_(setting.entities),
        in_flight_(in_flight) {
    if (mapper_.template exists<Question>(entities_ - 1)) return;
    for (int id = 0; id < entities_; ++id) mapper_.save(Question{id, "Who is next?", "Phil R"});
  }

  void run(Lap& lap) override {
    if (in_flight_ > 0) return run_ahead(lap);
    run_blocking(lap, [this](int id) {
      mapper_.template apply<&Question::voteUp>(id);
      return true;
    });
  }

  Mapper& mapper() { return mapper_; }

  std::uint64_t total() override {
    std::int64_t votes = 0;
    for (int id = 0; id < entities_; ++id) votes += mapper_.template load<Question>(id).value().votes();
    return static_cast<std::uint64_t>(votes);
  }

 private:
  void run_ahead(Lap& lap) {
    struct Vote {
      Completion completion;
      Phase began;
      Clock::time_point start;
    };
    std::deque<Vote> under_way;
    const auto finish_first = [&] {
      Vote& first = under_way.front();
      first.completion.get();
      lap.acknowledge(first.began, Clock::now() - first.start);
      under_way.pop_front();
    };
    lap.start();
    for (Phase phase = lap.phase(); phase != Phase::kOver; phase = lap.phase()) {
      const Clock::time_point start = Clock::now();
      under_way.push_back({mapper_.template apply_async<&Question::voteUp>(lap.entity()), phase, start});
      if (under_way.size() >= in_flight_) finish_first();
      while (!under_way.empty() && under_way.front().completion.ready()) finish_first();
    }
    while (!under_way.empty()) finish_first();
  }

  RocksDbStore store_;
  Mapper mapper_;
  const int entities_;
  const std::size_t in_flight_;
};

template <class Question>
Contestant questions(std::string name, std::string what, const MapperOptions& options,
                     std::size_t in_flight = 0) {
  return {std::move(name), std::move(what), [=](const Setting& setting) -> std::unique_ptr<Counters> {
            return std::make_unique<Questions<Question>>(setting, options, in_flight);
          }};
}

}  // namespace autoshard::bench
