#include <autoshard/errors.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commit.h"
#include "number_fold.h"

namespace autoshard::mysql_store {
namespace {

class MySqlTransaction final : public Transaction {
 public:
  explicit MySqlTransaction(Database& database) : database_(database) {}

  bool get(std::string_view key, std::string& value) override {
    if (key.size() > kLongestKey) return false;  // there can be no such record
    const auto found = accesses_.find(key);
    if (found != accesses_.end() && found->second.written) {
      if (found->second.fold) return get_folded(key, value);
      if (found->second.value) value = *found->second.value;
      return found->second.value.has_value();
    }
    std::optional<Database::Record> record = read(key);
    const auto version = record ? std::optional(record->version) : std::nullopt;
    if (found == accesses_.end()) {
      accesses_.emplace(key, Access{.read = true, .version = version, .written = false, .value = {}});
    } else if (found->second.version != version) {
      saw_two_states_ = true;
    }
    if (record) value = std::move(record->value);
    return record.has_value();
  }

  void put(std::string_view key, std::string_view value) override {
    if (key.size() > kLongestKey) {
      throw StoreUnavailable("a key has " + std::to_string(key.size()) + " bytes, and a MySqlStore allows " +
                             std::to_string(kLongestKey) + ": choose shorter ids");
    }
    std::string copy(value);  // first: if the copy fails, the transaction stays as it was
    Access& access = accesses_[std::string(key)];
    access.written = true;
    access.value = std::move(copy);
    access.fold.reset();
  }

  void erase(std::string_view key) override {
    if (key.size() > kLongestKey) return;
    Access& access = accesses_[std::string(key)];
    access.written = true;
    access.value.reset();
    access.fold.reset();
  }

  void prefetch(std::span<const std::string> keys) override {
    std::vector<std::string_view> possible;
    for (const std::string& key : keys) {
      if (key.size() <= kLongestKey) possible.push_back(key);
    }
    database_.get(possible, prefetched_);
  }

  void fold(std::string_view key, const NumberFold& fold) override {
    if (accesses_.contains(key)) return fold_here(key, fold);
    put(key, detail::number_record(fold));
    accesses_.find(key)->second.fold = FoldWithin{fold.fold, fold.least, fold.most};
  }

  CommitOutcome commit() override {
    if (not_folded_) return CommitOutcome::kNotFolded;
    return saw_two_states_ ? CommitOutcome::kConflict : mysql_store::commit(database_, accesses_);
  }

 private:
  std::optional<Database::Record> read(std::string_view key) {
    const auto found = prefetched_.find(key);
    return found == prefetched_.end() ? database_.get(key) : found->second;
  }

  /// Reads a key that has a fold. The fold becomes a read and a write.
  bool get_folded(std::string_view key, std::string& value) {
    auto folded = accesses_.extract(accesses_.find(key));
    NumberFold fold = detail::read_number_record(*folded.mapped().value);
    fold.fold = folded.mapped().fold->fold;
    fold.least = folded.mapped().fold->least;
    fold.most = folded.mapped().fold->most;
    try {
      fold_here(folded.key(), fold);
    } catch (...) {
      accesses_.erase(folded.key());
      accesses_.insert(std::move(folded));
      throw;
    }
    return get(key, value);
  }

  /// Folds into a key that was read or written before.
  void fold_here(std::string_view key, const NumberFold& fold) {
    std::string record;
    if (!get(key, record)) return put(key, detail::number_record(fold));
    if (const auto folded = detail::fold_number(fold, record)) return put(key, *folded);
    not_folded_ = true;
  }

  Database& database_;
  bool saw_two_states_ = false;  // of the same record
  bool not_folded_ = false;
  Accesses accesses_;
  Database::Records prefetched_;
};

}  // namespace

std::unique_ptr<Transaction> begin_transaction(Database& database) {
  return std::make_unique<MySqlTransaction>(database);
}

}  // namespace autoshard::mysql_store
