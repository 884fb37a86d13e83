#include <autoshard/memory_store.h>

#include <functional>
#include <limits>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check.h"
#include "mutex.h"

namespace autoshard::memory_store {

/// All records, with the values that a snapshot may still read. Thread-safe.
class Records {
 public:
  /// The number of a state, which is the number of commits that wrote before it.
  using State = std::uint64_t;
  using Writes = std::map<std::string, std::optional<std::string>, std::less<>>;

  struct Read {
    State written;  // the state after the last write or removal; 0 if there was none
    std::optional<std::string> value;
  };

  Read newest(std::string_view key) const {
    const detail::ReaderLock lock(mutex_);
    const auto found = records_.find(key);
    return found == records_.end() ? Read{0, {}}
                                   : Read{found->second.back().written, found->second.back().value};
  }

  std::optional<std::string> at(State state, std::string_view key) const {
    const detail::ReaderLock lock(mutex_);
    const auto found = records_.find(key);
    return found == records_.end() ? std::nullopt : value_at(found->second, state);
  }

  /// Returns the first record of a state whose key is below `end`, and at least `begin`, or above `begin` if
  /// `after`.
  std::optional<std::pair<std::string, std::string>> first(State state, std::string_view begin, bool after,
                                                           std::string_view end) const {
    const detail::ReaderLock lock(mutex_);
    auto record = after ? records_.upper_bound(begin) : records_.lower_bound(begin);
    for (; record != records_.end() && record->first < end; ++record) {
      if (std::optional<std::string> value = value_at(record->second, state))
        return {{record->first, *std::move(value)}};
    }
    return std::nullopt;
  }

  /// Returns the last record of a state whose key is at least `begin` and below `end`.
  std::optional<std::pair<std::string, std::string>> last(State state, std::string_view begin,
                                                          std::string_view end) const {
    const detail::ReaderLock lock(mutex_);
    for (auto record = records_.lower_bound(end); record != records_.begin();) {
      if ((--record)->first < begin) break;
      if (std::optional<std::string> value = value_at(record->second, state))
        return {{record->first, *std::move(value)}};
    }
    return std::nullopt;
  }

  CommitOutcome commit(const std::map<std::string, State, std::less<>>& reads, Writes&& writes) {
    const detail::WriterLock lock(mutex_);
    for (const auto& [key, written] : reads) {
      const auto found = records_.find(key);
      if ((found == records_.end() ? 0 : found->second.back().written) != written)
        return CommitOutcome::kConflict;
    }
    if (writes.empty()) return CommitOutcome::kCommitted;
    // All memory is allocated before the first change: a commit that runs out of memory changes nothing.
    ByKey created;
    std::list<Superseded> superseded;
    for (const auto& write : writes) {
      auto record = records_.find(write.first);
      if (record == records_.end()) record = created.try_emplace(write.first).first;
      std::vector<Read>& values = record->second;
      if (values.size() == values.capacity()) values.reserve(2 * values.size() + 1);
      superseded.push_back({now_ + 1, record});
    }
    ++now_;
    records_.merge(created);
    auto its_record = superseded.begin();
    for (auto& write : writes) {
      std::vector<Read>& values = (its_record++)->record->second;
      AUTOSHARD_CHECK(values.size() < values.capacity() && (values.empty() || values.back().written < now_),
                      {"key", write.first}, {"now", now_});
      values.push_back({now_, std::move(write.second)});
    }
    superseded_.splice(superseded_.end(), superseded);
    prune();
    return CommitOutcome::kCommitted;
  }

  State open_snapshot() {
    const detail::WriterLock lock(mutex_);
    open_.insert(now_);
    return now_;
  }

  void close_snapshot(State state) {
    const detail::WriterLock lock(mutex_);
    const auto open = open_.find(state);
    AUTOSHARD_CHECK(open != open_.end(), {"state", state});
    open_.erase(open);
    prune();
  }

 private:
  using ByKey = std::map<std::string, std::vector<Read>, std::less<>>;

  /// A write, and the state that the oldest snapshot must show before older values of its record are dropped.
  struct Superseded {
    State written;
    ByKey::iterator record;
  };

  static std::optional<std::string> value_at(const std::vector<Read>& values, State state) {
    for (auto value = values.rbegin(); value != values.rend(); ++value) {
      if (value->written <= state) return value->value;
    }
    return std::nullopt;
  }

  /// Drops the values that no snapshot can read. A removed record is dropped as a whole. A transaction that
  /// has read it before has read another state than 0, and so conflicts, though the record then looks as if
  /// it had never been written.
  void prune() AUTOSHARD_REQUIRES(mutex_) {
    const State oldest = open_.empty() ? now_ : *open_.begin();
    for (; !superseded_.empty() && superseded_.front().written <= oldest; superseded_.pop_front()) {
      const ByKey::iterator record = superseded_.front().record;
      std::vector<Read>& values = record->second;
      // The record has at most one older value: the loop has seen its earlier writes.
      if (values.front().written < superseded_.front().written) values.erase(values.begin());
      if (values.size() == 1 && !values.front().value) records_.erase(record);
    }
  }

  mutable detail::SharedMutex mutex_;
  /// The values of each record are in the order of their states.
  ByKey records_ AUTOSHARD_GUARDED_BY(mutex_);
  State now_ AUTOSHARD_GUARDED_BY(mutex_) = 0;
  std::multiset<State> open_ AUTOSHARD_GUARDED_BY(mutex_);         // the states of open snapshots
  std::list<Superseded> superseded_ AUTOSHARD_GUARDED_BY(mutex_);  // in the order of their states
};

namespace {

class MemoryTransaction final : public Transaction {
 public:
  explicit MemoryTransaction(std::shared_ptr<Records> records) : records_(std::move(records)) {}

  bool get(std::string_view key, std::string& value) override {
    if (const auto own = writes_.find(key); own != writes_.end()) {
      if (own->second) value = *own->second;
      return own->second.has_value();
    }
    Records::Read read = records_->newest(key);
    const auto [first, is_first] = reads_.try_emplace(std::string(key), read.written);
    if (first->second != read.written) first->second = kChanged;
    if (!read.value) return false;
    value = *std::move(read.value);
    return true;
  }

  void put(std::string_view key, std::string_view value) override {
    writes_.insert_or_assign(std::string(key), std::string(value));
  }

  void erase(std::string_view key) override { writes_.insert_or_assign(std::string(key), std::nullopt); }

  CommitOutcome commit() override { return records_->commit(reads_, std::move(writes_)); }

 private:
  /// Stands for a record that was read in two states. One of these reads is not valid, so that the commit
  /// conflicts.
  static constexpr Records::State kChanged = std::numeric_limits<Records::State>::max();

  std::shared_ptr<Records> records_;
  std::map<std::string, Records::State, std::less<>> reads_;
  Records::Writes writes_;
};

class MemoryCursor final : public Cursor {
 public:
  MemoryCursor(const Records& records, Records::State state, std::string_view begin, std::string_view end)
      : records_(records), state_(state), end_(end), record_(records_.first(state_, begin, false, end_)) {}

  bool valid() const override { return record_.has_value(); }
  std::string_view key() const override { return record_->first; }
  std::string_view value() const override { return record_->second; }
  void next() override { record_ = records_.first(state_, record_->first, true, end_); }

 private:
  const Records& records_;
  const Records::State state_;
  const std::string end_;
  std::optional<std::pair<std::string, std::string>> record_;
};

class MemoryBackwardCursor final : public Cursor {
 public:
  MemoryBackwardCursor(const Records& records, Records::State state, std::string_view begin,
                       std::string_view end)
      : records_(records), state_(state), begin_(begin), record_(records_.last(state_, begin_, end)) {}

  bool valid() const override { return record_.has_value(); }
  std::string_view key() const override { return record_->first; }
  std::string_view value() const override { return record_->second; }
  void next() override { record_ = records_.last(state_, begin_, record_->first); }

 private:
  const Records& records_;
  const Records::State state_;
  const std::string begin_;
  std::optional<std::pair<std::string, std::string>> record_;
};

class MemorySnapshot final : public Snapshot {
 public:
  explicit MemorySnapshot(std::shared_ptr<Records> records)
      : records_(std::move(records)), state_(records_->open_snapshot()) {}
  ~MemorySnapshot() override { records_->close_snapshot(state_); }

  bool get(std::string_view key, std::string& value) const override {
    std::optional<std::string> found = records_->at(state_, key);
    if (!found) return false;
    value = *std::move(found);
    return true;
  }

  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                               Direction direction) const override {
    if (direction == Direction::kBackward)
      return std::make_unique<MemoryBackwardCursor>(*records_, state_, begin, end);
    return std::make_unique<MemoryCursor>(*records_, state_, begin, end);
  }

 private:
  std::shared_ptr<Records> records_;
  const Records::State state_;
};

}  // namespace
}  // namespace autoshard::memory_store

namespace autoshard {

MemoryStore::MemoryStore() : records_(std::make_shared<memory_store::Records>()) {}

MemoryStore::~MemoryStore() = default;

StoreTraits MemoryStore::traits() const {
  return {.atomic_scope = StoreTraits::AtomicScope::kStore, .snapshot_reads = true};
}

std::unique_ptr<Transaction> MemoryStore::begin() {
  return std::make_unique<memory_store::MemoryTransaction>(records_);
}

std::unique_ptr<Snapshot> MemoryStore::snapshot() {
  return std::make_unique<memory_store::MemorySnapshot>(records_);
}

}  // namespace autoshard
