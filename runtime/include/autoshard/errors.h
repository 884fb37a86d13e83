#pragma once

#include <cstddef>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace autoshard {

/// The base class of all errors of AutoShard. The message names the entity or record and says what to do.
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

/// A save over a main record that changed since the entity was loaded, or a save of a new entity whose id is
/// taken. The main record was not written: load the entity again, make the change again, save.
class StaleEntity : public Error {
 public:
  using Error::Error;
};

/// A save, of a new entity or another, that would give two entities the same key of a unique index. Nothing
/// of it was written: the other entity, which the message names, really had that key at an instant during the
/// call. From `admin::build_indexes`: two existing entities have the same key.
class NotUnique : public Error {
 public:
  using Error::Error;
};

/// The key of an entity, of one of its elements, of a token, or of an entry in an index is too long for the
/// store (`StoreTraits::longest_key`). Nothing was written: choose a shorter id, element, token or indexed
/// value. From `Mapper::erase_element`: an earlier version of the class has left the element in a shard,
/// beside one whose key would be too long in this version. Other elements of that version may have been
/// rewritten in today's form; no value has changed.
class KeyTooLong : public Error {
 public:
  using Error::Error;
};

/// One commit would write more than the store accepts (`StoreTraits::largest_commit`, or a limit that only
/// the store's server knows). Nothing of that commit was written. The mapper has already divided the work as
/// far as possible: write less in one call, write a smaller value, or raise the limit that the message names.
class CommitTooLarge : public Error {
 public:
  using Error::Error;
};

/// A range of an index that may not hold all entities. Some entities are older than the index, or a program
/// whose class lacks the index has written. Nothing was read: call `admin::build_indexes` for the class
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

/// An update, or a new entity, that would take a property out of the bounds of its annotation. Nothing was
/// written. The value really did not allow the update at an instant during the call.
class BoundExceeded : public Error {
 public:
  using Error::Error;
};

/// Acknowledged updates of a mapper whose durability is `buffered` could not be committed, or the store could
/// not tell whether they were committed. The message counts both. The call that throws this did nothing: it
/// may be repeated.
class UpdatesLost : public Error {
 public:
  using Error::Error;
};

/// The store could not tell whether a commit took effect. If its traits say that acknowledgements may be
/// lost, the outcome could not be found out within `RetryPolicy::resolve_within` either. Repeating the call
/// might apply it twice, unless it is an update with a `token`: load the entity, look, decide.
/// (After a failure of its log, a `RocksDbStore` has to be opened again first; its message says so.)
class OutcomeUnknown : public Error {
 public:
  using Error::Error;
};

/// Some entities of a range could not be saved, or not with all their updates; all others are saved. Each
/// failed entity is in the state in which `save` of it alone leaves it after throwing this error.
class BatchFailed : public Error {
 public:
  struct Failure {
    std::size_t place;  ///< index in the range to be saved
    std::exception_ptr error;
  };

  BatchFailed(const std::string& message, std::vector<Failure> failures)
      : Error(message), failures_(std::move(failures)) {}

  /// In the order of the range.
  const std::vector<Failure>& failures() const { return failures_; }

 private:
  std::vector<Failure> failures_;
};

/// The text is not a continuation of this query: it belongs to another query, or was changed on its way.
/// Nothing was read: begin without a cursor.
class InvalidCursor : public Error {
 public:
  using Error::Error;
};

/// A record holds bytes that AutoShard did not write, or a value that the present class cannot hold. The
/// message names the record, and the property if its value is at fault.
class CorruptRecord : public Error {
 public:
  using Error::Error;
};

/// The format of the store's contents is newer than this version. Nothing was changed.
///
/// A save throws this too if the present class stores a property plainly, the save would change it or add it
/// to the record, and a program with a newer version of the class has replaced its value. The property is
/// sharded in the newer version, so the change would not count. Nothing was written: update this program.
class SchemaMismatch : public Error {
 public:
  using Error::Error;
};

/// A call, an option or a class that makes no sense. Nothing was read or written: change the program.
class InvalidUse : public Error {
 public:
  using Error::Error;
};

/// The store cannot be opened, read or written at present: another process holds it, the disk is full, or an
/// I/O error occurred. A write that ends with this error did not take effect.
class StoreUnavailable : public Error {
 public:
  using Error::Error;
};

}  // namespace autoshard
