/// Entities whose time has come.

#include <autoshard/errors.h>

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine.h"
#include "keys.h"
#include "record.h"
#include "room.h"
#include "staged_transaction.h"

namespace autoshard::detail {
namespace {

/// In one transaction, at most.
constexpr std::size_t kBatch = 64;

}  // namespace

bool Engine::is_gone(const EntityType& type, std::string_view key, std::string_view main_record,
                     Now now) const {
  return is_tombstone(main_record) || has_expired(type, key, main_record, now);
}

void Engine::remove_if_expired(const EntityType& type, const std::string& key, Now now) {
  if (!type.expires_at) return;
  const std::string main = main_key(key);
  std::string record;
  // Another program may save it while it is removed: then that one has expired, too.
  while (begin()->get(main, record) && !is_tombstone(record) && has_expired(type, main, record, now))
    erase(type, key, read_version(main, record), now);
}

/// Goes through those that are due, in the order of their times. One that another commit meets is left for
/// the next time. Returns how many there were.
std::uint64_t Engine::remove_expired_entities(const EntityType& type, Now now) {
  const std::string end = begin_of_expiries(type.kind, now.milliseconds + 1);
  std::string begin = begin_of_expiries(type.kind, 0);
  std::uint64_t removed = 0;
  for (bool is_last = false; !is_last;) {
    std::vector<std::string> due;
    {
      const std::unique_ptr<Cursor> cursor = store_.scan(begin, end);
      for (Room room(store_.traits(), kBatch); cursor->valid() && room.is_left(); cursor->next()) {
        due.emplace_back(cursor->key());
        room.take(due.back().size());
      }
      is_last = !cursor->valid();
      if (!is_last) begin = cursor->key();
    }
    removed += remove_due(type, due, now);
  }
  return removed;
}

/// Removes entities, given the records that say that they are due. Halves those of which one cannot be
/// removed.
std::uint64_t Engine::remove_due(const EntityType& type, std::span<const std::string> due, Now now) {
  if (due.empty()) return 0;
  const std::unique_ptr<Transaction> transaction = begin();
  std::vector<std::string> buried;
  for (const std::string& record_key : due) {
    const std::optional<ExpiryKey> expiry = read_expiry_key(type.kind, record_key);
    if (!expiry) continue;
    const std::string& key = expiry->entity_key;
    const std::string main = main_key(key);
    std::string record;
    const bool is_there = transaction->get(main, record) && !is_tombstone(record);
    try {
      if (is_there && has_expired(type, main, record, now)) {
        StagedTransaction staged(*transaction);  // so that a damaged record leaves nothing of it in the batch
        bury(staged, type, key, read_version(main, record), now);  // which the transaction has just read
        buried.push_back(key);
        staged.write();
      } else {
        transaction->erase(record_key);  // of an earlier entity, or time
      }
    } catch (const CorruptRecord& error) {
      log(describe(key) + " seems to have expired, and is not removed: " + error.what());
    }
  }
  if (!commit_once(*transaction, "removing expired entities")) {
    if (due.size() == 1) return 0;
    const std::size_t half = due.size() / 2;
    return remove_due(type, due.first(half), now) + remove_due(type, due.subspan(half), now);
  }
  clear_all(buried);
  for (const std::string& key : buried) notes_.note_change(key);
  return buried.size();
}

/// Of all mappers on a store, one at a time.
void Engine::remove_noticed_entities() {
  const Now now = this->now();
  for (const EntityType* type : expiring_types()) {
    try {
      const auto any =
          store_.scan(begin_of_expiries(type->kind, 0), begin_of_expiries(type->kind, now.milliseconds + 1));
      if (!any->valid()) continue;
      if (!compaction_.take()) return;
      remove_expired_entities(*type, now);
      compaction_.give_up();
    } catch (const std::exception& error) {
      log_failure("the removal of entities that have expired has to wait", error);
    }
  }
}

}  // namespace autoshard::detail
