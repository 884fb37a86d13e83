#pragma once

#include <autoshard/store.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "number_fold.h"

namespace autoshard::test {

/// A store around another, for one thread, that reads ahead and folds as a database does at the end of a
/// network. It counts the round trips of transactions before their commits.
class FoldingStore final : public Store {
 public:
  explicit FoldingStore(Store& store) : store_(store), traits_(store.traits()) {
    traits_.prefetches = traits_.folds_sum = traits_.folds_minimum = traits_.folds_maximum = true;
  }

  int round_trips() { return std::exchange(round_trips_, 0); }
  /// Those that were committed.
  int folds() { return std::exchange(folds_, 0); }
  int refused() { return std::exchange(refused_, 0); }
  /// Called before each commit.
  void before_commit(std::function<void()> action) { before_commit_ = std::move(action); }

  StoreTraits traits() const override { return traits_; }
  std::unique_ptr<Snapshot> snapshot() override { return store_.snapshot(); }
  std::unique_ptr<Transaction> begin() override { return std::make_unique<FoldingTransaction>(*this); }

 private:
  struct Fold {
    std::string key, others;
    NumberFold number;
  };

  class FoldingTransaction final : public Transaction {
   public:
    explicit FoldingTransaction(FoldingStore& store) : store_(store), transaction_(store.store_.begin()) {}

    bool get(std::string_view key, std::string& value) override {
      store_.round_trips_ += prefetched_.contains(key) ? 0 : 1;
      if (is_folded(key)) throw std::logic_error("a mapper does not read what it folds");
      return transaction_->get(key, value);
    }
    void put(std::string_view key, std::string_view value) override { transaction_->put(key, value); }
    void erase(std::string_view key) override { transaction_->erase(key); }
    void prefetch(std::span<const std::string> keys) override {
      ++store_.round_trips_;
      prefetched_.insert(keys.begin(), keys.end());
    }
    void fold(std::string_view key, const NumberFold& fold) override {
      folds_.push_back({std::string(key), std::string(fold.others), fold});
    }
    CommitOutcome commit() override {
      if (store_.before_commit_) store_.before_commit_();
      for (const Fold& fold : folds_) {
        NumberFold number = fold.number;
        number.others = fold.others;
        std::string record;
        const auto folded = transaction_->get(fold.key, record)
                                ? detail::fold_number(number, record)
                                : std::optional(detail::number_record(number));
        if (!folded) {
          ++store_.refused_;
          return CommitOutcome::kNotFolded;
        }
        transaction_->put(fold.key, *folded);
      }
      const CommitOutcome outcome = transaction_->commit();
      if (outcome == CommitOutcome::kCommitted) store_.folds_ += static_cast<int>(folds_.size());
      return outcome;
    }

   private:
    bool is_folded(std::string_view key) const {
      return std::any_of(folds_.begin(), folds_.end(), [&](const Fold& fold) { return fold.key == key; });
    }

    FoldingStore& store_;
    std::unique_ptr<Transaction> transaction_;
    std::set<std::string, std::less<>> prefetched_;
    std::vector<Fold> folds_;
  };

  Store& store_;
  StoreTraits traits_;
  std::function<void()> before_commit_;
  int round_trips_ = 0, folds_ = 0, refused_ = 0;
};

}  // namespace autoshard::test
