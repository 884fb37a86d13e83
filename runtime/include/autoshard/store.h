#pragma once

#include <autoshard/fold.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
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
  /// Bytes of the keys and values that one commit writes, and of the keys that it removes, at most; 0: the
  /// store knows no limit beforehand. A commit of fewer bytes may be too large all the same.
  std::size_t largest_commit = 0;
  bool prefetches = false;     ///< `Transaction::prefetch` saves time
  bool folds_sum = false;      ///< `Transaction::fold` adds, and those that do it wait for each other
  bool folds_minimum = false;  ///< likewise, keeps the less of two
  bool folds_maximum = false;  ///< likewise, keeps the greater of two

  bool folds(Fold fold) const {
    return (fold == Fold::kSum && folds_sum) || (fold == Fold::kMinimum && folds_minimum) ||
           (fold == Fold::kMaximum && folds_maximum);
  }
};

/// What becomes of a record that is an array in MessagePack whose first element is an integer: that is folded
/// with `number`, and the others stay.
struct NumberFold {
  Fold fold = Fold::kSum;  ///< any but `kOther`
  std::int64_t number = 0;
  std::int64_t least = 0, most = 0;  ///< what may come of it
  std::string_view others = {};      ///< elements of the array: each as it is encoded, one behind the other
  std::uint32_t size = 1;            ///< of the array; below 16
};

enum class CommitOutcome {
  kCommitted,  ///< every write took effect, at one instant at which every read was still true
  kConflict,   ///< none did: something that was read has changed since
  kNotFolded,  ///< none did: there is a record that the store cannot fold
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

  /// Says that these are about to be read. A store that takes a round trip for each `get` reads them in one,
  /// and what it found is what those give: what was committed last at this time. A key that is not read then
  /// is not validated. Throws `StoreUnavailable`.
  virtual void prefetch(std::span<const std::string> /*keys*/) {}

  /// Folds a number into a record at the commit, whatever it holds then; where there is none, writes the
  /// array of the number and the others. Nothing is read, and so nothing validated: the commit waits for
  /// others that fold into the same record. That commit ends as `kNotFolded` where the store cannot do it: if
  /// there is something else than an array of this size with an integer and these others, or the result is
  /// not within the limits. Only for stores whose traits name that fold; the others throw `InvalidUse`.
  virtual void fold(std::string_view key, const NumberFold& fold);

  /// Ends the transaction; only its destructor may be called after that. One that only reads is validated all
  /// the same. Throws, and has written nothing then: `CommitTooLarge` if the store does not take so much in
  /// one commit, and fewer of the same writes may fit; `StoreUnavailable` for any other reason than a
  /// conflict.
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
///
/// What a database must have for a store to be built on it:
/// - Keys of any bytes, in the order of unsigned bytes, and values of any bytes. Keys should have 500 bytes
/// or
///   more (`longest_key`): those of a record consist of the names of a class and a property, and an id.
/// - Transactions over several records (`kStore`), or at least a commit that checks conditions and writes at
///   one instant. A version in each record, which every write draws anew, is enough to validate what was
///   read; that there was no record has to be validated as well. To let a write be lost is no option, nor is
///   write skew: that one reads what the other writes, and the other way round, is a conflict.
/// - Reads of a transaction that see what was committed before it began, by whichever process.
/// - Snapshots (`snapshot_reads`), whose walks show one committed state.
/// - An answer to each commit, and where one may be missing, `kUnknown`. Such a commit may take effect late,
///   but only if what it has read still holds then: mappers rest on that to count nothing twice.
///   (`acknowledgements_may_be_lost`: they then keep notes in the store to find out what became of it.)
/// - A definite answer to a commit that is too large for it: `CommitTooLarge`, never `kUnknown` or
///   `StoreUnavailable`, for mappers divide such a commit.
/// - Time-outs: calls that never return make mappers stand still. `StoreUnavailable` is thrown for what went
///   wrong before anything can have been written.
///
/// What it may have besides, the other traits say. Nothing above a store knows its name, so that another one
/// is these four classes and a library in `runtime/stores/`. Its test gives it to the suites of
/// `test/stores/store_contract.h`, which judge all of the above.
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
