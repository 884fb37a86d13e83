#include "changes.h"

#include <autoshard/errors.h>

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "finish_erase.h"

namespace autoshard::ctl {

std::optional<std::string> commit_changes(Store& store, std::span<const Change> changes) {
  constexpr int kMostAttempts = 20;
  constexpr std::chrono::milliseconds kBackoff{5};  // times the number of the attempt
  CommitOutcome outcome = CommitOutcome::kConflict;
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
    outcome = transaction->commit();
    if (outcome == CommitOutcome::kCommitted) return std::nullopt;
    std::this_thread::sleep_for(kBackoff * attempt);
  }
  const std::string message = "the store has not committed in " + std::to_string(kMostAttempts) +
                              " attempts: repeat the command to go on";
  if (outcome == CommitOutcome::kConflict) throw Contention(message);
  throw StoreUnavailable(message);
}

std::uint64_t finish_erases(Store& store, std::span<const std::string> entities) {
  detail::CommitContext context(store, {});
  const std::unique_ptr<detail::CommitContext, void (*)(detail::CommitContext*)> marks(
      &context, [](detail::CommitContext* used) { used->writers.remove_marks(); });
  std::uint64_t removed = 0;
  for (const std::string& entity : entities)
    removed += detail::finish_erase(context, detail::EntityKeyView(entity));
  return removed;
}

}  // namespace autoshard::ctl
