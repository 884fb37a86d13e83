#include "votes.h"

#include <autoshard/admin.h>
#include <autoshard/errors.h>
#include <autoshard/mapper.h>
#include <autoshard/memory_cache.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <string>

#include "entities/strategies/flight.autoshard.h"
#include "latencies.h"
#include "platform.h"
#include "random.h"

namespace autoshard::bench {
namespace {

namespace platform = detail::platform;
using airline::Flight;  // whose views are adaptive, and whose score has any number of shards
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
    for (int process = 0; process < setting_.processes && scheme.shards != VoteScheme::kNaive; ++process)
      mappers_.emplace_back(store_, options_for(scheme_, cache_));
  }

  VoteTally run() {
    const auto seconds = std::chrono::duration<double>(setting_.seconds);
    begin_ = Clock::now();
    measured_from_ = begin_ + std::chrono::duration_cast<Clock::duration>(seconds / 10);
    end_ = begin_ + std::chrono::duration_cast<Clock::duration>(seconds);
    std::deque<platform::Thread> users;
    for (int user = 0; user < setting_.users; ++user)
      users.emplace_back([this, user] { vote_now_and_then(user); });
    for (platform::Thread& user : users) user.join();
    tally_.finished_per_second = finished_ / std::chrono::duration<double>(end_ - measured_from_).count();
    return tally_;
  }

 private:
  /// At random times, as often as is said on an average, whatever a vote takes.
  void vote_now_and_then(int user) {
    const bool at_once = std::isinf(setting_.votes_per_second);
    const std::chrono::duration<double> pause(setting_.users / setting_.votes_per_second);
    for (Clock::time_point next = begin_;;) {
      next += std::chrono::duration_cast<Clock::duration>(-pause * std::log(random_share()));
      if ((at_once ? Clock::now() : next) >= end_) return;
      if (!at_once) platform::sleep_for(next - Clock::now());
      const auto question =
          static_cast<int>(detail::random_below(static_cast<std::uint64_t>(setting_.questions)));
      const Clock::time_point began = Clock::now();
      note(vote(user, question), began);
    }
  }

  CommitOutcome vote(int user, int question) try {
    if (scheme_.shards == VoteScheme::kNaive) return vote_naively(question);
    Mapper& mapper = mappers_[static_cast<std::size_t>(user % setting_.processes)];
    scheme_.shards == VoteScheme::kAdaptive ? mapper.apply<&Flight::view>(question)
                                            : mapper.apply<&Flight::rate>(question, 1);
    return CommitOutcome::kCommitted;
  } catch (const OutcomeUnknown&) {
    return CommitOutcome::kUnknown;
  } catch (const Contention&) {
    return CommitOutcome::kConflict;
  } catch (const StoreUnavailable&) {
    return CommitOutcome::kConflict;
  }

  /// With the pauses that a mapper makes.
  CommitOutcome vote_naively(int question) {
    const RetryPolicy policy;
    const Clock::time_point deadline = Clock::now() + policy.deadline;
    for (std::uint32_t attempts = 1;; ++attempts) {
      const CommitOutcome outcome = bench::vote_naively(store_, question);
      if (outcome != CommitOutcome::kConflict || !scheme_.retries || Clock::now() >= deadline) return outcome;
      const auto bound = static_cast<std::uint64_t>(policy.backoff_bound(attempts).count());
      platform::sleep_for(std::chrono::microseconds(detail::random_below(bound + 1)));
    }
  }

  void note(CommitOutcome outcome, Clock::time_point began) {
    const Clock::time_point ended = Clock::now();
    const bool succeeded = outcome == CommitOutcome::kCommitted;
    const std::lock_guard lock(mutex_);
    tally_.acknowledged += succeeded;
    tally_.unknown += outcome == CommitOutcome::kUnknown;
    finished_ += succeeded && ended >= measured_from_ && ended < end_;
    if (began < measured_from_) return;
    ++tally_.votes;
    if (!succeeded) {
      ++tally_.failed;
      return;
    }
    tally_.latencies.add(ended - began);
    tally_.sum_ms += std::chrono::duration<double, std::milli>(ended - began).count();
  }

  Store& store_;
  const VoteSetting setting_;
  const VoteScheme scheme_;
  MemoryCache cache_{std::size_t{1} << 24, [] { return Clock::now(); }};
  std::deque<Mapper> mappers_;
  Clock::time_point begin_, measured_from_, end_;

  platform::Mutex mutex_;
  VoteTally tally_;
  double finished_ = 0;
};

}  // namespace

void begin_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme) {
  if (scheme.shards == VoteScheme::kNaive) return;
  Mapper mapper(store);
  for (int question = 0; question < setting.questions; ++question) {
    mapper.save(Flight(question));
    if (scheme.shards != VoteScheme::kAdaptive)
      admin::set_shards<Flight>(mapper, question, "score", scheme.shards);
  }
}

VoteTally cast_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme) {
  return Election(store, setting, scheme).run();
}

std::int64_t count_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme) {
  Mapper mapper(store);
  std::int64_t votes = 0;
  for (int question = 0; question < setting.questions; ++question) {
    std::string record;
    if (scheme.shards != VoteScheme::kNaive) {
      const Flight flight = mapper.load<Flight>(question).value();
      votes += flight.views() + flight.score();
    } else if (store.snapshot()->get(naive_key(question), record)) {
      votes += std::stoll(record);
    }
  }
  return votes;
}

VoteResult result_of(const std::vector<VoteTally>& tallies, std::int64_t counted) {
  VoteResult result;
  Latencies latencies;
  double failed = 0, unknown = 0, acknowledged = 0, sum_ms = 0;
  for (const VoteTally& tally : tallies) {
    result.votes += tally.votes;
    result.per_second += tally.finished_per_second;
    failed += tally.failed;
    unknown += tally.unknown;
    acknowledged += tally.acknowledged;
    sum_ms += tally.sum_ms;
    latencies.add(tally.latencies);
  }
  result.mean_ms = sum_ms / std::max<double>(1, static_cast<double>(latencies.count()));
  result.p99_ms = latencies.quantile(0.99) / 1e3;
  result.failed_share = result.votes > 0 ? failed / result.votes : 0;
  const auto there = static_cast<double>(counted);
  result.lost = there < acknowledged ? acknowledged - there : std::min(0.0, acknowledged + unknown - there);
  return result;
}

VoteResult run_votes(Store& store, const VoteSetting& setting, const VoteScheme& scheme) {
  begin_votes(store, setting, scheme);
  const VoteTally tally = cast_votes(store, setting, scheme);
  return result_of({tally}, count_votes(store, setting, scheme));
}

}  // namespace autoshard::bench
