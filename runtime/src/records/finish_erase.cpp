#include "finish_erase.h"

#include <autoshard/errors.h>

#include <memory>
#include <string_view>

#include "check.h"
#include "keys.h"
#include "main_record.h"
#include "room.h"

namespace autoshard::detail {
namespace {

/// Calls `action` with the keys of the shards from `from` on, in a snapshot, until it returns false.
void for_each_shard(Store& store, EntityKeyView key, std::string_view from,
                    const std::function<bool(std::string_view)>& action) {
  const std::unique_ptr<Snapshot> snapshot = store.snapshot();
  for (const std::unique_ptr<Cursor> cursor = snapshot->scan(from, end_key(key)); cursor->valid();
       cursor->next()) {
    if (read_shard_key(key, cursor->key()) && !action(cursor->key())) return;
  }
}

}  // namespace

bool has_tombstone(Transaction& transaction, EntityKeyView key) {
  std::string stored;
  return transaction.get(main_key(key), stored) && is_tombstone(stored);
}

std::uint64_t delete_most_shards(CommitContext& context, EntityKeyView key,
                                 const std::function<bool()>& goes_on, std::size_t at_once) {
  std::uint64_t removed = 0;
  // Not from the beginning each time: stores step over removed records.
  std::string from(key.bytes());
  while (true) {
    std::size_t erased = 0;
    std::string last;
    for (Attempts attempts(context, "erasing", key);;) {
      if (goes_on && !goes_on()) return removed;
      const std::unique_ptr<Transaction> transaction = context.store.begin();
      if (!has_tombstone(*transaction, key)) return removed;
      Room room(context.store.traits(), at_once);
      erased = 0;
      for_each_shard(context.store, key, from, [&](std::string_view shard) {
        transaction->erase(last = shard);
        ++erased;
        room.take(shard.size());
        return room.is_left();
      });
      if (room.is_left()) return removed;
      AUTOSHARD_CHECK(erased > 0 && from <= last, {"from", from}, {"last", last});
      try {
        if (attempts.commit(*transaction)) break;
      } catch (const CommitTooLarge&) {
        if (erased == 1) throw;
        at_once = erased / 2;
      }
    }
    removed += erased;
    from = last + '\0';
  }
}

std::size_t delete_shards(Store& store, Transaction& transaction, EntityKeyView key) {
  // Fewer than a batch, unless the entity was created and erased again after `delete_most_shards`.
  std::size_t erased = 0;
  for_each_shard(store, key, key.bytes(), [&](std::string_view shard) {
    AUTOSHARD_CHECK(!is_main_key(shard, key), {"entity", key}, {"shard", shard});
    transaction.erase(shard);
    ++erased;
    return true;
  });
  return erased;
}

std::uint64_t finish_erase(CommitContext& context, EntityKeyView key, const std::function<bool()>& goes_on) {
  std::uint64_t removed = delete_most_shards(context, key, goes_on);
  for (Attempts attempts(context, "erasing", key);;) {
    if (goes_on && !goes_on()) return removed;
    const std::unique_ptr<Transaction> transaction = context.store.begin();
    if (!has_tombstone(*transaction, key)) return removed;  // another caller was faster
    const std::size_t rest = delete_shards(context.store, *transaction, key);
    transaction->erase(main_key(key));
    try {
      if (attempts.commit(*transaction)) return removed + rest;
    } catch (const CommitTooLarge&) {
      if (rest == 0) throw;
      removed += delete_most_shards(context, key, goes_on, (rest + 1) / 2);
    }
  }
}

}  // namespace autoshard::detail
