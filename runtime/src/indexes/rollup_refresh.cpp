#include "rollup_refresh.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <exception>
#include <span>
#include <string_view>
#include <vector>

#include "entity_scan.h"
#include "index_records.h"
#include "keys.h"
#include "random.h"
#include "rollup.h"
#include "room.h"

namespace autoshard::detail {
namespace {

/// So that a transaction meets few others, and a snapshot is soon let go.
constexpr std::size_t kBatch = 128;

}  // namespace

RollupRefresh::RollupRefresh(CommitContext& context, const EntityType& type, const IndexType& index,
                             Failures* failures)
    : context_(context),
      type_(type),
      index_(index),
      failures_(failures),
      dirty_prefix_(dirty_prefix(type, index)) {}

std::uint64_t RollupRefresh::run(const std::function<bool()>& goes_on) {
  std::uint64_t refreshed = 0;
  std::string from = dirty_prefix_;
  const std::string end = end_key(dirty_prefix_);
  for (;;) {
    std::vector<Dirty> batch;
    Room room(context_.store.traits(), kBatch);
    for (const auto cursor = context_.store.scan(from, end); cursor->valid() && room.is_left();
         cursor->next()) {
      if (failures_ && failures_->is_paused(cursor->key(), platform::Clock::now())) continue;
      batch.push_back({.id = std::string(cursor->key().substr(dirty_prefix_.size()))});
      room.take(cursor->key().size());
    }
    if (batch.empty() || (goes_on && !goes_on())) return refreshed;
    from = dirty_prefix_ + batch.back().id + '\0';
    refreshed += refresh(batch);
  }
}

std::uint64_t RollupRefresh::refresh(std::span<Dirty> entities) {
  return in_halves(entities, [&](std::span<Dirty> some) -> std::optional<std::uint64_t> {
    number_.clear();
    Encoder(number_).integer(static_cast<std::int64_t>(random_bits()));
    if (!begin(some)) return std::nullopt;
    read(some);
    return in_halves(std::span<const Dirty>(some), [&](std::span<const Dirty> read) { return end(read); });
  });
}

/// Returns false if nothing is written.
bool RollupRefresh::begin(std::span<const Dirty> entities) {
  const std::unique_ptr<Transaction> transaction = context_.store.begin();
  std::string stored;
  for (const Dirty& dirty : entities) {
    const std::string key = dirty_prefix_ + dirty.id;
    if (transaction->get(key, stored)) transaction->put(key, number_);
  }
  return commit(*transaction, entities);
}

/// In a state in which the number is there: whoever updates after that takes it away.
void RollupRefresh::read(std::span<Dirty> entities) {
  const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
  const std::vector<std::string_view> wanted(index_.members.begin(), index_.members.end());
  for (Dirty& dirty : entities) {
    const std::string key = kind_key(type_.kind) + dirty.id;
    try {
      EntityScan scan(*snapshot, type_, kBeforeAllTimes, key);
      if (scan.next()) {
        dirty.entity = type_.make(key);
        scan.read(dirty.entity.get(), {.only = &wanted}, {.only = &wanted});
      }
      dirty.is_read = true;
    } catch (const StoreUnavailable&) {
      throw;
    } catch (const std::exception& error) {
      note_failure(dirty, error.what());
    } catch (...) {  // out of a fold
      note_failure(dirty, "its fold throws something that is no std::exception");
    }
  }
}

/// What cannot be refreshed stays dirty. Returns nothing if nothing is written.
std::optional<std::uint64_t> RollupRefresh::end(std::span<const Dirty> entities) {
  const std::unique_ptr<Transaction> transaction = context_.store.begin();
  std::uint64_t refreshed = 0;
  std::string stored;
  for (const Dirty& dirty : entities) {
    const std::string key = dirty_prefix_ + dirty.id, entity_key = kind_key(type_.kind) + dirty.id;
    if (!dirty.is_read || !transaction->get(key, stored) || stored != number_) continue;
    try {
      if (const void* entity = dirty.entity.get())
        check_size(index_, entity_key, rollup_entry_key(type_, index_, entity_key, entity),
                   context_.store.traits().longest_key);
      put_rollup(*transaction, type_, index_, entity_key, dirty.entity.get());
      transaction->erase(key);
      ++refreshed;
    } catch (const StoreUnavailable&) {
      throw;
    } catch (const Error& error) {
      note_failure(dirty, error.what());
    }
  }
  if (refreshed > 0 && !commit(*transaction, entities)) return std::nullopt;
  return refreshed;
}

/// Returns false after a conflict, an unknown outcome, or if it is too large. The entities stay marked as
/// dirty in all three cases, so that the next refresh repairs them.
bool RollupRefresh::commit(Transaction& transaction, std::span<const Dirty> entities) try {
  const CommitOutcome outcome = context_.writers.commit(transaction);
  if (outcome == CommitOutcome::kCommitted) count(context_.commits);
  if (outcome == CommitOutcome::kConflict) count(context_.conflicts);
  return outcome == CommitOutcome::kCommitted;
} catch (const CommitTooLarge& error) {
  if (entities.size() == 1) note_failure(entities.front(), error.what());
  return false;
}

void RollupRefresh::note_failure(const Dirty& dirty, const char* reason) const {
  if (failures_ &&
      !failures_->note(dirty_prefix_ + dirty.id, platform::Clock::now(), context_.options.compact_every))
    return;
  context_.log(describe(kind_key(type_.kind) + dirty.id) + " gets no new entry in index " +
               std::string(index_.name) + ": " + reason);
}

}  // namespace autoshard::detail
