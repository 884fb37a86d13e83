#include "checked_store.h"

#include <functional>
#include <optional>
#include <set>
#include <utility>

#include "check.h"
#include "checked_keys.h"
#include "checked_values.h"

namespace autoshard::detail {
namespace {

class CheckedTransaction final : public Transaction {
 public:
  CheckedTransaction(std::unique_ptr<Transaction> below, const StoreTraits& traits)
      : below_(std::move(below)), traits_(traits) {}

  bool get(std::string_view key, std::string& value) override {
    AUTOSHARD_CHECK(!is_ended_, {"key", key});
    const bool is_there = below_->get(key, value);
    if (const auto write = commit_.writes.find(key); write != commit_.writes.end()) {
      write->second.is_read = true;
      const bool is_as_written = write->second.kind == Write::kPut
                                     ? is_there && value == write->second.value
                                     : is_there == (write->second.kind == Write::kFold);
      AUTOSHARD_CHECK(is_as_written, {"key", key}, {"written", write->second.value}, {"read", value});
      return is_there;
    }
    AUTOSHARD_CHECK(!expects_prefetched_ || prefetched_.contains(key), {"key", key});
    commit_.seen.try_emplace(std::string(key), is_there ? std::optional(value) : std::nullopt);
    return is_there;
  }

  void put(std::string_view key, std::string_view value) override {
    check_write(CheckedCommit::Write::kPut, key, value);
    below_->put(key, value);
    note(CheckedCommit::Write::kPut, key, value);
  }

  void erase(std::string_view key) override {
    check_write(CheckedCommit::Write::kErase, key, {});
    below_->erase(key);
    note(CheckedCommit::Write::kErase, key, {});
  }

  void prefetch(std::span<const std::string> keys) override {
    AUTOSHARD_CHECK(!is_ended_);
    below_->prefetch(keys);
    prefetched_.insert(keys.begin(), keys.end());
  }

  void expect_prefetched(bool expected) { expects_prefetched_ = expected; }

  void fold(std::string_view key, const NumberFold& fold) override {
    check_write(CheckedCommit::Write::kFold, key, fold.others);
    AUTOSHARD_CHECK(traits_.folds(fold.fold), {"key", key});
    AUTOSHARD_CHECK(fold.least <= fold.number && fold.number <= fold.most, {"key", key},
                    {"number", fold.number}, {"least", fold.least}, {"most", fold.most});
    below_->fold(key, fold);
    note(CheckedCommit::Write::kFold, key, fold.others);
  }

  CommitOutcome commit() override {
    AUTOSHARD_CHECK(!is_ended_);
    check_writes(commit_);
    if (traits_.acknowledgements_may_be_lost) check_mark(commit_);
    is_ended_ = true;
    const CommitOutcome outcome = below_->commit();
    if (outcome == CommitOutcome::kCommitted) check_transition(commit_);
    return outcome;
  }

 private:
  using Write = CheckedCommit::Write;

  /// Two writes of one key in a commit must agree: the later one replaces the earlier one.
  void check_write(Write::Kind kind, std::string_view key, std::string_view value) const {
    AUTOSHARD_CHECK(!is_ended_, {"key", key});
    const auto before = commit_.writes.find(key);
    if (before == commit_.writes.end() || before->second.kind == Write::kErase) return;
    AUTOSHARD_CHECK(may_follow(parse_checked_key(key), before->second, kind), {"key", key},
                    {"former kind", static_cast<int>(before->second.kind)}, {"kind", static_cast<int>(kind)},
                    {"former value", before->second.value}, {"value", value});
  }
  bool may_follow(const CheckedKey& key, const Write& before, Write::Kind kind) const;
  bool is_void(const CheckedKey& key, const Write& write) const;

  void note(Write::Kind kind, std::string_view key, std::string_view value) {
    commit_.writes.insert_or_assign(std::string(key), Write{kind, std::string(value), false});
  }

  const std::unique_ptr<Transaction> below_;
  const StoreTraits traits_;
  CheckedCommit commit_;
  bool is_ended_ = false;
  bool expects_prefetched_ = false;
  std::set<std::string, std::less<>> prefetched_;
};

/// A main record, a shard or a bucket may change several times; each change is based on the previous write.
/// An element replaces an equal one. A record that counts is not removed again.
bool CheckedTransaction::may_follow(const CheckedKey& key, const Write& before, Write::Kind kind) const {
  if (key.kind == CheckedKey::kMain) return kind == Write::kPut;
  if (is_void(key, before)) return true;
  if (key.kind == CheckedKey::kElement) return kind == Write::kPut;
  return key.is_of_shard() && (kind == Write::kFold || (kind == Write::kPut && before.is_read));
}

/// Returns whether the property was replaced after the write.
bool CheckedTransaction::is_void(const CheckedKey& key, const Write& write) const {
  if (!key.is_of_entity()) return false;
  const std::string main_key = checked_main_key(key.entity);
  const auto main = commit_.writes.find(main_key);
  if (main == commit_.writes.end() || main->second.kind != Write::kPut) return false;
  const std::optional<CheckedMain> read = read_checked_main(main_key, main->second.value);
  const auto layout = read ? read->layouts.find(key.property) : decltype(read->layouts.end()){};
  if (!read || layout == read->layouts.end()) return false;
  const std::optional<CheckedShard> shard = read_checked_shard(main_key, write.value);
  const std::uint64_t epoch = write.kind == Write::kFold
                                  ? read_checked_tail(main_key, write.value).value_or(0)
                              : shard ? shard->epoch
                                      : 0;
  return epoch != layout->second.second;
}

}  // namespace

std::unique_ptr<Transaction> CheckedStore::begin() {
  return std::make_unique<CheckedTransaction>(below_.begin(), below_.traits());
}

void CheckedStore::expect_prefetched(Transaction& transaction, bool expected) {
  static_cast<CheckedTransaction&>(transaction).expect_prefetched(expected);
}

}  // namespace autoshard::detail
