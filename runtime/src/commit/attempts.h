#pragma once

#include <autoshard/detail/entity_key.h>
#include <autoshard/options.h>
#include <autoshard/store.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "commit_context.h"
#include "marked_writer.h"
#include "platform.h"

namespace autoshard::detail {

/// Commits a transaction with this writer, and counts it. `took`, unless null, is set to its time.
CommitOutcome commit_and_count(CommitContext& context, WriterPool::Borrowed& writer, Transaction& transaction,
                               platform::Clock::duration* took = nullptr);

/// Returns the message for a commit with an unknown outcome. `doing` is, for instance, "saving Question 42".
std::string unknown_outcome(std::string_view doing);

/// The attempts at one commit, limited by the retry policy. Objects that it refers to must outlive it.
class Attempts {
 public:
  /// `doing` and `key` describe the attempt in messages: "saving" and the key of an entity. The key may be
  /// empty: "committing a transaction".
  Attempts(CommitContext& context, std::string_view doing, EntityKeyView key,
           platform::Clock::time_point begin = platform::Clock::now());

  /// Commits the transaction with a writer's mark. Returns whether it took effect. After false, a backoff has
  /// passed, and the caller builds the transaction anew from the present state. Throws `Contention` if the
  /// policy allows no further attempt, `OutcomeUnknown`, and `CommitTooLarge` with a message that names the
  /// attempted operation.
  bool commit(Transaction& transaction);

  /// For callers that commit themselves, after a conflict. `attempt_began` is the time when the failed
  /// attempt began. Returns the backoff until the next attempt. Throws `Contention`.
  std::chrono::microseconds pause(platform::Clock::time_point attempt_began);

  /// Waits for the backoff.
  void wait();

 private:
  using Clock = platform::Clock;

  std::string doing() const;

  CommitContext& context_;
  std::string_view doing_;
  EntityKeyView key_;
  Clock::time_point begin_;  // when the first attempt began
  std::uint32_t attempts_ = 0;
};

/// Commits the writes that `put` adds to a transaction. After a conflict, `put` is called again with another
/// transaction. Returns true after a commit. `put` returns whether there is anything to commit; if not,
/// nothing is committed, and the function returns false. Throws as `Attempts::commit` does.
template <class Put>
bool commit_retried(CommitContext& context, std::string_view doing, EntityKeyView key, const Put& put) {
  for (Attempts attempts(context, doing, key);;) {
    const std::unique_ptr<Transaction> transaction = context.store.begin();
    if (!put(*transaction)) return false;
    if (attempts.commit(*transaction)) return true;
  }
}

/// Makes one attempt. Returns false if nothing is written: after a conflict, or because the transaction is
/// too large for one commit. In the second case `too_large`, unless null, is set to a message. Throws
/// `OutcomeUnknown`.
bool commit_once(CommitContext& context, Transaction& transaction, std::string_view doing,
                 std::string* too_large = nullptr);

}  // namespace autoshard::detail
