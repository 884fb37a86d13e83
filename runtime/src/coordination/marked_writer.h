#pragma once

#include <autoshard/retry.h>
#include <autoshard/store.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keys.h"
#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// Commits one transaction after the other, and finds out the outcome of a commit whose acknowledgement was
/// lost.
///
/// The writer's *mark* is a record of its own with a number that counts the writer's commits. Each
/// transaction reads the mark and writes the next number, together with its other writes. So after a lost
/// acknowledgement the number tells whether the commit took effect. If it has not, it may still be under way.
/// Then the writer commits a *fence*, a transaction that writes the number after that. The fence keeps the
/// commit from ever taking effect, because the mark no longer has the number that the commit has read.
///
/// The mark is in the store before the first transaction reads it. So a missing mark always means that it was
/// removed, and a late commit always fails.
///
/// A store may lose its last commits; then the mark returns to a lower number or is gone. The writer begins
/// another mark before the next commit. If an acknowledgement is lost at that time, the remaining state
/// decides: a commit that the store has lost did not take effect. Used by one thread at a time.
class MarkedWriter {
 public:
  /// The arguments must outlive the writer. `policy` limits how long and how often the writer looks for an
  /// outcome. `resolved` counts the lost acknowledgements whose outcome was found out.
  MarkedWriter(Store& store, const RetryPolicy& policy, std::atomic<std::uint64_t>& resolved)
      : store_(store), policy_(policy), resolved_(resolved) {}

  /// As `Transaction::commit`. Returns `kUnknown` only if the outcome could not be found out in time, and
  /// `kConflict` also if no mark could be made.
  CommitOutcome commit(Transaction& transaction);

  /// The key of the mark that the next commit reads. Empty: the commit will make a new mark.
  std::string_view mark_key() const { return key_; }

  /// Adds the removal of the mark to a transaction.
  void erase_mark(Transaction& transaction) const;

 private:
  using Number = std::uint64_t;

  bool stamp(Transaction& transaction);
  bool begin_mark();
  CommitOutcome resolve();
  std::optional<Number> read_mark(Transaction& transaction);
  void put_mark(Transaction& transaction, Number number);

  Store& store_;
  const RetryPolicy& policy_;
  std::atomic<std::uint64_t>& resolved_;
  RecordKey key_;       // of the mark; empty: there is no mark
  Number number_ = 0;   // the number in the mark
  std::string record_;  // kept to reuse its memory
};

/// The writers of a mapper: as many as there are concurrent commits. Thread-safe.
class WriterPool {
 public:
  /// The arguments must outlive the object.
  WriterPool(Store& store, const RetryPolicy& policy);

  /// A writer for one commit. On stores whose commits always have a known outcome there is no writer: the
  /// transaction itself commits, at no further cost.
  class Borrowed {
   public:
    explicit Borrowed(WriterPool& from) : from_(from), writer_(from.are_marked_ ? from.take() : nullptr) {}
    ~Borrowed() {
      if (writer_) from_.give_back(std::move(writer_));
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    /// As `MarkedWriter::mark_key`; also empty if there is no writer.
    std::string_view mark_key() const { return writer_ ? writer_->mark_key() : std::string_view(); }
    /// As `MarkedWriter::commit`.
    CommitOutcome commit(Transaction& transaction) {
      return writer_ ? writer_->commit(transaction) : transaction.commit();
    }

   private:
    WriterPool& from_;
    std::unique_ptr<MarkedWriter> writer_;
  };

  /// As `MarkedWriter::commit`, with a writer borrowed for it.
  CommitOutcome commit(Transaction& transaction) { return Borrowed(*this).commit(transaction); }

  /// Removes the marks; no commit may be under way. Marks that cannot be removed expire.
  void remove_marks() noexcept;

  /// Returns whether there may be marks in the store.
  bool leave_marks() const { return are_marked_; }
  /// Returns the number of lost acknowledgements whose outcome was found out.
  std::uint64_t resolved() const { return resolved_.load(std::memory_order_relaxed); }

 private:
  std::unique_ptr<MarkedWriter> take();
  void give_back(std::unique_ptr<MarkedWriter> writer);

  Store& store_;
  const RetryPolicy& policy_;
  const bool are_marked_;
  Mutex mutex_;
  std::vector<std::unique_ptr<MarkedWriter>> free_ AUTOSHARD_GUARDED_BY(mutex_);  // capacity for all writers
  std::size_t made_ AUTOSHARD_GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> resolved_{0};
};

}  // namespace autoshard::detail
