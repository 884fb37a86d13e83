#pragma once

#include <autoshard/errors.h>
#include <autoshard/store.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/test_store.h"

namespace autoshard::test {

/// A store around another as it seems from one process, for any threads: by chance, commits are done or not
/// done or late without an acknowledgement, and the store is away for a moment.
class LossyStore final : public Store {
 public:
  LossyStore(Store& store, std::uint64_t seed) : store_(store), generator_(seed) {}

  /// From now on nothing of this process gets there.
  void kill() { is_dead_ = true; }

  /// Now all that is late gets there.
  void deliver() {
    for (Late late = take_late(1); late; late = take_late(1)) late->commit();
  }

  std::uint64_t lost() const { return lost_; }

  StoreTraits traits() const override {
    StoreTraits traits = store_.traits();
    traits.acknowledgements_may_be_lost = true;
    return traits;
  }
  std::unique_ptr<Snapshot> snapshot() override {
    throw_if_away();
    return store_.snapshot();
  }
  std::unique_ptr<Transaction> begin() override {
    throw_if_away();
    return std::make_unique<LossyTransaction>(*this, store_.begin());
  }

 private:
  using Late = std::unique_ptr<Transaction>;

  class LossyTransaction final : public Transaction {
   public:
    LossyTransaction(LossyStore& store, std::unique_ptr<Transaction> transaction)
        : store_(store), transaction_(std::move(transaction)) {}

    bool get(std::string_view key, std::string& value) override { return transaction_->get(key, value); }
    void put(std::string_view key, std::string_view value) override { transaction_->put(key, value); }
    void erase(std::string_view key) override { transaction_->erase(key); }
    void prefetch(std::span<const std::string> keys) override { transaction_->prefetch(keys); }
    void fold(std::string_view key, const NumberFold& fold) override { transaction_->fold(key, fold); }
    CommitOutcome commit() override { return store_.commit(std::move(transaction_)); }

   private:
    LossyStore& store_;
    std::unique_ptr<Transaction> transaction_;
  };

  std::size_t draw(std::size_t bound) {
    const std::lock_guard lock(mutex_);
    return below(generator_, bound);
  }

  void throw_if_away() {
    if (is_dead_ || draw(64) == 0) throw StoreUnavailable("away");
  }

  CommitOutcome commit(Late transaction) {
    if (Late late = take_late(4)) late->commit();
    if (is_dead_) throw StoreUnavailable("away");
    const std::size_t fate = draw(12);
    if (fate > 2) return transaction->commit();
    ++lost_;
    if (fate == 0) transaction->commit();
    if (fate == 1) {
      const std::lock_guard lock(mutex_);
      late_.push_back(std::move(transaction));
    }
    return CommitOutcome::kUnknown;
  }

  /// One of them, once in so many times.
  Late take_late(std::size_t times) {
    const std::lock_guard lock(mutex_);
    if (late_.empty() || below(generator_, times) != 0) return nullptr;
    std::swap(late_[below(generator_, late_.size())], late_.back());
    Late late = std::move(late_.back());
    late_.pop_back();
    return late;
  }

  Store& store_;
  std::atomic<bool> is_dead_{false};
  std::atomic<std::uint64_t> lost_{0};
  std::mutex mutex_;
  std::mt19937_64 generator_;
  std::vector<Late> late_;
};

}  // namespace autoshard::test
