#pragma once

#include <autoshard/errors.h>
#include <autoshard/store.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace autoshard::test {

/// What becomes of a commit.
enum class Fate {
  kCommits,
  kConflicts,    ///< nothing is written
  kCrashes,      ///< nothing is written, and an exception leaves the caller where a crash would
  kUnknownDone,  ///< written, but the store cannot tell
  kUnknownLost,  ///< not written, and the store cannot tell
};

/// A store around another, for one thread: before each commit it asks what is to become of that. Whoever is
/// asked may also do something with the store, which then happens between the transaction's reads and its
/// commit.
class FaultyStore final : public Store {
 public:
  explicit FaultyStore(Store& store) : store_(store) {}

  /// Called with 1 for the first commit from now on, and so on.
  void before_commit(std::function<Fate(int nth)> decide) {
    commits_ = 0;
    decide_ = std::move(decide);
  }

  /// Called before each write, which what it throws keeps from taking place.
  void before_put(std::function<void()> action) { before_put_ = std::move(action); }

  /// Of all commits since `before_commit`.
  int commits() const { return commits_; }

  StoreTraits traits() const override { return store_.traits(); }
  std::unique_ptr<Snapshot> snapshot() override { return store_.snapshot(); }
  std::unique_ptr<Transaction> begin() override {
    return std::make_unique<FaultyTransaction>(*this, store_.begin());
  }

 private:
  class FaultyTransaction final : public Transaction {
   public:
    FaultyTransaction(FaultyStore& store, std::unique_ptr<Transaction> transaction)
        : store_(store), transaction_(std::move(transaction)) {}

    bool get(std::string_view key, std::string& value) override { return transaction_->get(key, value); }
    void put(std::string_view key, std::string_view value) override {
      if (store_.before_put_) store_.before_put_();
      transaction_->put(key, value);
    }
    void erase(std::string_view key) override { transaction_->erase(key); }

    CommitOutcome commit() override {
      switch (store_.decide_ ? store_.decide_(++store_.commits_) : Fate::kCommits) {
        case Fate::kCommits:
          return transaction_->commit();
        case Fate::kConflicts:
          return CommitOutcome::kConflict;
        case Fate::kCrashes:
          throw StoreUnavailable("crash");
        case Fate::kUnknownDone:
          transaction_->commit();
          return CommitOutcome::kUnknown;
        case Fate::kUnknownLost:
          break;
      }
      return CommitOutcome::kUnknown;
    }

   private:
    FaultyStore& store_;
    std::unique_ptr<Transaction> transaction_;
  };

  Store& store_;
  std::function<Fate(int)> decide_;
  std::function<void()> before_put_;
  int commits_ = 0;
};

}  // namespace autoshard::test
