#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace autoshard {

/// What every error of AutoShard derives from. The message names the entity or record and says what to do.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An update or save of an entity that is absent or was erased. Nothing was written. (Loading an absent
/// entity is no error: it gives an empty optional.)
class NotFound : public Error {
 public:
  using Error::Error;
};

/// A save over a main record that changed since the entity was loaded, or of a new entity whose id is taken.
/// Nothing of the main record was written: load the entity again, make the change again, save.
class StaleEntity : public Error {
 public:
  using Error::Error;
};

/// A save, of a new entity or another, that would give two entities the same key of a unique index. Nothing
/// of it was written: the other entity, which the message names, really had that key at an instant during the
/// call. From `admin::build_indexes`: two entities that are there already have the same.
class NotUnique : public Error {
 public:
  using Error::Error;
};

/// An entity whose id, or whose entry in an index, takes a key for which the store has no room
/// (`StoreTraits::longest_key`). Nothing of it was written: choose shorter values.
class KeyTooLong : public Error {
 public:
  using Error::Error;
};

/// One commit would write more than the store takes in one (`StoreTraits::largest_commit`, or a limit that
/// only the store's server knows). Nothing of that commit was written. A mapper has divided what can be
/// divided by then: write less in one call, or a smaller value, or raise the limit that the message names.
class CommitTooLarge : public Error {
 public:
  using Error::Error;
};

/// A range of an index that may not hold all entities: there were some before the class had it, or a program
/// has written whose class does not have it. Nothing was read: call `admin::build_indexes` for the class
/// once. From `build_indexes` itself: such a program has written meanwhile.
class IndexNotBuilt : public Error {
 public:
  using Error::Error;
};

/// Every attempt that the retry policy allows met a conflicting commit. Nothing was written: try again later,
/// allow more attempts, or spread the property over more shards.
class Contention : public Error {
 public:
  using Error::Error;
};

/// An update, or a new entity, that would take a property out of the bounds that its annotation gives.
/// Nothing was written, and the value really did not allow it at an instant during the call.
class BoundExceeded : public Error {
 public:
  using Error::Error;
};

/// Updates that were acknowledged before, by a mapper whose durability is `buffered`, could not be committed,
/// or the store could not tell whether they were; the message counts the ones and the others. The call that
/// throws this did nothing: it may be repeated.
class UpdatesLost : public Error {
 public:
  using Error::Error;
};

/// The store could not tell whether a commit took effect, and where its traits say that acknowledgements may
/// be lost, it could not be found out within `RetryPolicy::resolve_within` either. Repeating it might apply
/// it twice, unless it is an update with a `token`: load, look, decide. (`RocksDbStore` has to be opened
/// again first, and says so.)
class OutcomeUnknown : public Error {
 public:
  using Error::Error;
};

/// Some entities of a range could not be saved, or not with all their updates; all others are. Each that
/// failed is as after a `save` of it alone that has thrown this error.
class BatchFailed : public Error {
 public:
  struct Failure {
    std::size_t place;  ///< in the range that was to be saved
    std::exception_ptr error;
  };

  BatchFailed(const std::string& message, std::vector<Failure> failures)
      : Error(message), failures_(std::move(failures)) {}

  /// In the order of the range.
  const std::vector<Failure>& failures() const { return failures_; }

 private:
  std::vector<Failure> failures_;
};

/// A text that is no cursor of this query: it came from another one, or was changed on its way. Nothing was
/// read: begin without a cursor.
class InvalidCursor : public Error {
 public:
  using Error::Error;
};

/// A record holds bytes that AutoShard did not write, or a value that the class of today cannot hold. The
/// message names the record, and the property if the fault is in its value.
class CorruptRecord : public Error {
 public:
  using Error::Error;
};

/// The store's contents are in a format that this version does not know. Nothing was touched.
/// Also from a save that would change a property, or add it to the record, which this program's class stores
/// plainly, and whose value a program with a newer version of the class has replaced: the property is sharded
/// there, and the change would not count. Nothing was written: update this program.
class SchemaMismatch : public Error {
 public:
  using Error::Error;
};

/// A call, an option or a class that makes no sense. Nothing was read or written: change the program.
class InvalidUse : public Error {
 public:
  using Error::Error;
};

/// The store cannot be opened, read or written at present: held by another process, disk full, I/O error.
/// A write that ends so did not take place.
class StoreUnavailable : public Error {
 public:
  using Error::Error;
};

}  // namespace autoshard
