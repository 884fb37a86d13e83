#include "ranked_refresh.h"

#include <autoshard/codec.h>
#include <autoshard/errors.h>

#include <exception>
#include <span>
#include <string_view>
#include <vector>

#include "entity_scan.h"
#include "keys.h"
#include "message_of.h"
#include "random.h"
#include "room.h"

namespace autoshard::detail {
namespace {

/// Small enough that a transaction meets few conflicts and a snapshot is released soon.
constexpr std::size_t kBatch = 128;

}  // namespace

RankedRefresh::RankedRefresh(CommitContext& context, const RankedIndex& index, Failures* failures)
    : context_(context), index_(index), failures_(failures) {}

std::uint64_t RankedRefresh::run(const std::function<bool()>& goes_on) {
  std::uint64_t refreshed = 0;
  std::string from = index_.dirty_prefix();
  const std::string end = end_key(index_.dirty_prefix());
  for (;;) {
    std::vector<Dirty> batch;
    Room room(context_.store.traits(), kBatch);
    for (const auto cursor = context_.store.scan(from, end); cursor->valid() && room.is_left();
         cursor->next()) {
      if (failures_ && failures_->is_paused(cursor->key(), platform::Clock::now())) continue;
      batch.push_back({.id = std::string(cursor->key().substr(index_.dirty_prefix().size()))});
      room.take(cursor->key().size());
    }
    if (batch.empty() || (goes_on && !goes_on())) return refreshed;
    from = index_.dirty_prefix() + batch.back().id + '\0';
    const std::uint64_t in_batch = refresh(batch);
    context_.counters.refreshed_entities.add(in_batch);
    refreshed += in_batch;
  }
}

std::uint64_t RankedRefresh::refresh(std::span<Dirty> entities) {
  return in_halves(entities, [&](std::span<Dirty> some) -> std::optional<std::uint64_t> {
    number_.clear();
    Encoder(number_).integer(static_cast<std::int64_t>(random_bits()));
    if (!begin(some)) return std::nullopt;
    read(some);
    return in_halves(std::span<const Dirty>(some), [&](std::span<const Dirty> read) { return end(read); });
  });
}

/// Returns false if nothing is written.
bool RankedRefresh::begin(std::span<const Dirty> entities) {
  const std::unique_ptr<Transaction> transaction = context_.store.begin();
  std::string stored;
  for (const Dirty& dirty : entities) {
    const RecordKey key(index_.dirty_prefix(), dirty.id);
    if (transaction->get(key, stored)) transaction->put(key, number_);
  }
  return commit(*transaction, entities);
}

/// Reads the entities from a state that has the number: a later update overwrites the number.
void RankedRefresh::read(std::span<Dirty> entities) {
  const std::unique_ptr<Snapshot> snapshot = context_.store.snapshot();
  const std::vector<std::string_view> wanted(index_.declared().members.begin(),
                                             index_.declared().members.end());
  for (Dirty& dirty : entities) {
    const EntityKey key = entity_with_id(index_.type().kind, dirty.id);
    try {
      EntityScan scan(*snapshot, index_.type(), kBeforeAllTimes, key);
      if (scan.next()) {
        dirty.entity = index_.type().make(key);
        scan.read(dirty.entity.get(), {.only = &wanted}, {.only = &wanted});
      }
      dirty.is_read = true;
    } catch (const StoreUnavailable&) {
      throw;
    } catch (...) {  // also from a fold
      note_failure(dirty, message_of(std::current_exception()));
    }
  }
}

/// Entities that cannot be refreshed stay dirty. Returns nothing if nothing is written.
std::optional<std::uint64_t> RankedRefresh::end(std::span<const Dirty> entities) {
  const std::unique_ptr<Transaction> transaction = context_.store.begin();
  const EntryLimits limits = {.now = kBeforeAllTimes, .longest_key = context_.store.traits().longest_key};
  std::uint64_t refreshed = 0;
  std::string stored;
  for (const Dirty& dirty : entities) {
    const RecordKey key(index_.dirty_prefix(), dirty.id);
    if (!dirty.is_read || !transaction->get(key, stored) || stored != number_) continue;
    try {
      StagedWrites writes;
      index_.put_entry(*transaction, entity_with_id(index_.type().kind, dirty.id), dirty.entity.get(), limits,
                       writes);
      writes.write(0, *transaction);
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

/// Returns false after a conflict, an unknown outcome, or if the transaction is too large. The entities stay
/// marked as dirty in all three cases, so that the next refresh repairs them.
bool RankedRefresh::commit(Transaction& transaction, std::span<const Dirty> entities) try {
  WriterPool::Borrowed writer(context_.writers);
  return commit_and_count(context_, writer, transaction) == CommitOutcome::kCommitted;
} catch (const CommitTooLarge& error) {
  if (entities.size() == 1) note_failure(entities.front(), error.what());
  return false;
}

void RankedRefresh::note_failure(const Dirty& dirty, const std::string& reason) const {
  if (failures_ && !failures_->note(index_.dirty_prefix() + dirty.id, platform::Clock::now(),
                                    context_.options.compact_every))
    return;
  context_.log(describe(entity_with_id(index_.type().kind, dirty.id)) + " is not refreshed in index " +
               std::string(index_.declared().name) + ": " + reason);
}

}  // namespace autoshard::detail
