#pragma once

#include <autoshard/store.h>

#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace autoshard::test {

/// A store around another, for one thread, with the traits of a database across a network: several processes
/// may write it, and it reads ahead. Counts what a caller would wait for.
class SharedStore final : public Store {
 public:
  explicit SharedStore(Store& store) : store_(store) {}

  /// Reads of this key, by a transaction that has not read it ahead.
  int waits_for(const std::string& key) const {
    const auto found = waits_.find(key);
    return found == waits_.end() ? 0 : found->second;
  }
  /// How often this key was to be read ahead.
  int reads_ahead(const std::string& key) const {
    const auto found = ahead_.find(key);
    return found == ahead_.end() ? 0 : found->second;
  }
  /// Keys that a transaction, which has ended, has read ahead and then not read.
  const std::set<std::string>& unread() const { return unread_; }
  int round_trips() const { return round_trips_; }
  void forget() {
    waits_.clear();
    ahead_.clear();
    unread_.clear();
    round_trips_ = 0;
  }

  StoreTraits traits() const override {
    StoreTraits traits = store_.traits();
    traits.many_writing_processes = traits.prefetches = true;
    return traits;
  }
  std::unique_ptr<Snapshot> snapshot() override { return store_.snapshot(); }
  std::unique_ptr<Transaction> begin() override {
    return std::make_unique<SharedTransaction>(*this, store_.begin());
  }

 private:
  class SharedTransaction final : public Transaction {
   public:
    SharedTransaction(SharedStore& store, std::unique_ptr<Transaction> transaction)
        : store_(store), transaction_(std::move(transaction)) {}
    ~SharedTransaction() override { store_.unread_.merge(unread_); }
    SharedTransaction(const SharedTransaction&) = delete;
    SharedTransaction& operator=(const SharedTransaction&) = delete;

    bool get(std::string_view key, std::string& value) override {
      if (!ahead_.contains(std::string(key))) {
        ++store_.waits_[std::string(key)];
        ++store_.round_trips_;
      }
      unread_.erase(std::string(key));
      return transaction_->get(key, value);
    }
    void put(std::string_view key, std::string_view value) override { transaction_->put(key, value); }
    void erase(std::string_view key) override { transaction_->erase(key); }
    void prefetch(std::span<const std::string> keys) override {
      ++store_.round_trips_;
      for (const std::string& key : keys) {
        ++store_.ahead_[key];
        ahead_.insert(key);
        unread_.insert(key);
      }
    }
    void fold(std::string_view key, const NumberFold& fold) override { transaction_->fold(key, fold); }
    CommitOutcome commit() override { return transaction_->commit(); }

   private:
    SharedStore& store_;
    std::unique_ptr<Transaction> transaction_;
    std::set<std::string> ahead_, unread_;
  };

  Store& store_;
  std::map<std::string, int> waits_, ahead_;
  std::set<std::string> unread_;
  int round_trips_ = 0;
};

}  // namespace autoshard::test
