#include "adaptive.h"

#include <autoshard/autoshard.h>
#include <fmt/format.h>

#include <array>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "chart.h"
#include "machine.h"
#include "question_adaptive.autoshard.h"
#include "timeline.h"

namespace autoshard::bench {
namespace {

using shards_adaptive::Question;
using Clock = std::chrono::steady_clock;

constexpr int kQuestions = 2;

/// What the load is like for a while.
struct LoadPhase {
  const char* name;
  int question;
  int processes;
  double seconds;
};

/// At the end of a window.
struct Sample {
  double seconds = 0;
  std::array<double, kQuestions> shards{}, updates{};
  double conflicts = 0;  // a second, as are updates
};

class Run {
 public:
  Run(const AdaptiveOptions& options, const std::filesystem::path& folder)
      : options_(options), store_(folder, {.sync = options.sync, .minimum_free_bytes = 0}) {
    for (int i = 0; i < options.processes; ++i)
      mappers_.push_back(std::make_unique<Mapper>(
          store_, MapperOptions{.adaptive = {.window = options.window, .quiet_for = options.quiet_for},
                                .cache = &cache_}));
    for (int id = 0; id < kQuestions; ++id) mappers_.front()->save(Question{id, "Who is next?", "Phil R"});
    for (int i = 0; i < options.processes * options.threads; ++i)
      threads_.emplace_back([this, process = i / options.threads] { vote(process); });
  }
  ~Run() { stop(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  /// Adds the samples of a phase.
  void go_through(const LoadPhase& phase) {
    question_ = phase.question;
    active_ = phase.processes;
    const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                                     std::chrono::duration<double>(phase.seconds));
    do {
      std::this_thread::sleep_for(options_.window);
      take_sample();
    } while (Clock::now() < end);
  }

  const std::vector<Sample>& samples() const { return samples_; }

  /// How many updates were acknowledged and do not count.
  std::int64_t lost() {
    stop();
    std::int64_t lost = 0;
    for (int id = 0; id < kQuestions; ++id)
      lost +=
          votes_[static_cast<std::size_t>(id)].load() - mappers_.front()->load<Question>(id).value().votes();
    return lost;
  }

 private:
  void vote(int process) {
    while (!stopping_) {
      if (process >= active_) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        continue;
      }
      const int question = question_;
      mappers_[static_cast<std::size_t>(process)]->apply<&Question::voteUp>(question);
      ++votes_[static_cast<std::size_t>(question)];
    }
  }

  void stop() {
    stopping_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  void take_sample() {
    const Clock::time_point now = Clock::now();
    const double length = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    Sample sample{.seconds = std::chrono::duration<double>(now - begin_).count()};
    std::uint64_t conflicts = 0;
    for (const auto& mapper : mappers_) conflicts += admin::counters(*mapper).conflicts;
    sample.conflicts = static_cast<double>(conflicts - std::exchange(conflicts_, conflicts)) / length;
    for (std::size_t id = 0; id < kQuestions; ++id) {
      const std::int64_t votes = votes_[id];
      sample.shards[id] = admin::shards<Question>(*mappers_.front(), static_cast<int>(id), "votes");
      sample.updates[id] = static_cast<double>(votes - std::exchange(last_votes_[id], votes)) / length;
    }
    samples_.push_back(sample);
  }

  const AdaptiveOptions& options_;
  RocksDbStore store_;
  MemoryCache cache_;
  std::vector<std::unique_ptr<Mapper>> mappers_;
  std::atomic<int> question_{0}, active_{0};
  std::atomic<bool> stopping_{false};
  std::array<std::atomic<std::int64_t>, kQuestions> votes_{};
  std::vector<std::thread> threads_;

  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
  std::uint64_t conflicts_ = 0;
  std::array<std::int64_t, kQuestions> last_votes_{};
  std::vector<Sample> samples_;
};

Row summary(const LoadPhase& phase, const std::vector<Sample>& samples, std::size_t first) {
  double updates = 0, conflicts = 0;
  for (std::size_t i = first; i < samples.size(); ++i) {
    updates += samples[i].updates[0] + samples[i].updates[1];
    conflicts += samples[i].conflicts;
  }
  const auto number = static_cast<double>(samples.size() - first);
  return {fmt::format("autoshard-adaptive-{}", phase.name),
          {{"updates_per_second", updates / number},
           {"conflicts_per_second", conflicts / number},
           {"shards_at_end_0", samples.back().shards[0]},
           {"shards_at_end_1", samples.back().shards[1]}}};
}

template <class Value>
Line line(std::string name, const std::vector<Sample>& samples, Value value) {
  Line line{std::move(name), {}};
  for (const Sample& sample : samples) line.values.push_back(value(sample));
  return line;
}

void draw(const AdaptiveOptions& options, const std::vector<Sample>& samples, const std::string& machine) {
  const auto questions = [&](const auto Sample::*what) {
    return std::vector<Line>{
        line("question 0", samples, [=](const Sample& sample) { return (sample.*what)[0]; }),
        line("question 1", samples, [=](const Sample& sample) { return (sample.*what)[1]; })};
  };
  Timeline timeline{
      .title = "The number of shards follows the load",
      .subtitle =
          fmt::format("1 process, then {} on question 0, then on question 1, then 1; {} threads each, {}",
                      options.processes, options.threads, options.sync ? "fsync" : "no fsync"),
      .seconds = {},
      .panels = {{"Shards", questions(&Sample::shards)},
                 {"Updates/s", questions(&Sample::updates)},
                 {"Conflicts/s", {line("", samples, [](const Sample& sample) { return sample.conflicts; })}}},
      .footer = fmt::format("Windows of {} ms, quiet for {} s. {}", options.window.count(),
                            options.quiet_for.count(), machine)};
  for (const Sample& sample : samples) timeline.seconds.push_back(sample.seconds);
  write_file(options.svg, svg(timeline));
}

}  // namespace

std::vector<Row> run_adaptive(const AdaptiveOptions& options) {
  const WorkFolder work(options.folder);
  const std::string machine = describe_machine(work.path());
  fmt::print("{} processes of {} threads, {}\n{}\n\n{:<28}{:>12}{:>14}{:>18}\n", options.processes,
             options.threads, options.sync ? "fsync" : "no fsync", machine, "", "updates/s", "conflicts/s",
             "shards at the end");
  Run run(options, work.path() / "store");
  std::vector<Row> rows;
  for (const LoadPhase& phase :
       {LoadPhase{"calm", 0, 1, options.seconds}, LoadPhase{"rises", 0, options.processes, options.seconds},
        LoadPhase{"moves", 1, options.processes, options.seconds},
        LoadPhase{"falls", 1, 1, 3 * options.seconds}}) {
    const std::size_t first = run.samples().size();
    run.go_through(phase);
    const Row& row = rows.emplace_back(summary(phase, run.samples(), first));
    fmt::print("{:<28}{:>12}{:>14}{:>10.0f} and{:>4.0f}\n", row.name,
               grouped(row.number("updates_per_second")), grouped(row.number("conflicts_per_second")),
               row.number("shards_at_end_0"), row.number("shards_at_end_1"));
    std::fflush(stdout);
  }
  if (const std::int64_t lost = run.lost())
    throw std::runtime_error(fmt::format("{} updates are lost", lost));
  if (!options.svg.empty()) draw(options, run.samples(), machine);
  return rows;
}

}  // namespace autoshard::bench
