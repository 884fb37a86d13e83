#pragma once

#include <autoshard/store.h>

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace autoshard::detail {

/// Collects writes and passes all of them on to another transaction at once. An exception before that leaves
/// the other transaction unchanged. Reads see the collected writes. Folds are not collected.
class StagedTransaction final : public Transaction {
 public:
  /// `below` must outlive it.
  explicit StagedTransaction(Transaction& below) : below_(below) {}

  bool get(std::string_view key, std::string& value) override {
    const auto staged = writes_.find(key);
    if (staged == writes_.end()) return below_.get(key, value);
    if (staged->second) value = *staged->second;
    return staged->second.has_value();
  }
  void put(std::string_view key, std::string_view value) override {
    writes_.insert_or_assign(std::string(key), std::string(value));
  }
  void erase(std::string_view key) override { writes_.insert_or_assign(std::string(key), std::nullopt); }
  void prefetch(std::span<const std::string> keys) override { below_.prefetch(keys); }

  /// Passes the writes on.
  void write() {
    for (const auto& [key, value] : writes_) value ? below_.put(key, *value) : below_.erase(key);
    writes_.clear();
  }
  CommitOutcome commit() override {
    write();
    return below_.commit();
  }

 private:
  Transaction& below_;
  std::map<std::string, std::optional<std::string>, std::less<>> writes_;  // no value: an erase
};

}  // namespace autoshard::detail
