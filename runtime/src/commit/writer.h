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

#include "mutex.h"
#include "platform.h"

namespace autoshard::detail {

/// Commits one transaction after the other, and finds out what became of one whose acknowledgement was lost.
///
/// Its *mark* is a record of its own with a number, which counts its commits. Each transaction reads the mark
/// and writes the next number, together with whatever else it writes. So after a lost acknowledgement the
/// number tells whether that commit took effect. If it has not, it may still be on its way: then a *fence*, a
/// transaction that writes the number after that, sees to it that it never will, for the mark is not any more
/// what it has read.
///
/// The mark is there before the first transaction that reads it. So a missing one always means that it was
/// removed, and never lets anything pass that is late.
///
/// A store may lose its last commits, and then the mark goes back to a lower number or is gone. The writer
/// begins another mark before the next commit. A lost acknowledgement of that moment is judged by the state
/// that is left: a commit that the store has lost did not take effect. For one thread at a time.
class Writer {
 public:
  /// What is passed must outlive it. `policy`: how long to look, and how often. `resolved` counts the lost
  /// acknowledgements that were found out about.
  Writer(Store& store, const RetryPolicy& policy, std::atomic<std::uint64_t>& resolved)
      : store_(store), policy_(policy), resolved_(resolved) {}

  /// As `Transaction::commit`; `kUnknown` only if nothing could be found out in the time that there is, and
  /// `kConflict` also if there is no mark to be had.
  CommitOutcome commit(Transaction& transaction);

  /// The key of the mark that the next commit reads; empty: it will be a new one.
  const std::string& mark_key() const { return key_; }

  /// Adds to a transaction that the mark goes.
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
  std::string key_;     // of the mark; empty: there is none
  Number number_ = 0;   // in the mark
  std::string record_;  // kept for its memory
};

/// The writers of a mapper: as many as commits that are under way at the same time. Thread-safe.
class Writers {
 public:
  /// What is passed must outlive it.
  Writers(Store& store, const RetryPolicy& policy);

  /// A writer for one commit. On stores that always know it is none: the commit is the transaction's, and
  /// costs nothing else.
  class Borrowed {
   public:
    explicit Borrowed(Writers& from) : from_(from), writer_(from.are_marked_ ? from.take() : nullptr) {}
    ~Borrowed() {
      if (writer_) from_.give_back(std::move(writer_));
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;

    /// As `Writer::mark_key`; empty also where there is no writer.
    std::string_view mark_key() const { return writer_ ? writer_->mark_key() : std::string_view(); }
    /// As `Writer::commit`.
    CommitOutcome commit(Transaction& transaction) {
      return writer_ ? writer_->commit(transaction) : transaction.commit();
    }

   private:
    Writers& from_;
    std::unique_ptr<Writer> writer_;
  };

  /// As `Writer::commit`, with one that is borrowed for it.
  CommitOutcome commit(Transaction& transaction) { return Borrowed(*this).commit(transaction); }

  /// When no commit is under way any more. What cannot be removed expires.
  void remove_marks() noexcept;

  /// Whether there may be marks in the store.
  bool leave_marks() const { return are_marked_; }
  /// How many lost acknowledgements they have found out about.
  std::uint64_t resolved() const { return resolved_.load(std::memory_order_relaxed); }

 private:
  std::unique_ptr<Writer> take();
  void give_back(std::unique_ptr<Writer> writer);

  Store& store_;
  const RetryPolicy& policy_;
  const bool are_marked_;
  Mutex mutex_;
  std::vector<std::unique_ptr<Writer>> free_ AUTOSHARD_GUARDED_BY(mutex_);  // with room for all
  std::size_t made_ AUTOSHARD_GUARDED_BY(mutex_) = 0;
  std::atomic<std::uint64_t> resolved_{0};
};

}  // namespace autoshard::detail
