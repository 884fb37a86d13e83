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

/// What a store can do. The runtime chooses its methods by these traits, never by a store's name.
struct StoreTraits {
  enum class AtomicScope {
    kRecord,  ///< one transaction may write one record
    kStore,   ///< one transaction may write any number of records
  };

  AtomicScope atomic_scope = AtomicScope::kRecord;
  /// A commit that was answered with `kCommitted` survives a crash and a power loss.
  bool durable_acknowledgement = false;
  /// A `Snapshot` shows one committed state, whatever is committed meanwhile.
  bool snapshot_reads = false;
  /// Several processes may have the store open for writing.
  bool many_writing_processes = false;
  /// Writes per second. 0: the store itself has no limit.
  double sustained_writes_per_record = 0;
  /// `kUnknown` is an expected answer, for instance because a network lies between.
  bool acknowledgements_may_be_lost = false;
  /// In bytes. 0: the store itself has no limit.
  std::size_t longest_key = 0;
  /// The largest number of bytes in one commit: the keys and values that it writes, and the keys that it
  /// removes. 0: the store knows no limit in advance. A smaller commit may be too large all the same.
  std::size_t largest_commit = 0;
  /// `Transaction::prefetch` saves time.
  bool prefetches = false;
  /// `Transaction::fold` adds numbers. Commits that fold into the same record wait for each other.
  bool folds_sum = false;
  /// `Transaction::fold` keeps the lesser of two numbers. Commits wait as for `folds_sum`.
  bool folds_minimum = false;
  /// `Transaction::fold` keeps the greater of two numbers. Commits wait as for `folds_sum`.
  bool folds_maximum = false;

  bool folds(Fold fold) const {
    return (fold == Fold::kSum && folds_sum) || (fold == Fold::kMinimum && folds_minimum) ||
           (fold == Fold::kMaximum && folds_maximum);
  }
};

/// A change of a record that holds a MessagePack array whose first element is an integer. The fold combines
/// that integer with `number` and keeps the other elements.
struct NumberFold {
  Fold fold = Fold::kSum;  ///< not `kOther`
  std::int64_t number = 0;
  std::int64_t least = 0, most = 0;  ///< limits of the result
  /// The other elements of the array, encoded, one after the other.
  std::string_view others = {};
  std::uint32_t size = 1;  ///< of the array; below 16
};

enum class CommitOutcome {
  kCommitted,  ///< Every write took effect, at one instant at which every read was still true.
  kConflict,   ///< No write took effect: a record that was read has changed since.
  kNotFolded,  ///< No write took effect: the store cannot fold into a record.
  kUnknown,    ///< All writes or none took effect, now or later; the store cannot tell which.
};

/// Reads and writes that take effect together or not at all. Optimistic: nothing waits before `commit`. Used
/// by one thread at a time. Has no effect if it is destroyed without a commit. Must not outlive its store.
class Transaction {
 public:
  virtual ~Transaction() = default;

  /// Returns whether there is a record of this key. If there is, its value replaces the content of `value`.
  /// Throws `StoreUnavailable` or `CorruptRecord`.
  ///
  /// Sees this transaction's own writes, and otherwise the last committed state. What a read found, a value
  /// or an absence, must still hold at the commit; otherwise the commit ends as a conflict. Until then, two
  /// reads of one transaction may belong to different states. A record that was written since has changed,
  /// even if it holds the same bytes or was removed in between. An absence may count as unchanged although a
  /// record existed for a while.
  virtual bool get(std::string_view key, std::string& value) = 0;

  /// Writes a record at the commit. If the key was not read before, it is written whatever it holds. Throws
  /// `StoreUnavailable` if the key is too long for the store; the transaction is unchanged then.
  virtual void put(std::string_view key, std::string_view value) = 0;

  /// Removes the record of this key at the commit, if there is one.
  virtual void erase(std::string_view key) = 0;

  /// Announces that these keys are about to be read. A store that takes a round trip for each `get` reads
  /// them all in one, and later calls of `get` return what it found: the last committed state at the time of
  /// this call. A key that is prefetched and never read is not validated. Throws `StoreUnavailable`.
  virtual void prefetch(std::span<const std::string> /*keys*/) {}

  /// Folds a number into a record at the commit, whatever the record holds then. If there is no record,
  /// writes the array of the number and the others. Reads nothing, so nothing is validated: the commit waits
  /// for other commits that fold into the same record.
  ///
  /// The commit ends as `kNotFolded` if the store cannot fold: the record is not an array of this size with
  /// an integer and these others, or the result is not within the limits. Only for stores whose traits name
  /// the fold; other stores throw `InvalidUse`.
  virtual void fold(std::string_view key, const NumberFold& fold);

  /// Ends the transaction; afterwards only its destructor may be called. A transaction that only reads is
  /// validated too. If the call throws, nothing was written: `CommitTooLarge` if the commit is too large for
  /// the store and fewer of its writes may fit; `StoreUnavailable` for any other reason than a conflict.
  virtual CommitOutcome commit() = 0;

 protected:
  Transaction() = default;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
};

/// The direction of a walk.
enum class Direction {
  kForward,   ///< from the least key up
  kBackward,  ///< from the greatest key down
};

/// A walk over records in the order of their keys as unsigned bytes, or in the reverse order. Used by one
/// thread at a time. Must not outlive the object that returned it.
class Cursor {
 public:
  virtual ~Cursor() = default;

  /// Returns whether the cursor stands at a record; false at the end. Never false because of an error: the
  /// call that meets an error throws `StoreUnavailable` or `CorruptRecord`.
  virtual bool valid() const = 0;
  /// The key and value of the present record. The cursor owns the bytes; they are valid until `next`.
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  virtual void next() = 0;

 protected:
  Cursor() = default;
  Cursor(const Cursor&) = delete;
  Cursor& operator=(const Cursor&) = delete;
};

/// The keys that are at least `begin` and below `end`.
struct KeyRange {
  std::string begin, end;
};

/// One committed state of the store. Any number of threads may read it. Must not outlive its store.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  /// As `Transaction::get`, of this state.
  virtual bool get(std::string_view key, std::string& value) const = 0;

  /// Returns the records whose keys are at least `begin` and below `end`, read as the cursor reaches them.
  /// `direction` says at which end the cursor begins.
  virtual std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                                       Direction direction) const = 0;
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end) const {
    return scan(begin, end, Direction::kForward);
  }

  /// Returns the records of several ranges, one range after the other. The ranges are sorted by their keys
  /// and do not overlap. A store that can read them at once does so, and may then hold all of the records in
  /// memory.
  virtual std::unique_ptr<Cursor> scan_all(std::vector<KeyRange> ranges) const;

 protected:
  Snapshot() = default;
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
};

/// Ordered records of binary keys and values: the seam between AutoShard and a database. Thread-safe. Keys
/// that begin with two zero bytes are reserved for the store.
///
/// A store can be built on a database that has:
/// - Keys of any bytes, in the order of unsigned bytes, and values of any bytes. Keys should have 500 bytes
///   or more (`longest_key`): the key of a record consists of the names of a class and a property, and an id.
/// - Transactions over several records (`kStore`), or at least a commit that checks conditions and writes at
///   one instant. A version in each record, which every write draws anew, is enough to validate reads; the
///   absence of a record has to be validated as well. Lost updates are not allowed. Nor is write skew: two
///   transactions of which each reads what the other writes conflict.
/// - Reads of a transaction that see what any process committed before the transaction began.
/// - Snapshots (`snapshot_reads`), whose walks show one committed state.
/// - An answer to each commit, and `kUnknown` if an answer may be missing. Such a commit may take effect
///   late, but only if its reads still hold then: mappers rely on that to count nothing twice. (With
///   `acknowledgements_may_be_lost` mappers keep marks in the store to find out the outcome of a commit.)
/// - A definite answer to a commit that is too large: `CommitTooLarge`, never `kUnknown` or
///   `StoreUnavailable`, because mappers divide such a commit.
/// - Time-outs: a call that never returns stops a mapper. `StoreUnavailable` is thrown for errors before
///   anything can have been written.
///
/// The other traits name optional abilities. The code above the stores knows no store by name, so another
/// store consists of these four classes and a library in `runtime/stores/`. Its test passes it to the suites
/// of `test/stores/store_contract.h` in AutoShard's repository, which check everything above.
class Store {
 public:
  virtual ~Store() = default;

  virtual StoreTraits traits() const = 0;
  virtual std::unique_ptr<Transaction> begin() = 0;
  /// Returns the state that is committed now. A snapshot keeps the records that it shows from being
  /// reclaimed: destroy it soon.
  virtual std::unique_ptr<Snapshot> snapshot() = 0;

  /// As `snapshot()->scan`, for a single walk. A store may do that at less cost.
  virtual std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end);

 protected:
  Store() = default;
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;
};

}  // namespace autoshard
