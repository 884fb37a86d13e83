#include "expired_entities.h"

#include <autoshard/errors.h>

#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "attempts.h"
#include "check.h"
#include "erase_entity.h"
#include "keys.h"
#include "main_record.h"
#include "message_of.h"
#include "room.h"
#include "staged_transaction.h"

namespace autoshard::detail {
namespace {

/// The largest number of entities in one transaction.
constexpr std::size_t kBatch = 64;

/// Returns whether the key belongs to an expiry record whose entity has to be removed now.
bool is_due(const EntityType& type, std::string_view record_key, const Failures* failures) {
  if (failures && failures->is_paused(record_key, platform::Clock::now())) return false;
  return read_expiry_key(type.kind, record_key).has_value();
}

/// Removes the entities of these expiry records, which are due. Returns the number of removed entities; empty
/// if they cannot be removed together.
std::optional<std::uint64_t> remove_due(MapperContext& context, const EntityType& type,
                                        std::span<const std::string> due, Now now, Failures* failures) {
  if (due.empty()) return 0;
  const std::unique_ptr<Transaction> transaction = context.store.begin();
  std::vector<EntityKey> removed;
  bool is_any = false;
  const auto note_failure = [&](const std::string& record_key, const std::string& why) {
    if (failures && !failures->note(record_key, platform::Clock::now(), context.options.compact_every))
      return;
    context.log(describe(read_expiry_key(type.kind, record_key)->entity) +
                " may have expired, and is not removed: " + why);
  };
  for (const std::string& record_key : due) {
    const EntityKey key = read_expiry_key(type.kind, record_key)->entity;
    std::string record;
    const bool is_there = transaction->get(main_key(key), record) && !is_tombstone(record);
    try {
      if (is_there && has_expired(type, key, record, now)) {
        StagedTransaction staged(*transaction);  // so that a damaged record leaves no write in the batch
        // The version is the one that the transaction has just read.
        put_tombstone(context, staged, type, key, read_version(key, record), now);
        removed.push_back(key);
        staged.write();
      } else {
        transaction->erase(record_key);  // of an earlier entity, or an earlier expiry
      }
      is_any = true;
    } catch (const StoreUnavailable&) {
      throw;
    } catch (...) {  // also from the application's code
      note_failure(record_key, message_of(std::current_exception()));
    }
  }
  if (!is_any) return 0;
  std::string too_large;
  if (!commit_once(context, *transaction, "removing expired entities", &too_large)) {
    if (due.size() == 1 && !too_large.empty()) note_failure(due.front(), too_large);
    return std::nullopt;
  }
  AUTOSHARD_CHECK(removed.size() <= due.size(), {"removed", removed.size()}, {"due", due.size()});
  try_to_finish_erase(context, removed);
  for (const EntityKey& key : removed) context.note_change(key);
  return removed.size();
}

}  // namespace

bool are_entities_due(MapperContext& context, const EntityType& type, Now now, const Failures& failures) {
  const auto cursor =
      context.store.scan(begin_of_expiries(type.kind, 0), begin_of_expiries(type.kind, now.milliseconds + 1));
  while (cursor->valid() && !is_due(type, cursor->key(), &failures)) cursor->next();
  return cursor->valid();
}

std::uint64_t remove_expired_entities(MapperContext& context, const EntityType& type, Now now,
                                      Failures* failures, const std::function<bool()>& goes_on) {
  const std::string end = begin_of_expiries(type.kind, now.milliseconds + 1);
  std::string begin = begin_of_expiries(type.kind, 0);
  std::uint64_t removed = 0;
  for (bool is_last = false; !is_last && (!goes_on || goes_on());) {
    std::vector<std::string> due;
    {
      const std::unique_ptr<Cursor> cursor = context.store.scan(begin, end);
      for (Room room(context.store.traits(), kBatch); cursor->valid() && room.is_left(); cursor->next()) {
        if (!is_due(type, cursor->key(), failures)) continue;
        due.emplace_back(cursor->key());
        room.take(due.back().size());
      }
      is_last = !cursor->valid();
      if (!is_last) {
        AUTOSHARD_CHECK(begin < cursor->key(), {"begin", begin}, {"next", cursor->key()});
        begin = cursor->key();
      }
    }
    removed += in_halves(std::span<const std::string>(due), [&](std::span<const std::string> some) {
      return remove_due(context, type, some, now, failures);
    });
  }
  return removed;
}

}  // namespace autoshard::detail
