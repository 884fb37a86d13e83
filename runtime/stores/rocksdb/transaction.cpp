#include <autoshard/errors.h>

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "database.h"

namespace autoshard {
namespace {

/// What a transaction did with a key.
struct Access {
  KeyLocks::Key* key = nullptr;          // watched
  std::optional<std::uint64_t> version;  // when it was read first
  bool written = false;
  std::optional<std::string> value;  // that is written; empty: the record is removed
};

using Accesses = std::map<std::string, Access, std::less<>>;

/// Holds the locks of all the keys, as far as there is no conflict.
class Locks {
 public:
  Locks(KeyLocks& locks, const Accesses& accesses)
      : locks_(locks), accesses_(accesses), end_(accesses.begin()) {
    while (end_ != accesses_.end() && lock(end_->second)) ++end_;
    if (!all()) return;
    for (const auto& [name, access] : accesses_) {
      if (access.written) locks_.announce_write(access.key);
    }
  }

  ~Locks() {
    for (auto access = accesses_.begin(); access != end_; ++access) {
      const Access& each = access->second;
      if (!each.written) {
        locks_.unlock_shared(each.key);
      } else if (outcome_ == CommitOutcome::kCommitted) {
        locks_.unlock_written(each.key, each.value ? &*each.value : nullptr);
      } else {
        locks_.unlock(each.key, outcome_ == CommitOutcome::kUnknown);
      }
    }
  }

  Locks(const Locks&) = delete;
  Locks& operator=(const Locks&) = delete;

  bool all() const { return end_ == accesses_.end(); }
  /// Of the write; without, nothing was written.
  void set_outcome(CommitOutcome outcome) { outcome_ = outcome; }

 private:
  bool lock(const Access& access) {
    return access.written ? locks_.lock(access.key, access.version)
                          : locks_.lock_shared(access.key, *access.version);
  }

  KeyLocks& locks_;
  const Accesses& accesses_;
  Accesses::const_iterator end_;  // of those that are locked
  CommitOutcome outcome_ = CommitOutcome::kConflict;
};

class RocksDbTransaction final : public Transaction {
 public:
  explicit RocksDbTransaction(RocksDbDatabase& database) : database_(database) {}

  ~RocksDbTransaction() override {
    for (const auto& [name, access] : accesses_) database_.locks().unwatch(access.key);
  }

  bool get(std::string_view key, std::string& value) override {
    const Access& access = this->access(key, true);
    if (access.written) {
      if (access.value) value = *access.value;
      return access.value.has_value();
    }
    if (const std::optional<bool> known = database_.locks().recall(access.key, value)) return *known;
    const bool there = database_.get(key, value);
    database_.locks().remember(access.key, *access.version, there ? &value : nullptr);
    return there;
  }

  void put(std::string_view key, std::string_view value) override {
    std::string copy(value);  // first, for what cannot be copied leaves the transaction as it was
    Access& access = this->access(key, false);
    access.written = true;
    access.value = std::move(copy);
  }

  void erase(std::string_view key) override {
    Access& access = this->access(key, false);
    access.written = true;
    access.value.reset();
  }

  CommitOutcome commit() override {
    rocksdb::WriteBatch batch;
    for (const auto& [name, access] : accesses_) {
      if (!access.written) continue;
      const rocksdb::Status status = access.value ? batch.Put(name, *access.value) : batch.Delete(name);
      if (!status.ok())
        throw StoreUnavailable("RocksDB cannot write this much in one commit: " + status.ToString());
    }
    Locks locks(database_.locks(), accesses_);
    if (!locks.all()) return CommitOutcome::kConflict;
    if (batch.Count() == 0) return CommitOutcome::kCommitted;
    const CommitOutcome outcome = database_.write(batch);
    locks.set_outcome(outcome);
    return outcome;
  }

 private:
  /// Begins to watch a key at its first access: what is written between a read and the commit must not go
  /// unnoticed.
  Access& access(std::string_view key, bool read) {
    auto found = accesses_.lower_bound(key);
    if (found == accesses_.end() || found->first != key) {
      Accesses added;
      const auto place = added.emplace(key, Access()).first;
      const KeyLocks::Watch watch = database_.locks().watch(key);
      place->second.key = watch.key;
      if (read) place->second.version = watch.version;
      found = accesses_.insert(found, added.extract(place));
    }
    return found->second;
  }

  RocksDbDatabase& database_;
  Accesses accesses_;  // in the order of the keys, in which they must be locked
};

}  // namespace

std::unique_ptr<Transaction> begin_transaction(RocksDbDatabase& database) {
  return std::make_unique<RocksDbTransaction>(database);
}

}  // namespace autoshard
