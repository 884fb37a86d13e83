#include "expired_records.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "check.h"
#include "expiring_record.h"
#include "keys.h"
#include "room.h"

namespace autoshard::detail {
namespace {

// The limits of a batch.
constexpr std::size_t kSeen = 4096, kRemoved = 256;

}  // namespace

bool SeenMarks::has_stayed(std::string_view key, std::string_view record) {
  const MutexLock lock(mutex_);
  const platform::Clock::time_point now = clock_();
  auto found = seen_.find(key);
  if (found == seen_.end()) {
    if (seen_.size() == kMost)  // drops marks that another mapper has removed
      std::erase_if(seen_, [&](const auto& seen) { return now - seen.second.since >= kMarkLifetime; });
    if (seen_.size() == kMost) return false;
    found = seen_.emplace(key, Seen{std::string(record), now}).first;
  } else if (found->second.record != record) {
    found->second = {std::string(record), now};
  }
  AUTOSHARD_CHECK(seen_.size() <= kMost && found->second.record == record, {"seen", seen_.size()});
  return now - found->second.since >= kWhile;
}

void SeenMarks::forget(std::string_view key) {
  const MutexLock lock(mutex_);
  if (const auto found = seen_.find(key); found != seen_.end()) seen_.erase(found);
}

ExpiredRecords::ExpiredRecords(Store& store, StoreClock& clock, SeenMarks& marks, Now now)
    : store_(store), clock_(clock), marks_(marks), now_(now), next_(begin_of_expiring()) {}

/// A fast clock must not remove a token or a mark: the token would count again, and an outcome in doubt would
/// stay unknown. A record that cannot be read stays.
bool ExpiredRecords::has_ended(std::string_view key, std::string_view record) {
  const bool is_token = is_token_key(key);
  if (is_token && !store_time_) store_time_ = clock_.advance();
  try {
    const Expiring expiring = read_expiring(key, record);
    if (is_token && expiring.number) return *expiring.number <= *store_time_;
    return now_.has_come(expiring.until) && (is_token || marks_.has_stayed(key, record));
  } catch (const CorruptRecord&) {
    return false;
  }
}

bool ExpiredRecords::remove_some() {
  std::vector<std::string> expired;
  bool is_last = true;
  {
    const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
    std::size_t seen = 0;
    Room room(store_.traits(), kRemoved);
    for (const std::unique_ptr<Cursor> cursor = snapshot->scan(next_, end_of_expiring()); cursor->valid();
         cursor->next()) {
      if (seen++ == kSeen || !room.is_left()) {
        AUTOSHARD_CHECK(next_ < cursor->key(), {"from", next_}, {"next", cursor->key()});
        next_ = cursor->key();
        is_last = false;
        break;
      }
      if (!has_ended(cursor->key(), cursor->value())) continue;
      expired.emplace_back(cursor->key());
      room.take(expired.back().size());
    }
  }
  if (!expired.empty()) commit_in_halves(std::span(std::as_const(expired)), [&](auto keys) { remove(keys); });
  return !is_last;
}

/// After a conflict, the records are left for the next time. So are tokens if the store has lost its last
/// commits, with an advance of its clock.
void ExpiredRecords::remove(std::span<const std::string> expired) {
  const std::unique_ptr<Transaction> transaction = store_.begin();
  if (std::ranges::any_of(expired, is_token_key) &&
      StoreClock::read(*transaction).value_or(0) < store_time_.value())
    return;
  std::string record;
  std::uint64_t removed = 0;
  for (const std::string& key : expired) {
    if (!transaction->get(key, record) || !has_ended(key, record)) continue;  // used since
    transaction->erase(key);
    ++removed;
  }
  if (transaction->commit() != CommitOutcome::kCommitted) return;
  removed_ += removed;
  for (const std::string& key : expired) marks_.forget(key);
}

}  // namespace autoshard::detail
