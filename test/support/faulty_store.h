#pragma once

#include <autoshard/errors.h>
#include <autoshard/store.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>
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
  kUnknownLate,  ///< likewise, until it is delivered
};

/// A store around another: before each commit it asks what is to become of that. Whoever is asked may also do
/// something with the store, which then happens between the transaction's reads and its commit. All is set by
/// one thread, while no other uses the store.
class FaultyStore final : public Store {
 public:
  enum class Acknowledgements { kMayBeLost };

  explicit FaultyStore(Store& store) : store_(store), traits_(store.traits()) {}
  /// With traits that say so.
  FaultyStore(Store& store, Acknowledgements) : FaultyStore(store) {
    traits_.acknowledgements_may_be_lost = true;
  }

  /// Called with 1 for the first commit from now on, and so on.
  void before_commit(std::function<Fate(int nth)> decide) {
    commits_ = 0;
    decide_ = std::move(decide);
  }

  /// Called before each write, which what it throws keeps from taking place.
  void before_put(std::function<void()> action) { before_put_ = std::move(action); }

  /// Called before each read of a transaction, which what it throws keeps from taking place.
  void before_get(std::function<void()> action) { before_get_ = std::move(action); }

  /// From now on a longer key is none that can be written.
  void limit_keys(std::size_t longest) { traits_.longest_key = longest; }

  /// Whether the traits tell a limit.
  enum class Limit { kTold, kSecret };

  /// From now on a commit that writes more bytes is too large.
  void limit_commits(std::size_t bytes, Limit limit) {
    largest_commit_ = bytes;
    traits_.largest_commit = limit == Limit::kTold ? bytes : 0;
  }

  /// Of the commits that were too large.
  int too_large() const { return too_large_; }

  /// Called before each transaction and snapshot, which what it throws keeps from beginning.
  void before_begin(std::function<void()> action) { before_begin_ = std::move(action); }

  /// Now the oldest of the commits that are late gets there.
  CommitOutcome deliver() {
    const std::unique_ptr<Transaction> transaction = std::move(late_.front());
    late_.pop_front();
    return transaction->commit();
  }
  std::size_t late() const { return late_.size(); }

  /// Of all commits since `before_commit`.
  int commits() const { return commits_; }

  /// How many records a transaction wrote or erased that was to be committed, at most.
  std::size_t most_writes() const { return most_writes_; }

  StoreTraits traits() const override { return traits_; }
  std::unique_ptr<Snapshot> snapshot() override {
    if (before_begin_) before_begin_();
    return store_.snapshot();
  }
  std::unique_ptr<Transaction> begin() override {
    if (before_begin_) before_begin_();
    return std::make_unique<FaultyTransaction>(*this, store_.begin());
  }

 private:
  class FaultyTransaction final : public Transaction {
   public:
    FaultyTransaction(FaultyStore& store, std::unique_ptr<Transaction> transaction)
        : store_(store), transaction_(std::move(transaction)) {}

    bool get(std::string_view key, std::string& value) override {
      if (store_.before_get_) store_.before_get_();
      return transaction_->get(key, value);
    }
    void put(std::string_view key, std::string_view value) override {
      if (store_.before_put_) store_.before_put_();
      if (store_.traits_.longest_key != 0 && key.size() > store_.traits_.longest_key)
        throw StoreUnavailable("a key that is too long");
      transaction_->put(key, value);
      note(key, value.size());
    }
    void erase(std::string_view key) override {
      transaction_->erase(key);
      note(key, 0);
    }

    void prefetch(std::span<const std::string> keys) override { transaction_->prefetch(keys); }
    void fold(std::string_view key, const NumberFold& fold) override {
      transaction_->fold(key, fold);
      note(key, fold.others.size());
    }

    CommitOutcome commit() override {
      if (store_.largest_commit_ != 0 && bytes() > store_.largest_commit_) {
        ++store_.too_large_;
        throw CommitTooLarge("a commit of " + std::to_string(bytes()) + " bytes");
      }
      for (std::size_t most = store_.most_writes_;
           most < writes_ && !store_.most_writes_.compare_exchange_weak(most, writes_);) {
      }
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
        case Fate::kUnknownLate:
          store_.late_.push_back(std::move(transaction_));
          break;
        case Fate::kUnknownLost:
          break;
      }
      return CommitOutcome::kUnknown;
    }

   private:
    void note(std::string_view key, std::size_t value) {
      ++writes_;
      sizes_[std::string(key)] = key.size() + value;
    }
    std::size_t bytes() const {
      std::size_t bytes = 0;
      for (const auto& [key, size] : sizes_) bytes += size;
      return bytes;
    }

    FaultyStore& store_;
    std::unique_ptr<Transaction> transaction_;
    std::size_t writes_ = 0;
    std::map<std::string, std::size_t> sizes_;  // of the records that it writes
  };

  Store& store_;
  StoreTraits traits_;
  std::deque<std::unique_ptr<Transaction>> late_;
  std::function<Fate(int)> decide_;
  std::function<void()> before_begin_;
  std::function<void()> before_get_;
  std::function<void()> before_put_;
  std::atomic<int> commits_{0}, too_large_{0};
  std::size_t largest_commit_ = 0;
  std::atomic<std::size_t> most_writes_{0};
};

}  // namespace autoshard::test
