#include <autoshard/errors.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "accesses.h"
#include "check.h"
#include "database.h"
#include "of_thread.h"

namespace autoshard::rocksdb_store {
namespace {

/// The memory of a transaction. The next transaction of the thread uses it again, unless it is too large to
/// be kept.
struct Memory {
  static constexpr std::size_t kMostAccesses = 16'384, kMostBytes = std::size_t{4} << 20;  // that are kept

  Accesses accesses;
  std::vector<Access*> order;
  rocksdb::WriteBatch batch;
};

struct Kept {
  std::unique_ptr<Memory> memory;
};

std::unique_ptr<Memory> take_memory() {
  Kept* kept = detail::OfThread<Kept>::get();
  return kept && kept->memory ? std::move(kept->memory) : std::make_unique<Memory>();
}

void give_back(std::unique_ptr<Memory> memory) {
  Kept* kept = detail::OfThread<Kept>::get();
  if (!kept || memory->accesses.size() > Memory::kMostAccesses ||
      memory->batch.GetDataSize() > Memory::kMostBytes)
    return;
  memory->accesses.clear();
  memory->batch.Clear();
  kept->memory = std::move(memory);
}

/// Holds the locks of the keys of a commit. Stops at the first conflict.
class Locks {
 public:
  /// `order`: the accesses, in the order in which to lock their keys.
  Locks(KeyLocks& locks, const std::vector<Access*>& order) : locks_(locks), order_(order) {
    while (!all() && lock(*order_[locked_])) ++locked_;
    if (!all()) return;
    for (const Access* access : order_) {
      if (access->written) locks_.announce_write(access->key);
    }
  }

  ~Locks() {
    for (std::size_t i = 0; i < locked_; ++i) {
      const Access& each = *order_[i];
      if (!each.written) {
        locks_.unlock_shared(each.key);
      } else if (outcome_ == CommitOutcome::kCommitted) {
        locks_.unlock_written(each.key, each.removed ? nullptr : &each.value);
      } else {
        locks_.unlock(each.key, outcome_ == CommitOutcome::kUnknown);
      }
    }
  }

  Locks(const Locks&) = delete;
  Locks& operator=(const Locks&) = delete;

  /// Whether all keys are locked.
  bool all() const { return locked_ == order_.size(); }
  /// Sets the outcome of the write. Without a call, nothing was written.
  void set_outcome(CommitOutcome outcome) { outcome_ = outcome; }

 private:
  bool lock(const Access& access) {
    if (!access.written) return locks_.lock_shared(access.key, access.version);
    return locks_.lock(access.key, access.read ? std::optional(access.version) : std::nullopt);
  }

  KeyLocks& locks_;
  const std::vector<Access*>& order_;
  std::size_t locked_ = 0;
  CommitOutcome outcome_ = CommitOutcome::kConflict;
};

class RocksDbTransaction final : public Transaction {
 public:
  explicit RocksDbTransaction(Database& database) : database_(database) {}

  ~RocksDbTransaction() override {
    for (const Access& access : accesses_) database_.locks().unwatch(access.key);
    give_back(std::move(memory_));
  }

  bool get(std::string_view key, std::string& value) override {
    database_.check_log();
    if (key.size() > kLongestKey) return false;  // there can be no such record
    const std::size_t hash = KeyLocks::hash(key);
    Access* access = accesses_.find(key, hash);
    if (access && access->written) {
      if (!access->removed) value = access->value;
      return !access->removed;
    }
    std::optional<bool> known;
    if (access) {
      known = database_.locks().recall(access->key, value);
    } else {
      access = &watch(key, hash, &value, known);
    }
    access->read = true;
    if (known) return *known;
    const bool there = database_.get(key, value);
    database_.locks().remember(access->key, access->version, there ? &value : nullptr);
    return there;
  }

  void put(std::string_view key, std::string_view value) override {
    if (key.size() > kLongestKey) {
      throw StoreUnavailable("a key has " + std::to_string(key.size()) +
                             " bytes, and a RocksDbStore allows " + std::to_string(kLongestKey) +
                             ": choose shorter ids");
    }
    Access& access = this->access(key);
    access.value = value;  // first: if the copy fails, the transaction stays as it was
    access.written = true;
    access.removed = false;
  }

  void erase(std::string_view key) override {
    if (key.size() > kLongestKey) return;
    Access& access = this->access(key);
    access.written = access.removed = true;
  }

  CommitOutcome commit() override {
    database_.check_log();  // also if there is nothing to write
    rocksdb::WriteBatch& batch = memory_->batch;
    std::vector<Access*>& order = memory_->order;
    order.clear();
    std::size_t bytes = 0;
    for (Access& access : accesses_) {
      if (access.read || access.written) order.push_back(&access);
      if (!access.written) continue;
      bytes += access.key->name().size() + (access.removed ? 0 : access.value.size());
      if (bytes > database_.largest_commit()) {
        throw CommitTooLarge(
            "a commit writes more than the " + std::to_string(database_.largest_commit()) +
            " bytes that this RocksDbStore allows: write less, or raise RocksDbOptions::largest_commit");
      }
      const rocksdb::Slice name = slice(access.key->name());
      const rocksdb::Status status = access.removed ? batch.Delete(name) : batch.Put(name, access.value);
      // unreachable: a batch takes values of up to 4 GiB
      if (!status.ok())
        throw StoreUnavailable("RocksDB cannot write this much in one commit: " + status.ToString());
    }
    std::sort(order.begin(), order.end(),
              [](const Access* one, const Access* other) { return std::less<>()(one->key, other->key); });
    Locks locks(database_.locks(), order);
    if (!locks.all()) return CommitOutcome::kConflict;
    AUTOSHARD_CHECK(static_cast<std::ptrdiff_t>(batch.Count()) ==
                        std::ranges::count_if(order, [](const Access* each) { return each->written; }),
                    {"writes", batch.Count()});
    if (batch.Count() == 0) return CommitOutcome::kCommitted;
    const CommitOutcome outcome = database_.write(batch);
    locks.set_outcome(outcome);
    return outcome;
  }

 private:
  Access& access(std::string_view key) {
    const std::size_t hash = KeyLocks::hash(key);
    if (Access* access = accesses_.find(key, hash)) return *access;
    std::optional<bool> known;
    return watch(key, hash, nullptr, known);
  }

  /// Begins to watch a key at its first access, so that the commit notices each write since the read. Sets
  /// `known`, and `value` unless it is null, to what is remembered of the key.
  Access& watch(std::string_view key, std::size_t hash, std::string* value, std::optional<bool>& known) {
    accesses_.reserve();
    const KeyLocks::Watch watch = database_.locks().watch(key, hash, value);
    known = watch.known;
    return accesses_.add(watch.key, hash, watch.version);
  }

  Database& database_;
  std::unique_ptr<Memory> memory_ = take_memory();
  Accesses& accesses_ = memory_->accesses;
};

}  // namespace

std::unique_ptr<Transaction> begin_transaction(Database& database) {
  return std::make_unique<RocksDbTransaction>(database);
}

}  // namespace autoshard::rocksdb_store
