#include "simulation.h"

#include <autoshard/autoshard.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <mutex>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "crowd.h"
#include "discussion.h"
#include "naive_question.autoshard.h"
#include "question.autoshard.h"

namespace moderator {
namespace {

using Clock = std::chrono::steady_clock;

/// One way to vote, tried by all users.
struct Scheme {
  std::string name;
  int first_id;  ///< its questions have ids of their own
  autoshard::RetryPolicy retry;
  std::function<void(autoshard::Mapper&, int id)> ask;
  std::function<void(autoshard::Mapper&, int id)> vote;
  std::function<int(autoshard::Mapper&, int id)> count;
};

struct Outcome {
  std::size_t acknowledged = 0;
  std::size_t failed = 0;
  std::size_t counted = 0;
  double seconds = 0;
  std::vector<double> milliseconds;  ///< of every vote, failed ones as well
};

constexpr int kIdsPerScheme = 1'000'000;

template <class Q>
void ask(autoshard::Mapper& mapper, int id) {
  mapper.erase<Q>(id);  // of an earlier run in the same store
  mapper.save(Q{id, fmt::format("Question {}?", id % kIdsPerScheme), "Phil R"});
}

template <class Q>
int count(autoshard::Mapper& mapper, int id) {
  return mapper.load<Q>(id).value().votes();
}

/// Reads the whole question, changes it, writes it: every voter conflicts with every other.
void vote_naively(autoshard::Mapper& mapper, int id) {
  mapper.transact([id](auto& transaction) {
    auto question = transaction.template load<NaiveQuestion>(id);
    question->voteUp();
    transaction.save(*question);
  });
}

void vote_sharded(autoshard::Mapper& mapper, int id) { mapper.apply<&Question::voteUp>(id); }

std::vector<Scheme> schemes() {
  const autoshard::RetryPolicy once = autoshard::RetryPolicy::none();
  const autoshard::RetryPolicy retry;
  const auto naive = [](std::string name, int first_id, autoshard::RetryPolicy policy) {
    return Scheme{std::move(name), first_id, policy, ask<NaiveQuestion>, vote_naively, count<NaiveQuestion>};
  };
  const auto sharded = [](std::string name, int first_id, autoshard::RetryPolicy policy) {
    return Scheme{std::move(name), first_id, policy, ask<Question>, vote_sharded, count<Question>};
  };
  return {naive("naive", 0, once), naive("naive, retry", kIdsPerScheme, retry),
          sharded("sharded", 2 * kIdsPerScheme, once), sharded("sharded, retry", 3 * kIdsPerScheme, retry)};
}

/// Says how far a run has come, on one line that is rewritten on a terminal, and once where there is none.
class Progress {
 public:
  Progress(std::string name, std::size_t total, const std::atomic<std::size_t>& done)
      : name_(std::move(name)), total_(total), done_(done), thread_([this] { run(); }) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

 private:
  void run() {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    std::unique_lock lock(mutex_);
    while (!stop_) {
      if (terminal) show("\r");
      changed_.wait_for(lock, std::chrono::milliseconds(200), [this] { return stop_; });
    }
    if (terminal) fmt::print(stderr, "\r{:60}\r", "");
    if (!terminal) show("\n");
  }

  void show(const char* end) const {
    fmt::print(stderr, "{:<15} {:>7} of {} votes{}", name_, std::min(done_.load(), total_), total_, end);
    std::fflush(stderr);
  }

  std::string name_;
  std::size_t total_;
  const std::atomic<std::size_t>& done_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::thread thread_;
};

Outcome run(const Scheme& scheme, const Simulation& simulation, autoshard::Mapper& mapper) {
  for (int i = 0; i < simulation.questions; ++i) scheme.ask(mapper, scheme.first_id + i);

  const std::size_t votes =
      static_cast<std::size_t>(simulation.users) * static_cast<std::size_t>(simulation.votes_per_user);
  std::atomic<std::size_t> taken = 0;
  std::vector<Outcome> outcomes(static_cast<std::size_t>(simulation.threads));
  const auto vote_until_done = [&](std::size_t thread) {
    Outcome& outcome = outcomes[thread];
    std::mt19937 random(static_cast<unsigned>(thread));
    auto question = popularity(simulation.questions);
    while (taken.fetch_add(1) < votes) {
      const auto begin = Clock::now();
      try {
        scheme.vote(mapper, scheme.first_id + question(random));
        ++outcome.acknowledged;
      } catch (const autoshard::Contention&) {
        ++outcome.failed;
      }
      outcome.milliseconds.push_back(std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
    }
  };

  Outcome all;
  const auto begin = Clock::now();
  {
    const Progress progress(scheme.name, votes, taken);
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < outcomes.size(); ++i) threads.emplace_back(vote_until_done, i);
  }
  all.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  for (const Outcome& outcome : outcomes) {
    all.acknowledged += outcome.acknowledged;
    all.failed += outcome.failed;
    all.milliseconds.insert(all.milliseconds.end(), outcome.milliseconds.begin(), outcome.milliseconds.end());
  }
  return all;
}

void print_row(const Scheme& scheme, Outcome& outcome) {
  std::ranges::sort(outcome.milliseconds);
  const auto votes = static_cast<double>(outcome.milliseconds.size());
  const double mean = std::accumulate(outcome.milliseconds.begin(), outcome.milliseconds.end(), 0.0) / votes;
  const double p99 = outcome.milliseconds[static_cast<std::size_t>(votes * 0.99)];
  fmt::print("{:<15} {:>8.0f} {:>8.1f} {:>8.2f} {:>8.2f} {:>7} {:>8} {:>7}{}\n", scheme.name,
             static_cast<double>(outcome.acknowledged) / outcome.seconds,
             100 * static_cast<double>(outcome.failed) / votes, mean, p99, outcome.milliseconds.size(),
             outcome.acknowledged, outcome.counted, outcome.acknowledged == outcome.counted ? "" : "  WRONG");
}

}  // namespace

bool simulate(const Simulation& simulation) {
  const std::vector<Scheme> all = schemes();
  std::vector<Outcome> outcomes;
  const int first_id = all.back().first_id;  // the most popular
  std::size_t responses = 0;
  {
    autoshard::RocksDbStore store{simulation.store.string()};
    for (const Scheme& scheme : all) {
      autoshard::Mapper mapper{store, {.retry = scheme.retry}};
      outcomes.push_back(run(scheme, simulation, mapper));
    }
    autoshard::Mapper mapper{store};
    responses = respond(mapper, first_id, simulation.users, simulation.threads);
  }

  // What counts is what is there when the store is opened again.
  autoshard::RocksDbStore store{simulation.store.string()};
  autoshard::Mapper mapper{store};
  bool adds_up = true;
  fmt::print("{} users, {} votes each, {} questions, {} threads\n\n", simulation.users,
             simulation.votes_per_user, simulation.questions, simulation.threads);
  fmt::print("{:<15} {:>8} {:>8} {:>8} {:>8} {:>7} {:>8} {:>7}\n", "", "votes/s", "failed %", "mean ms",
             "p99 ms", "sent", "accepted", "counted");
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (int q = 0; q < simulation.questions; ++q) {
      outcomes[i].counted += static_cast<std::size_t>(all[i].count(mapper, all[i].first_id + q));
    }
    print_row(all[i], outcomes[i]);
    adds_up = adds_up && outcomes[i].counted == outcomes[i].acknowledged;
  }
  fmt::print("\n{}\n", adds_up ? "Every accepted vote was counted once." : "The votes do NOT add up.");
  const bool has_all_responses = check_responses(mapper, first_id, responses);
  return show_ranking(mapper, first_id, first_id + simulation.questions) && has_all_responses && adds_up;
}

}  // namespace moderator
