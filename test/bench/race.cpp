#include "race.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <numeric>
#include <random>
#include <thread>

namespace autoshard::bench {
namespace {

struct Figures {
  std::vector<double> per_second, failed_share, p50_us, p99_us;
};

/// One line that is written over, on a terminal; elsewhere one line a round.
class Progress {
 public:
  Progress(std::size_t contestants, int rounds) : contestants_(contestants), rounds_(rounds) {}

  void show(int round, std::size_t index, const std::string& name) {
    if (terminal_) {
      fmt::print(stderr, "\r\x1b[Kround {} of {}, {} of {}: {}", round + 1, rounds_, index + 1, contestants_,
                 name);
    } else if (index == 0) {
      fmt::print(stderr, "round {} of {}\n", round + 1, rounds_);
    }
  }
  void show(const std::string& what) {
    fmt::print(stderr, "{}{}{}", terminal_ ? "\r\x1b[K" : "", what, terminal_ ? "" : "\n");
  }
  ~Progress() {
    if (terminal_) fmt::print(stderr, "\r\x1b[K");
  }

 private:
  const bool terminal_ = isatty(STDERR_FILENO) == 1;
  const std::size_t contestants_;
  const int rounds_;
};

/// Runs the threads of one round and returns how many updates were acknowledged in it.
std::uint64_t run_round(Counters& counters, const Setting& setting, Figures& figures) {
  std::latch start(setting.threads + 1);
  std::atomic<Phase> phase = Phase::kWarmUp;
  std::atomic<bool> any = false;
  std::mutex mutex;
  std::exception_ptr failure;

  std::random_device seeds;
  std::vector<Lap> laps;
  laps.reserve(static_cast<std::size_t>(setting.threads));
  for (int thread = 0; thread < setting.threads; ++thread)
    laps.emplace_back(start, phase, any, setting.entities, seeds());

  std::vector<std::thread> threads;
  for (Lap& lap : laps) {
    threads.emplace_back([&] {
      try {
        counters.run(lap);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
        any = true;
        any.notify_all();
        lap.start();
      }
    });
  }

  start.arrive_and_wait();
  const std::chrono::duration<double> measured(setting.seconds / setting.rounds);
  std::this_thread::sleep_for(measured / 4);
  const Clock::time_point begin = Clock::now();
  phase = Phase::kMeasured;
  std::this_thread::sleep_for(measured);
  any.wait(false);  // one at least, or there is nothing to say
  phase = Phase::kOver;
  const std::chrono::duration<double> duration = Clock::now() - begin;
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);

  Latencies latencies;
  std::uint64_t acknowledged = 0, refused = 0;
  for (const Lap& lap : laps) {
    latencies.add(lap.latencies());
    acknowledged += lap.acknowledged();
    refused += lap.refused();
  }
  const auto counted = static_cast<double>(latencies.count());
  figures.per_second.push_back(counted / duration.count());
  figures.failed_share.push_back(static_cast<double>(refused) / (static_cast<double>(refused) + counted));
  figures.p50_us.push_back(latencies.quantile(0.5));
  figures.p99_us.push_back(latencies.quantile(0.99));
  return acknowledged;
}

/// In a folder of its own.
std::unique_ptr<Counters> open(const Contestant& contestant, const Setting& setting) {
  Setting own = setting;
  own.folder = setting.folder / contestant.name;
  return contestant.open(own);
}

}  // namespace

int Lap::entity() {
  return entities_ == 1 ? 0 : static_cast<int>(random(static_cast<std::uint32_t>(entities_)));
}

std::uint32_t Lap::random(std::uint32_t bound) {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 7;
  random_ ^= random_ << 17;
  return static_cast<std::uint32_t>(((random_ >> 32) * bound) >> 32);
}

void Lap::announce() {
  any_ = true;
  any_.notify_all();
}

std::vector<Row> race(const std::vector<Contestant>& contestants, const Setting& setting) {
  std::vector<Figures> figures(contestants.size());
  std::vector<std::uint64_t> acknowledged(contestants.size());
  Progress progress(contestants.size(), setting.rounds);
  // So that what somebody leaves to do, such as pages to be written, is not always the same one's to bear.
  std::vector<std::size_t> order(contestants.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 generator(static_cast<std::uint32_t>(order.size()));
  for (int round = 0; round < setting.rounds; ++round) {
    std::shuffle(order.begin(), order.end(), generator);
    for (std::size_t turn = 0; turn < contestants.size(); ++turn) {
      const std::size_t index = order[turn];
      progress.show(round, turn, contestants[index].name);
      try {
        const std::unique_ptr<Counters> counters = open(contestants[index], setting);
        acknowledged[index] += run_round(*counters, setting, figures[index]);
      } catch (const std::exception& error) {
        throw std::runtime_error(contestants[index].name + ": " + error.what());
      }
    }
  }

  std::vector<Row> rows;
  const std::string rate = setting.what + "_per_second";
  for (std::size_t index = 0; index < contestants.size(); ++index) {
    const Figures& each = figures[index];
    Row& row = rows.emplace_back(Row{contestants[index].name,
                                     {{"threads", static_cast<double>(setting.threads)},
                                      {"entities", static_cast<double>(setting.entities)},
                                      {"sync", setting.sync && !contestants[index].acknowledges_early},
                                      {rate, median(each.per_second)},
                                      {"p50_us", median(each.p50_us)},
                                      {"p99_us", median(each.p99_us)}}});
    if (!setting.counting) continue;
    progress.show("counting what " + contestants[index].name + " has");
    const std::uint64_t counted = open(contestants[index], setting)->total();
    row.values.emplace_back("failed_share", median(each.failed_share));
    row.values.emplace_back("lost", static_cast<double>(acknowledged[index]) - static_cast<double>(counted));
  }
  std::sort(rows.begin(), rows.end(),
            [&](const Row& one, const Row& other) { return one.number(rate) > other.number(rate); });
  return rows;
}

}  // namespace autoshard::bench
