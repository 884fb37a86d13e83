#include "votes.h"

#include <autoshard/errors.h>
#include <autoshard/mapper.h>
#include <autoshard/memory_cache.h>

#include <atomic>
#include <cmath>
#include <deque>
#include <mutex>
#include <string>

#include "flight.h"
#include "latencies.h"
#include "platform.h"
#include "random.h"

namespace autoshard::bench {
namespace {

namespace platform = detail::platform;
using airline::Flight;  // whose views are adaptive, and take any number of shards
using Clock = platform::Clock;

/// In (0, 1].
double random_share() { return (static_cast<double>(detail::random_bits() >> 11) + 1) * 0x1p-53; }

MapperOptions options_for(const VoteScheme& scheme, SharedCache& cache) {
  MapperOptions options;
  options.combine = scheme.combines;
  if (!scheme.combines) options.choice = ShardChoice::kRandom;
  if (!scheme.retries) options.retry = RetryPolicy::none();
  options.adaptive.window = std::chrono::seconds(scheme.shards == VoteScheme::kAdaptive ? 1 : 0);
  options.cache = &cache;
  return options;
}

std::string naive_key(int question) { return "votes of question " + std::to_string(question); }

CommitOutcome vote_naively(Store& store, int question) {
  const std::string key = naive_key(question);
  const std::unique_ptr<Transaction> transaction = store.begin();
  std::string votes;
  const bool is_first = !transaction->get(key, votes);
  transaction->put(key, std::to_string(is_first ? 1 : std::stoll(votes) + 1));
  return transaction->commit();
}

class Election {
 public:
  Election(Store& store, const VoteSetting& setting, const VoteScheme& scheme)
      : store_(store), setting_(setting), scheme_(scheme) {
    if (scheme.shards != VoteScheme::kNaive) begin();
  }

  VoteResult run() {
    const auto seconds = std::chrono::duration<double>(setting_.seconds);
    begin_ = Clock::now();
    measured_from_ = begin_ + std::chrono::duration_cast<Clock::duration>(seconds / 10);
    end_ = begin_ + std::chrono::duration_cast<Clock::duration>(seconds);
    std::deque<platform::Thread> users;
    for (int user = 0; user < setting_.users; ++user)
      users.emplace_back([this, user] { vote_now_and_then(user); });
    for (platform::Thread& user : users) user.join();
    VoteResult result = result_;
    result.mean_ms = sum_ms_ / std::max<double>(1, static_cast<double>(latencies_.count()));
    result.p99_ms = latencies_.quantile(0.99) / 1e3;
    result.failed_share = result.votes > 0 ? failed_ / result.votes : 0;
    result.lost = static_cast<double>(acknowledged_) - static_cast<double>(counted());
    return result;
  }

 private:
  void begin() {
    Mapper mapper(store_);
    for (int question = 0; question < setting_.questions; ++question) {
      mapper.save(Flight(question));
      if (scheme_.shards != VoteScheme::kAdaptive)
        mapper.set_shards<Flight>(question, "views", scheme_.shards);
    }
    for (int process = 0; process < setting_.processes; ++process)
      mappers_.emplace_back(store_, options_for(scheme_, cache_));
  }

  /// At random times, as often as is said on an average, whatever a vote takes.
  void vote_now_and_then(int user) {
    const std::chrono::duration<double> pause(setting_.users / setting_.votes_per_second);
    for (Clock::time_point next = begin_;;) {
      next += std::chrono::duration_cast<Clock::duration>(-pause * std::log(random_share()));
      if (next >= end_) return;
      platform::sleep_for(next - Clock::now());
      const auto question =
          static_cast<int>(detail::random_below(static_cast<std::uint64_t>(setting_.questions)));
      const Clock::time_point began = Clock::now();
      note(vote(user, question), began);
    }
  }

  bool vote(int user, int question) try {
    if (scheme_.shards == VoteScheme::kNaive) return vote_naively(question);
    mappers_[static_cast<std::size_t>(user % setting_.processes)].apply<&Flight::view>(question);
    return true;
  } catch (const Contention&) {
    return false;
  }

  /// With the pauses that a mapper makes.
  bool vote_naively(int question) {
    const RetryPolicy policy;
    const Clock::time_point deadline = Clock::now() + policy.deadline;
    for (std::uint32_t attempts = 1; bench::vote_naively(store_, question) != CommitOutcome::kCommitted;
         ++attempts) {
      if (!scheme_.retries || Clock::now() >= deadline) return false;
      const auto bound = static_cast<std::uint64_t>(policy.backoff_bound(attempts).count());
      platform::sleep_for(std::chrono::microseconds(detail::random_below(bound + 1)));
    }
    return true;
  }

  void note(bool succeeded, Clock::time_point began) {
    const Clock::duration took = Clock::now() - began;
    const std::lock_guard lock(mutex_);
    acknowledged_ += succeeded;
    if (began < measured_from_) return;
    ++result_.votes;
    if (!succeeded) {
      ++failed_;
      return;
    }
    latencies_.add(took);
    sum_ms_ += std::chrono::duration<double, std::milli>(took).count();
  }

  std::int64_t counted() {
    std::int64_t votes = 0;
    for (int question = 0; question < setting_.questions; ++question) {
      std::string record;
      if (scheme_.shards != VoteScheme::kNaive) {
        votes += mappers_.front().load<Flight>(question).value().views();
      } else if (store_.snapshot()->get(naive_key(question), record)) {
        votes += std::stoll(record);
      }
    }
    return votes;
  }

  Store& store_;
  const VoteSetting setting_;
  const VoteScheme scheme_;
  MemoryCache cache_{std::size_t{1} << 24, [] { return Clock::now(); }};
  std::deque<Mapper> mappers_;
  Clock::time_point begin_, measured_from_, end_;

  platform::Mutex mutex_;
  VoteResult result_;
  Latencies latencies_;
  double sum_ms_ = 0, failed_ = 0;
  std::int64_t acknowledged_ = 0;
};

}  // namespace

VoteResult run_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme) {
  return Election(store, setting, scheme).run();
}

}  // namespace autoshard::bench
