#include "micro.h"

#include <autoshard/autoshard.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "entities/forms/question.autoshard.h"
#include "open_store.h"
#include "peer.h"
#include "records.h"
#include "support/test_store.h"
#include "usage_cost.h"

namespace autoshard::bench {
namespace {

using moderator::Question;

constexpr int kQuestions = 1000;
constexpr int kVotesEach = 50;  // enough for every one of the ten shards

/// A store in which each question has votes in all its shards.
void fill(const std::filesystem::path& folder) {
  RocksDbStore store(folder, {.sync = false, .minimum_free_bytes = 0});
  Mapper mapper(store, {.choice = ShardChoice::kRandom});
  for (int id = 0; id < kQuestions; ++id) {
    mapper.save(Question{id, "How do you plan to improve public education?", "Phil R"});
    for (int vote = 0; vote < kVotesEach; ++vote) mapper.apply<&Question::voteUp>(id);
  }
}

/// Goes through the questions without locality.
class Ids {
 public:
  int next() { return last_ = (last_ + 617) % kQuestions; }

 private:
  int last_ = 0;
};

/// Collects the time of each repetition, in nanoseconds for one operation.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration)
        times_[run.run_name.function_name].push_back(run.GetAdjustedRealTime());
    }
  }

  double median(const std::string& name) const { return bench::median(times_.at(name)); }

 private:
  std::map<std::string, std::vector<double>> times_;
};

void add(const std::string& name, const MicroOptions& options, std::function<void()> operation) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [operation = std::move(operation)](benchmark::State& state) {
                                 for (auto iteration : state) operation();
                               })
      ->Repetitions(options.repetitions)
      ->MinTime(options.seconds)
      ->UseRealTime();
}

}  // namespace

std::vector<Row> run_micro(const MicroOptions& options) {
  const test::TemporaryFolder folder;
  // Those that are only read stay as they are: the faster somebody writes, the more old versions of a record
  // lie in the way of the next read.
  fill(folder.path() / "own");
  for (const char* copy : {"own-read", "peer", "peer-read"})
    std::filesystem::copy(folder.path() / "own", folder.path() / copy);

  RocksDbStore store(folder.path() / "own", {.sync = options.sync, .minimum_free_bytes = 0});
  Mapper mapper(store);
  OpenStore read(folder.path() / "own-read");
  PeerStore peer_read(folder.path() / "peer-read", false);
  std::vector<Question> questions;
  for (int id = 0; id < kQuestions; ++id) questions.push_back(mapper.load<Question>(id).value());

  PeerStore peer(folder.path() / "peer", options.sync);
  std::vector<PeerStore::Question> peer_questions;
  for (int id = 0; id < kQuestions; ++id) peer_questions.push_back(peer.load(id).value());

  const std::vector<std::string> operations = {"apply", "save", "load", "encode", "decode"};
  Ids ids, cached_ids, peer_ids;
  add("autoshard-apply", options, [&] { mapper.apply<&Question::voteUp>(ids.next()); });
  add("peer-apply", options, [&] { peer.vote(peer_ids.next()); });
  add("autoshard-save", options, [&] {
    Question& question = questions[static_cast<std::size_t>(ids.next())];
    question.voteUp();
    mapper.save(question);
  });
  add("peer-save", options, [&] {
    PeerStore::Question& question = peer_questions[static_cast<std::size_t>(peer_ids.next())];
    ++question.pending;
    ++question.votes;
    peer.save(question);
  });
  add("autoshard-load", options, [&] { benchmark::DoNotOptimize(read.mapper.load<Question>(ids.next())); });
  add("peer-load", options, [&] { benchmark::DoNotOptimize(peer_read.load(peer_ids.next())); });
  add("autoshard-cached-load", options, [&] {
    benchmark::DoNotOptimize(mapper.load<Question>(cached_ids.next(), cached{std::chrono::hours(1)}));
  });
  for (auto& [name, operation] : record_operations()) add(name, options, std::move(operation));
  for (auto& [name, operation] : usage_operations()) add(name, options, std::move(operation));

  std::string program = "autoshard_bench", interleave = "--benchmark_enable_random_interleaving=true";
  char* arguments[] = {program.data(), interleave.data()};
  int count = 2;
  benchmark::Initialize(&count, arguments);
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);

  std::vector<Row> rows;
  for (const std::string& operation : operations) {
    const double own = collector.median("autoshard-" + operation),
                 other = collector.median("peer-" + operation);
    rows.push_back({"autoshard-" + operation, {{"ns_per_operation", own}, {"ratio_to_peer", own / other}}});
    rows.push_back({"peer-" + operation, {{"ns_per_operation", other}}});
  }
  const double apply = collector.median("autoshard-memory-apply"),
               usage = collector.median("autoshard-usage");
  rows.push_back(
      {"autoshard-cached-load", {{"ns_per_operation", collector.median("autoshard-cached-load")}}});
  rows.push_back({"autoshard-memory-apply", {{"ns_per_operation", apply}}});
  rows.push_back({"autoshard-usage", {{"ns_per_operation", usage}, {"share_of_apply", usage / apply}}});
  return rows;
}

}  // namespace autoshard::bench
