#pragma once

#include <autoshard/options.h>
#include <autoshard/store.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "commit_context.h"
#include "platform.h"
#include "writer.h"

namespace autoshard::detail {

inline void count(std::atomic<std::uint64_t>& counter) { counter.fetch_add(1, std::memory_order_relaxed); }

/// The message for a commit with an unknown outcome; `doing` is as "saving Question 42".
std::string unknown_outcome(std::string_view doing);

/// The attempts at one commit, by the retry policy. What it refers to must outlive it.
class Attempts {
 public:
  /// `doing` and `key` say in messages what is attempted: "saving", the key of an entity. The key may be
  /// empty: "committing a transaction".
  Attempts(CommitContext& context, std::string_view doing, std::string_view key,
           platform::Clock::time_point begin = platform::Clock::now());

  /// Has a writer commit the transaction; whether it took effect. After false, time has passed: build it
  /// anew, from what is committed now. Throws `Contention` when the policy allows no further attempt, and
  /// `OutcomeUnknown`; `CommitTooLarge`, which names what is attempted.
  bool commit(Transaction& transaction);

  /// To be called after a conflict, by those who commit themselves, with the time when that attempt began:
  /// how long to wait until the next one. Throws `Contention`.
  std::chrono::microseconds pause(platform::Clock::time_point attempt_began);

  /// Waits that long.
  void wait();

 private:
  using Clock = platform::Clock;

  std::string doing() const;

  CommitContext& context_;
  std::string_view doing_;
  std::string_view key_;
  Clock::time_point begin_;  // of the first attempt
  std::uint32_t attempts_ = 0;
};

/// Commits what `put` puts into a transaction, and returns true. After a conflict it is put anew, into
/// another transaction. `put` returns whether there is anything to commit; if not, nothing is, and this
/// returns false. Throws as `Attempts::commit` does.
template <class Put>
bool commit_retried(CommitContext& context, std::string_view doing, std::string_view key, const Put& put) {
  for (Attempts attempts(context, doing, key);;) {
    const std::unique_ptr<Transaction> transaction = context.store.begin();
    if (!put(*transaction)) return false;
    if (attempts.commit(*transaction)) return true;
  }
}

/// Makes one attempt. Returns false if nothing is written: after a conflict, or because it is too large for
/// one commit. In the second case `too_large`, unless null, is set to a message. Throws `OutcomeUnknown`.
bool commit_once(CommitContext& context, Transaction& transaction, std::string_view doing,
                 std::string* too_large = nullptr);

}  // namespace autoshard::detail
