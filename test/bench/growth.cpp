#include "growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "chart.h"
#include "machine.h"
#include "open_store.h"
#include "peer.h"
#include "plot.h"
#include "question_10.autoshard.h"
#include "questions.h"
#include "race.h"

namespace autoshard::bench {
namespace {

using shards_10::Question;

/// How many votes some of the questions were given, by whomever, in all: there are too many to count those of
/// each.
class Sample {
 public:
  void note(int id) {
    if (id % kEvery == 0) ++votes_[id];
  }

  /// Throws if a question has others.
  void check(Mapper& mapper) const {
    for (const auto& [id, votes] : votes_) {
      const int stored = mapper.load<Question>(id).value().votes();
      if (stored != votes)
        throw std::runtime_error(fmt::format("question {} has {} votes, {} were given", id, stored, votes));
    }
  }

 private:
  static constexpr int kEvery = 101;
  std::unordered_map<int, int> votes_;  // by question
};

/// Updates one by one, of entity 0 or of any, by one thread.
template <class Update>
class Updates final : public Counters {
 public:
  Updates(Update update, bool one, Sample& sample) : update_(std::move(update)), one_(one), sample_(sample) {}
  void run(Lap& lap) override {
    run_blocking(lap, [this](int any) {
      const int id = one_ ? 0 : any;
      update_(id);
      sample_.note(id);
      return true;
    });
  }
  std::uint64_t total() override { return 0; }

 private:
  Update update_;
  const bool one_;
  Sample& sample_;
};

Contestant own(std::string name, const std::filesystem::path& folder, bool one, Sample& sample) {
  return {std::move(name), "", [=, &sample](const Setting&) -> std::unique_ptr<Counters> {
            auto open = std::make_shared<OpenStore>(folder);
            auto update = [open](int id) { open->mapper.apply<&Question::voteUp>(id); };
            return std::make_unique<Updates<decltype(update)>>(std::move(update), one, sample);
          }};
}

Contestant by_hand(std::string name, const std::filesystem::path& folder, Sample& sample) {
  return {std::move(name), "", [=, &sample](const Setting&) -> std::unique_ptr<Counters> {
            auto peer = std::make_shared<PeerStore>(folder, false, "Question10");
            auto update = [peer](int id) { peer->vote(id); };
            return std::make_unique<Updates<decltype(update)>>(std::move(update), false, sample);
          }};
}

/// Of each contestant.
std::vector<Curve> curves(const std::vector<Row>& rows, const char* value) {
  std::vector<Curve> all = {{"one entity", {}}, {"any entity", {}}, {"any, by hand", {}}};
  for (const Row& row : rows) {
    Curve& curve = all[row.name.starts_with("autoshard-one") ? 0 : row.own() ? 1 : 2];
    curve.points.emplace_back(row.number("entities"), row.number(value));
  }
  return all;
}

}  // namespace

std::vector<Row> run_growth(const GrowthOptions& options) {
  const WorkFolder work(options.folder);
  const std::filesystem::path folder = work.path() / "store";
  const std::string machine = describe_machine(work.path());
  fmt::print("1 thread, no fsync\n{}\n\n{:<28}{:>14}{:>12}\n", machine, "", "us an update", "p99 us");

  std::vector<Row> rows;
  Sample sample;
  int before = 0;
  for (int entities = std::min(1000, options.most);; entities *= 10) {
    {
      OpenStore open(folder);
      add_questions<Question>(open.mapper, before, entities);
    }
    before = entities;
    const Setting setting{.folder = work.path(),
                          .threads = 1,
                          .entities = entities,
                          .sync = false,
                          .seconds = options.seconds,
                          .rounds = options.rounds,
                          .what = "updates",
                          .counting = false};
    for (Row& row : race({own(fmt::format("autoshard-one-of-{}", entities), folder, true, sample),
                          own(fmt::format("autoshard-any-of-{}", entities), folder, false, sample),
                          by_hand(fmt::format("peer-any-of-{}", entities), folder, sample)},
                         setting)) {
      const double us = 1e6 / row.number("updates_per_second");
      fmt::print("{:<28}{:>14.2f}{:>12.1f}\n", row.name, us, row.number("p99_us"));
      row.values.emplace_back("us_per_update", us);
      rows.push_back(std::move(row));
    }
    std::fflush(stdout);
    OpenStore reopened(folder);
    sample.check(reopened.mapper);
    if (entities > options.most / 10) break;
  }

  if (!options.svg.empty()) {
    write_file(options.svg,
               svg(Plot{.title = "What an update takes as the store grows",
                        .subtitle = "One thread, no fsync, by entities in the store, logarithmic scales",
                        .diagrams = {{"Mean", curves(rows, "us_per_update")},
                                     {"99th percentile", curves(rows, "p99_us")}},
                        .footer = fmt::format("Medians of {} rounds. {}", options.rounds, machine)}));
  }
  return rows;
}

}  // namespace autoshard::bench
