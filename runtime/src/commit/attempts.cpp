#include "attempts.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <string>

#include "keys.h"
#include "random.h"

namespace autoshard::detail {
namespace {

[[noreturn]] void throw_unknown(const CommitContext& context, std::string_view doing) {
  const std::string message = unknown_outcome(doing);
  context.log(message);
  throw OutcomeUnknown(message);
}

}  // namespace

CommitOutcome commit_and_count(CommitContext& context, WriterPool::Borrowed& writer, Transaction& transaction,
                               platform::Clock::duration* took) {
  const auto began = platform::Clock::now();
  const CommitOutcome outcome = writer.commit(transaction);
  const auto time = platform::Clock::now() - began;
  context.counters.note_commit(outcome, time);
  if (took) *took = time;
  return outcome;
}

std::string unknown_outcome(std::string_view doing) {
  return std::string(doing) +
         ": the store cannot tell whether the commit took effect; load the entity and look before you repeat "
         "the call, or give updates tokens, with which they may be repeated";
}

Attempts::Attempts(CommitContext& context, std::string_view doing, EntityKeyView key, Clock::time_point begin)
    : context_(context), doing_(doing), key_(key), begin_(begin) {}

bool Attempts::commit(Transaction& transaction) {
  CommitOutcome outcome = CommitOutcome::kConflict;
  try {
    WriterPool::Borrowed writer(context_.writers);
    outcome = commit_and_count(context_, writer, transaction);
  } catch (const CommitTooLarge& error) {
    throw CommitTooLarge(doing() + ": " + error.what());
  }
  if (outcome == CommitOutcome::kCommitted) return true;
  if (outcome == CommitOutcome::kConflict) {
    wait();
    return false;
  }
  throw_unknown(context_, doing());
}

std::string Attempts::doing() const {
  return key_.empty() ? std::string(doing_) : std::string(doing_) + ' ' + describe(key_);
}

std::chrono::microseconds Attempts::pause(Clock::time_point attempt_began) {
  const RetryPolicy& policy = context_.options.retry;
  if (attempts_++ == 0) begin_ = attempt_began;  // the call may have waited in memory until now
  const auto passed = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin_);
  if (attempts_ >= policy.max_attempts || passed >= policy.deadline) {
    const std::string message =
        doing() + ": each of " + std::to_string(attempts_) + " attempts within " +
        std::to_string(passed.count()) +
        " us met a conflicting commit, and nothing was written: try again later, raise max_attempts or "
        "deadline of the RetryPolicy, or spread the property over more shards";
    context_.counters.contentions.add();
    context_.log(message);
    throw Contention(message);
  }
  context_.counters.retries.add();
  const auto bound = std::min(policy.backoff_bound(attempts_), policy.deadline - passed);
  return std::chrono::microseconds(
      random_below(static_cast<std::uint64_t>(std::max<std::int64_t>(bound.count(), 0)) + 1));
}

void Attempts::wait() {
  const std::chrono::microseconds time = pause(begin_);
  if (time.count() > 0) platform::sleep_for(time);
}

bool commit_once(CommitContext& context, Transaction& transaction, std::string_view doing,
                 std::string* too_large) {
  CommitOutcome outcome = CommitOutcome::kConflict;
  try {
    WriterPool::Borrowed writer(context.writers);
    outcome = commit_and_count(context, writer, transaction);
  } catch (const CommitTooLarge& error) {
    if (too_large) *too_large = error.what();
    return false;
  }
  if (outcome == CommitOutcome::kUnknown) throw_unknown(context, doing);
  return outcome == CommitOutcome::kCommitted;
}

}  // namespace autoshard::detail
