#pragma once

#include <autoshard/detail/entity_key.h>
#include <autoshard/store.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoshard::test {

/// A store around another, for any threads: while its gate is closed, every commit waits there until it is
/// let through.
class ControlledStore final : public Store {
 public:
  using Keys = std::set<std::string>;
  /// What becomes of a commit that is to write these records.
  using Outcome = std::function<CommitOutcome(Transaction&, const Keys&)>;

  explicit ControlledStore(Store& store) : store_(store) {}

  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  /// From now on commits do not wait, and that becomes of them.
  void open(Outcome outcome = commits) {
    const std::lock_guard lock(mutex_);
    closed_ = false;
    outcome_ = std::move(outcome);
    changed_.notify_all();
  }
  void let_through(Outcome outcome = commits) {
    const std::lock_guard lock(mutex_);
    admitted_.push_back(std::move(outcome));
    changed_.notify_all();
  }

  /// Waits until the nth commit, since the store was made, is at the gate; returns what it is to write.
  Keys wait_for_commit(int nth) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= nth; });
    return last_keys_;
  }
  int commits_so_far() {
    const std::lock_guard lock(mutex_);
    return arrived_;
  }

  static CommitOutcome commits(Transaction& transaction, const Keys&) { return transaction.commit(); }
  static CommitOutcome conflicts(Transaction&, const Keys&) { return CommitOutcome::kConflict; }
  /// Those that are to write a record of one of these entities; others are committed.
  static Outcome conflicts_of(std::vector<detail::EntityKey> entities) {
    return [entities = std::move(entities)](Transaction& transaction, const Keys& keys) {
      for (const std::string& key : keys) {
        for (const detail::EntityKey& entity : entities) {
          if (entity.has_record(key)) return CommitOutcome::kConflict;
        }
      }
      return transaction.commit();
    };
  }

  StoreTraits traits() const override { return store_.traits(); }
  std::unique_ptr<Snapshot> snapshot() override { return store_.snapshot(); }
  std::unique_ptr<Transaction> begin() override {
    return std::make_unique<ControlledTransaction>(*this, store_.begin());
  }

 private:
  class ControlledTransaction final : public Transaction {
   public:
    ControlledTransaction(ControlledStore& store, std::unique_ptr<Transaction> transaction)
        : store_(store), transaction_(std::move(transaction)) {}

    bool get(std::string_view key, std::string& value) override { return transaction_->get(key, value); }
    void put(std::string_view key, std::string_view value) override {
      keys_.emplace(key);
      transaction_->put(key, value);
    }
    void erase(std::string_view key) override {
      keys_.emplace(key);
      transaction_->erase(key);
    }
    void prefetch(std::span<const std::string> keys) override { transaction_->prefetch(keys); }
    void fold(std::string_view key, const NumberFold& fold) override {
      keys_.emplace(key);
      transaction_->fold(key, fold);
    }
    CommitOutcome commit() override { return store_.pass(*transaction_, keys_); }

   private:
    ControlledStore& store_;
    std::unique_ptr<Transaction> transaction_;
    Keys keys_;
  };

  CommitOutcome pass(Transaction& transaction, const Keys& keys) {
    Outcome outcome;
    {
      std::unique_lock lock(mutex_);
      ++arrived_;
      last_keys_ = keys;
      changed_.notify_all();
      changed_.wait(lock, [&] { return !closed_ || !admitted_.empty(); });
      if (admitted_.empty()) {
        outcome = outcome_;
      } else {
        outcome = std::move(admitted_.front());
        admitted_.pop_front();
      }
    }
    return outcome(transaction, keys);
  }

  Store& store_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  Outcome outcome_ = commits;
  int arrived_ = 0;
  Keys last_keys_;
  std::deque<Outcome> admitted_;
};

}  // namespace autoshard::test
