#pragma once

#include <autoshard/store.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoshard::test {

/// A store around another that can lose its last commits, as a server does after a crash with relaxed
/// flushing, a failover, or when a backup is restored. The processes that use it go on. Thread-safe.
class ForgetfulStore final : public Store {
 public:
  explicit ForgetfulStore(Store& store) : store_(store) {}

  /// How many commits have written something and are not lost.
  std::size_t commits() const {
    const std::lock_guard lock(mutex_);
    return undo_.size();
  }

  /// Takes back so many commits, or all. Call it while no commit is under way.
  void lose(std::size_t commits) {
    const std::lock_guard lock(mutex_);
    for (; commits > 0 && !undo_.empty(); --commits) {
      const std::unique_ptr<Transaction> transaction = store_.begin();
      for (const auto& [key, value] : undo_.back()) {
        value ? transaction->put(key, *value) : transaction->erase(key);
      }
      if (transaction->commit() != CommitOutcome::kCommitted)
        throw std::logic_error("a commit is under way while the store loses others");
      undo_.pop_back();
    }
  }

  StoreTraits traits() const override { return store_.traits(); }
  std::unique_ptr<Snapshot> snapshot() override { return store_.snapshot(); }
  std::unique_ptr<Transaction> begin() override {
    return std::make_unique<ForgetfulTransaction>(*this, store_.begin());
  }

 private:
  /// What the records of a commit held before it; nothing where there was none.
  using Before = std::vector<std::pair<std::string, std::optional<std::string>>>;

  class ForgetfulTransaction final : public Transaction {
   public:
    ForgetfulTransaction(ForgetfulStore& store, std::unique_ptr<Transaction> transaction)
        : store_(store), transaction_(std::move(transaction)) {}

    bool get(std::string_view key, std::string& value) override { return transaction_->get(key, value); }
    void prefetch(std::span<const std::string> keys) override { transaction_->prefetch(keys); }
    void put(std::string_view key, std::string_view value) override {
      transaction_->put(key, value);
      written_.emplace(key);
    }
    void erase(std::string_view key) override {
      transaction_->erase(key);
      written_.emplace(key);
    }
    void fold(std::string_view key, const NumberFold& fold) override {
      transaction_->fold(key, fold);
      written_.emplace(key);
    }
    CommitOutcome commit() override { return store_.commit(*transaction_, written_); }

   private:
    ForgetfulStore& store_;
    std::unique_ptr<Transaction> transaction_;
    std::set<std::string> written_;
  };

  /// One commit at a time, so that what is noted is what the commit replaces.
  CommitOutcome commit(Transaction& transaction, const std::set<std::string>& written) {
    const std::lock_guard lock(mutex_);
    Before before;
    const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
    for (const std::string& key : written) {
      std::string value;
      const bool is_there = snapshot->get(key, value);
      before.emplace_back(key, is_there ? std::optional(value) : std::nullopt);
    }
    const CommitOutcome outcome = transaction.commit();
    if (outcome == CommitOutcome::kCommitted && !written.empty()) undo_.push_back(std::move(before));
    return outcome;
  }

  Store& store_;
  mutable std::mutex mutex_;
  std::vector<Before> undo_;
};

}  // namespace autoshard::test
