#include "shard_writer.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "check.h"
#include "entity_errors.h"
#include "entity_expiry.h"
#include "entity_index.h"
#include "expiring_record.h"
#include "keys.h"
#include "layout.h"
#include "main_record.h"
#include "parts.h"
#include "room.h"
#include "store_clock.h"
#include "strategies.h"

namespace autoshard::detail {
namespace {

bool is_conflict(const Request* request) { return request->result == Request::Result::kConflict; }

// For checks.

bool is_to_be_attempted(const Request* request) {
  return request->type && request->shard && request->waits() && !request->key.empty() &&
         request->hash == Request::hash_of(request->key);
}

bool has_result(const Request* request) {
  return !request->waits() && !request->is_exceeded() && !request->is_repeated() &&
         (request->error || request->result != Request::Result::kFailed);
}

/// Returns the number of requests that are committed.
std::uint64_t committed(std::span<const std::span<Request* const>> groups) {
  std::uint64_t number = 0;
  for (const auto& group : groups) {
    for (const Request* request : group) number += request->result == Request::Result::kCommitted;
  }
  return number;
}

/// Sets the result of a request whose transaction has ended. The results of earlier requests must be set
/// before.
void settle(Request& request, CommitOutcome outcome, const std::exception_ptr& unknown) {
  if (request.is_repeated() && request.first) {
    request.error = request.first->error;
    request.result = request.first->result;
  } else if (request.is_exceeded()) {
    // The refusal is only certain if the reads were validated.
    request.result =
        outcome == CommitOutcome::kCommitted ? Request::Result::kFailed : Request::Result::kConflict;
  } else if (request.waits() || request.is_repeated()) {
    if (outcome == CommitOutcome::kUnknown) return request.fail(unknown);
    request.result =
        outcome == CommitOutcome::kCommitted ? Request::Result::kCommitted : Request::Result::kConflict;
  }
}

}  // namespace

void ShardWriter::commit(std::span<Request*> requests) noexcept {
  AUTOSHARD_CHECK(std::all_of(requests.begin(), requests.end(), is_to_be_attempted));
  context_.counters.batch_updates.add(requests.size());
  try {
    for (std::size_t i = 0; i < requests.size(); ++i) requests[i]->number = static_cast<std::uint32_t>(i);
    // NOLINTNEXTLINE(bugprone-nondeterministic-pointer-iteration-order): not by where they are
    std::sort(requests.begin(), requests.end(), [](const Request* one, const Request* other) {
      return one->hash != other->hash ? one->hash < other->hash : one->number < other->number;
    });
    groups_.clear();
    for (std::size_t begin = 0, end = 0; begin < requests.size(); begin = end) {
      while (end < requests.size() && requests[end]->hash == requests[begin]->hash) ++end;
      append_groups(requests.subspan(begin, end - begin));
    }
    commit_groups(groups_);
  } catch (...) {
    for (Request* request : requests) {
      if (request->waits() || request->is_exceeded() || request->is_repeated())
        request->fail(std::current_exception());
    }
  }
  AUTOSHARD_CHECK(std::all_of(requests.begin(), requests.end(), has_result));
}

/// Appends a group for each entity among requests of one hash. There is hardly ever more than one entity, but
/// an entity with two groups could lose the order of its updates: the groups may get different transactions.
void ShardWriter::append_groups(std::span<Request*> requests) {
  for (auto begin = requests.begin(); begin != requests.end();) {
    const EntityKeyView key = (*begin)->key;
    const auto end = std::stable_partition(begin, requests.end(),
                                           [key](const Request* request) { return request->key == key; });
    groups_.emplace_back(begin, end);
    begin = end;
  }
}

/// Makes one attempt for each group, in as few transactions as possible. Throws errors of the store; they
/// apply to all requests without a result.
void ShardWriter::commit_groups(std::span<const Group> groups) {
  while (!groups.empty()) {
    std::optional<std::string> too_large;
    CommitOutcome outcome = CommitOutcome::kConflict;
    try {
      outcome = attempt(groups, Folding::kInStore);
      if (outcome == CommitOutcome::kNotFolded) outcome = attempt(groups, Folding::kInTransaction);
    } catch (const CommitTooLarge& error) {
      too_large = error.what();
    }
    const std::span<const Group> attempted = groups.first(attempted_);
    groups = groups.subspan(attempted_);
    if (attempted.size() > 1 && (too_large || outcome == CommitOutcome::kConflict)) {
      commit_groups(attempted.first(attempted.size() / 2));
      commit_groups(attempted.subspan(attempted.size() / 2));
    } else if (too_large) {
      commit_parts(attempted.front(), *too_large);
    } else {
      settle(attempted, outcome);
    }
  }
}

/// Commits the updates of a group that is too large for one transaction: as deltas, or its halves, one after
/// the other. Keeps their order: if an update of the first half has to be attempted again, all updates of the
/// second half are, too.
void ShardWriter::commit_parts(Group group, const std::string& too_large) {
  if (would_shrink_ && commit_unfolded(group)) return;
  if (group.size() == 1) {
    return group.front()->fail(std::make_exception_ptr(
        CommitTooLarge("updating " + describe(group.front()->key) + ": " + too_large)));
  }
  const Group first = group.first(group.size() / 2), second = group.subspan(group.size() / 2);
  commit_groups({&first, 1});
  if (std::none_of(first.begin(), first.end(), is_conflict)) return commit_groups({&second, 1});
  for (Request* request : second) detail::settle(*request, CommitOutcome::kConflict, nullptr);
}

/// Makes an attempt without the shards that the updates belong to, so that a shard as large as a commit may
/// be refuses no update. Returns false if the updates are still too large.
bool ShardWriter::commit_unfolded(Group group) {
  affinity_.leave(entity_.head.layouts);  // another shard may have room
  try {
    const CommitOutcome outcome = attempt({&group, 1}, Folding::kNowhere);
    settle({&group, 1}, outcome);
    return true;
  } catch (const CommitTooLarge&) {
    return false;
  }
}

/// Sets the results of the requests whose transaction has ended.
void ShardWriter::settle(std::span<const Group> groups, CommitOutcome outcome) {
  for (const Group& group : groups) {
    std::exception_ptr unknown;
    if (outcome == CommitOutcome::kUnknown)
      unknown = std::make_exception_ptr(OutcomeUnknown(unknown_outcome(group)));
    for (Request* request : group) detail::settle(*request, outcome, unknown);
  }
  if (outcome == CommitOutcome::kCommitted) context_.counters.updates.add(committed(groups));
  // Exceptions from here on do not change results: every request already has one.
  if (outcome == CommitOutcome::kConflict) {
    if (!may_meet_at_index_) affinity_.leave(entity_.head.layouts);
  } else {
    for (const Group& group : groups) context_.note_change(group.front()->key);
    for (const auto& [type, key] : compactable_) context_.compactable.note(*type, key);
  }
  record_usage(outcome);
  if (outcome == CommitOutcome::kUnknown && context_.options.log) {
    for (const Group& group : groups) context_.options.log(unknown_outcome(group));
  }
}

/// Makes one transaction of the first groups, as many as it has room for; `attempted_` tells their number.
/// Also throws `CommitTooLarge` if several updates of one entity exceed the size of a commit.
CommitOutcome ShardWriter::attempt(std::span<const Group> groups, Folding folding) {
  WriterPool::Borrowed writer(context_.writers);
  const std::unique_ptr<Transaction> transaction = context_.store.begin();
  writes_.shrink(0);
  touched_.clear();
  compactable_.clear();
  looked_at_.clear();
  any_exceeded_ = may_meet_at_index_ = would_shrink_ = false;
  attempted_ = 1;  // if an error comes before they are counted
  folding_ = folding;
  affinity_.begin();
  const Now now = ask_clock_for(groups);
  if (announces_reads()) {
    prefetch(*transaction, groups, writer.mark_key(), now);
    expect_prefetched(*transaction, true);
  }
  attempted_ = 0;
  for (Room room(traits_, groups.size()); room.is_left();) {
    const Group& group = groups[attempted_++];
    AUTOSHARD_CHECK(!group.empty() && std::all_of(group.begin(), group.end(), [&](const Request* request) {
      return request->key == group.front()->key;
    }));
    const std::size_t first = writes_.size();
    put(*transaction, group, now);
    if (group.size() > 1 && writes_.divisible_bytes(first) > most_bytes(traits_))
      throw CommitTooLarge("several updates of one entity");
    room.take(writes_.bytes(first));
  }
  const bool is_empty = writes_.size() == 0 && !any_exceeded_;
  if (is_empty) return CommitOutcome::kCommitted;
  expect_prefetched(*transaction, false);  // the first commit makes a mark
  return commit_and_count(context_, writer, *transaction, &took_);
}

/// Returns whether an update needs the clock, because of its class or because it leaves a token.
bool ShardWriter::needs_clock(std::span<const Group> groups) {
  const auto needs_it = [](const Request* request) {
    return (request->type->needs_clock() && !request->has_now) || request->leaves_token();
  };
  return std::any_of(groups.begin(), groups.end(),
                     [&](const Group& group) { return std::any_of(group.begin(), group.end(), needs_it); });
}

/// For a check, with every store: from here on, only announced records may be read.
void ShardWriter::expect_prefetched([[maybe_unused]] Transaction& transaction,
                                    [[maybe_unused]] bool expected) {
  if constexpr (kChecks) CheckedStore::expect_prefetched(transaction, expected);
}

/// If the application's clock throws, the updates that need it fail, and the others do not.
Now ShardWriter::ask_clock_for(std::span<const Group> groups) {
  clock_error_ = nullptr;
  try {
    if (needs_clock(groups)) return ask_clock(context_.options);
  } catch (...) {
    clock_error_ = std::current_exception();
  }
  return kBeforeAllTimes;
}

std::string ShardWriter::unknown_outcome(Group group) {
  return detail::unknown_outcome("updating " + describe(group.front()->key));
}

void ShardWriter::note_touched(std::size_t place, Group group) {
  const PropertyRef property =
      sharded_property(*entity_.type, place, entity_.key, entity_.head.layouts[place].shards, thread_);
  if (!property.is_adaptive() && !context_.observation.is_on()) return;
  Touched touched{property};
  for_each_waiting(group, [&](const Request& request) {
    ++touched.updates;
    touched.retries += request.is_retry;
  });
  touched_.push_back(touched);
}

/// A conflict concerns one entity. After a conflict of several entities, each gets a transaction of its own.
void ShardWriter::record_usage(CommitOutcome outcome) {
  const double seconds = std::chrono::duration<double>(took_).count();
  for (const Touched& touched : touched_) {
    context_.count_activity(touched.property, [&](Usage& usage) {
      const double waited = seconds * touched.updates;
      if (outcome == CommitOutcome::kCommitted) usage.put(touched.property, touched.updates, waited);
      if (outcome == CommitOutcome::kConflict && !may_meet_at_index_)
        usage.conflict(touched.property, waited);
      if (touched.retries > 0) usage.retry(touched.property, touched.retries);
    });
  }
}

}  // namespace autoshard::detail
