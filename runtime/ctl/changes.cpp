#include "changes.h"

#include <autoshard/errors.h>

#include <memory>
#include <vector>

namespace autoshard::ctl {

std::optional<std::string> commit_changes(Store& store, std::span<const Change> changes) {
  constexpr int kMostAttempts = 20;
  std::vector<std::string> keys;
  for (const Change& change : changes) keys.push_back(change.key);
  std::string value;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const std::unique_ptr<Transaction> transaction = store.begin();
    transaction->prefetch(keys);
    for (const Change& change : changes) {
      const bool is_there = transaction->get(change.key, value);
      const auto is = [&](const std::optional<std::string>& seen) {
        return is_there ? seen == value : !seen.has_value();
      };
      if (is(change.wanted)) continue;
      if (!is(change.present)) return change.key;
      if (change.wanted) {
        transaction->put(change.key, *change.wanted);
      } else {
        transaction->erase(change.key);
      }
    }
    if (transaction->commit() == CommitOutcome::kCommitted) return std::nullopt;
  }
  throw StoreUnavailable("the store has not committed in " + std::to_string(kMostAttempts) +
                         " attempts: repeat the command to go on");
}

}  // namespace autoshard::ctl
