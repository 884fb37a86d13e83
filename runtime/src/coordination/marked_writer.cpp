#include "marked_writer.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "check.h"
#include "expiring_record.h"
#include "platform.h"
#include "random.h"

namespace autoshard::detail {
namespace {

/// The time limit for finding out the outcome of a commit.
class Patience {
 public:
  explicit Patience(const RetryPolicy& policy) : policy_(policy) {}

  /// Waits for a backoff; returns false if the time is over.
  bool wait() {
    const auto left =
        policy_.resolve_within - std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin_);
    if (left.count() <= 0) return false;
    const auto bound = std::min(policy_.backoff_bound(++looks_), left);
    platform::sleep_for(
        std::chrono::microseconds(random_below(static_cast<std::uint64_t>(bound.count()) + 1)));
    return true;
  }

 private:
  using Clock = platform::Clock;

  const RetryPolicy& policy_;
  const Clock::time_point begin_ = Clock::now();
  std::uint32_t looks_ = 0;
};

}  // namespace

CommitOutcome MarkedWriter::commit(Transaction& transaction) {
  if (!stamp(transaction)) return CommitOutcome::kConflict;
  const CommitOutcome outcome = transaction.commit();
  if (outcome == CommitOutcome::kCommitted) ++number_;
  return outcome == CommitOutcome::kUnknown ? resolve() : outcome;
}

/// Adds the mark to the transaction. Returns false if no mark could be made.
bool MarkedWriter::stamp(Transaction& transaction) {
  if (key_.empty() || read_mark(transaction) != number_) {
    // No commit is in doubt here, so a new mark is as good as the old one. A mark with an unexpected number
    // is not reliable: an exception came between a commit and its bookkeeping here, or the store has lost
    // commits.
    if (!begin_mark() || read_mark(transaction) != number_) return false;
  }
  put_mark(transaction, number_ + 1);
  return true;
}

/// Makes a new mark. Returns false if the mark is not known to be in the store; the caller may try another
/// one.
bool MarkedWriter::begin_mark() {
  key_.clear();
  RecordKey key = writer_key(random_bits());
  const std::unique_ptr<Transaction> transaction = store_.begin();
  if (transaction->get(key, record_)) return false;
  encode_expiring(record_, expires_after(kMarkLifetime), Number{0});
  transaction->put(key, record_);
  if (transaction->commit() != CommitOutcome::kCommitted) return false;
  key_ = std::move(key);
  number_ = 0;
  return true;
}

CommitOutcome MarkedWriter::resolve() {
  AUTOSHARD_CHECK(!key_.empty());
  const Number doubtful = number_ + 1, fence = number_ + 2;
  const auto found_out = [&](Number number, CommitOutcome outcome) {
    number_ = number;
    resolved_.fetch_add(1, std::memory_order_relaxed);
    return outcome;
  };
  Patience patience(policy_);
  do {
    try {
      const std::unique_ptr<Transaction> transaction = store_.begin();
      const std::optional<Number> seen = read_mark(*transaction);
      if (!seen || *seen > fence) break;
      if (seen == doubtful) return found_out(doubtful, CommitOutcome::kCommitted);
      if (seen == fence) return found_out(fence, CommitOutcome::kConflict);
      put_mark(*transaction, fence);
      if (transaction->commit() == CommitOutcome::kCommitted)
        return found_out(fence, CommitOutcome::kConflict);
    } catch (const std::exception&) {
      // The outcome is not known yet.
    }
  } while (patience.wait());
  key_.clear();  // its number is not known
  return CommitOutcome::kUnknown;
}

std::optional<MarkedWriter::Number> MarkedWriter::read_mark(Transaction& transaction) {
  if (!transaction.get(key_, record_)) return std::nullopt;
  try {
    return read_expiring(key_, record_).number;
  } catch (const CorruptRecord&) {
    return std::nullopt;  // a damaged mark tells as much as none
  }
}

void MarkedWriter::put_mark(Transaction& transaction, Number number) {
  encode_expiring(record_, expires_after(kMarkLifetime), number);
  transaction.put(key_, record_);
}

void MarkedWriter::erase_mark(Transaction& transaction) const {
  if (!key_.empty()) transaction.erase(key_);
}

WriterPool::WriterPool(Store& store, const RetryPolicy& policy)
    : store_(store), policy_(policy), are_marked_(store.traits().acknowledgements_may_be_lost) {}

/// Takes the writer that was returned last, so that the marks of idle writers expire.
std::unique_ptr<MarkedWriter> WriterPool::take() {
  const MutexLock lock(mutex_);
  if (free_.empty()) {
    free_.reserve(made_ + 1);
    auto writer = std::make_unique<MarkedWriter>(store_, policy_, resolved_);
    ++made_;
    return writer;
  }
  std::unique_ptr<MarkedWriter> writer = std::move(free_.back());
  free_.pop_back();
  return writer;
}

void WriterPool::give_back(std::unique_ptr<MarkedWriter> writer) {
  const MutexLock lock(mutex_);
  AUTOSHARD_CHECK(free_.size() < made_ && free_.size() < free_.capacity(), {"free", free_.size()},
                  {"made", made_});
  free_.push_back(std::move(writer));
}

void WriterPool::remove_marks() noexcept {
  std::vector<std::unique_ptr<MarkedWriter>> writers;
  {
    const MutexLock lock(mutex_);
    AUTOSHARD_CHECK(free_.size() == made_ || free_.empty(), {"free", free_.size()}, {"made", made_});
    writers.swap(free_);
  }
  if (writers.empty()) return;
  try {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    for (const std::unique_ptr<MarkedWriter>& writer : writers) writer->erase_mark(*transaction);
    transaction->commit();
  } catch (const std::exception&) {
    // The marks expire.
  }
}

}  // namespace autoshard::detail
