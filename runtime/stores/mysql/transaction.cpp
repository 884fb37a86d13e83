#include <autoshard/errors.h>

#include <string>
#include <utility>

#include "commit.h"

namespace autoshard {
namespace {

class MySqlTransaction final : public Transaction {
 public:
  explicit MySqlTransaction(MySqlDatabase& database) : database_(database) {}

  bool get(std::string_view key, std::string& value) override {
    if (key.size() > kLongestMySqlKey) return false;  // nor will there ever be
    const auto found = accesses_.find(key);
    if (found != accesses_.end() && found->second.written) {
      if (found->second.value) value = *found->second.value;
      return found->second.value.has_value();
    }
    std::optional<MySqlDatabase::Record> record = database_.get(key);
    const auto version = record ? std::optional(record->version) : std::nullopt;
    if (found == accesses_.end()) {
      accesses_.emplace(key, MySqlAccess{.read = true, .version = version, .written = false, .value = {}});
    } else if (found->second.version != version) {
      saw_two_states_ = true;
    }
    if (record) value = std::move(record->value);
    return record.has_value();
  }

  void put(std::string_view key, std::string_view value) override {
    if (key.size() > kLongestMySqlKey) {
      throw StoreUnavailable("a MySqlStore has keys of up to " + std::to_string(kLongestMySqlKey) +
                             " bytes, and this one has " + std::to_string(key.size()) +
                             ": choose shorter ids");
    }
    std::string copy(value);  // first, for what cannot be copied leaves the transaction as it was
    MySqlAccess& access = accesses_[std::string(key)];
    access.written = true;
    access.value = std::move(copy);
  }

  void erase(std::string_view key) override {
    if (key.size() > kLongestMySqlKey) return;
    MySqlAccess& access = accesses_[std::string(key)];
    access.written = true;
    access.value.reset();
  }

  CommitOutcome commit() override {
    return saw_two_states_ ? CommitOutcome::kConflict : autoshard::commit(database_, accesses_);
  }

 private:
  MySqlDatabase& database_;
  bool saw_two_states_ = false;  // of one record
  MySqlAccesses accesses_;
};

}  // namespace

std::unique_ptr<Transaction> begin_transaction(MySqlDatabase& database) {
  return std::make_unique<MySqlTransaction>(database);
}

}  // namespace autoshard
