#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard {

/// What a store can do. Strategies are chosen from these, never from a store's name.
struct StoreTraits {
  enum class AtomicScope {
    kRecord,  ///< one transaction may write one record
    kStore,   ///< one transaction may write any records
  };

  AtomicScope atomic_scope = AtomicScope::kRecord;
  bool durable_acknowledgement =
      false;                    ///< what `kCommitted` was answered for survives a crash and a power loss
  bool snapshot_reads = false;  ///< a `Snapshot` shows one committed state, whatever happens meanwhile
  bool many_writing_processes = false;     ///< several processes may have the store open for writing
  double sustained_writes_per_record = 0;  ///< per second; 0: no limit of the store's own
  bool acknowledgements_may_be_lost =
      false;                    ///< `kUnknown` is an answer to be expected, as where a network lies between
  std::size_t longest_key = 0;  ///< in bytes; 0: no limit of the store's own
  bool folds_sum = false;       ///< the store can add to a number without a transaction
  bool folds_minimum = false;   ///< likewise, keep the smaller of two
  bool folds_maximum = false;   ///< likewise, keep the larger of two
};

enum class CommitOutcome {
  kCommitted,  ///< every write took effect, at one instant at which every read was still true
  kConflict,   ///< none did: something that was read has changed since
  kUnknown,    ///< all of them or none did, or will later; the store cannot tell which
};

/// Reads and writes that take effect together or not at all. Optimistic: nothing waits until `commit`.
/// For one thread. Destroyed without a commit, it leaves no trace. Must not outlive its store.
class Transaction {
 public:
  virtual ~Transaction() = default;

  /// Whether there is a record of this key, and if so its value, which replaces what `value` held.
  /// Sees this transaction's own writes, and otherwise what was committed last. What was seen, presence or
  /// absence, must still hold at the commit, else that ends as a conflict; two reads of one transaction may
  /// belong to different states until then. A record that was written since has changed, even if it holds the
  /// same bytes, also if it was removed in between; an absence that was interrupted may pass for one. Throws
  /// `StoreUnavailable` or `CorruptRecord`.
  virtual bool get(std::string_view key, std::string& value) = 0;

  /// Writes a record at the commit. A key that was not read before is written whatever it holds. Throws
  /// `StoreUnavailable` for a key that is too long for the store; the transaction is as it was then.
  virtual void put(std::string_view key, std::string_view value) = 0;

  /// Removes a record at the commit, if there is one.
  virtual void erase(std::string_view key) = 0;

  /// Ends the transaction; only its destructor may be called after that. One that only reads is validated all
  /// the same. Throws `StoreUnavailable` if nothing was written for another reason than a conflict.
  virtual CommitOutcome commit() = 0;

 protected:
  Transaction() = default;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
};

/// Which way a walk goes.
enum class Direction {
  kForward,   ///< from the least key up
  kBackward,  ///< from the greatest key down
};

/// A walk over records in the order of their keys, as unsigned bytes, or the other way round. For one thread.
/// Must not outlive what gave it.
class Cursor {
 public:
  virtual ~Cursor() = default;

  /// Whether there is a record here; false at the end. Never because of an error: those are thrown, by the
  /// call that met them, as `StoreUnavailable` or `CorruptRecord`.
  virtual bool valid() const = 0;
  /// Of the record here. The bytes are the cursor's, until `next`.
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  virtual void next() = 0;

 protected:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
};

/// Keys that are at least `begin` and below `end`.
struct KeyRange {
  std::string begin, end;
};

/// One committed state of the store. Any number of threads may read it. Must not outlive its store.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  /// As `Transaction::get`, of this state.
  virtual bool get(std::string_view key, std::string& value) const = 0;

  /// The records whose keys are at least `begin` and below `end`, read as the cursor gets there; `direction`
  /// says at which end it begins.
  virtual std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                                       Direction direction) const = 0;
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end) const {
    return scan(begin, end, Direction::kForward);
  }

  /// The records of several ranges, which are in the order of their keys and do not overlap, one range after
  /// the other. Stores that can read them at once do, and may hold all of them in memory then.
  virtual std::unique_ptr<Cursor> scan_all(std::vector<KeyRange> ranges) const;

 protected:
  Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
};

/// Ordered records of binary keys and values: the seam between AutoShard and a database. Thread-safe.
/// Keys that begin with two zero bytes are the store's own.
class Store {
 public:
  virtual ~Store() = default;

  virtual StoreTraits traits() const = 0;
  virtual std::unique_ptr<Transaction> begin() = 0;
  /// What is committed now. Holding it keeps what it shows from being reclaimed: let it go soon.
  virtual std::unique_ptr<Snapshot> snapshot() = 0;

  /// As `snapshot()->scan`, for those who need one walk and no more. Stores that can do that for less do.
  virtual std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end);

  /// Says that many records were removed whose keys are at least `begin` and below `end`. Stores whose walks
  /// go past what was removed tidy up there; what an open snapshot still shows stays. May take a while, and
  /// changes nothing but how long walks take.
  virtual void reclaim(std::string_view /*begin*/, std::string_view /*end*/) {}

 protected:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
};

}  // namespace autoshard
