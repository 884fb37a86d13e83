#include "remains.h"

#include <memory>
#include <vector>

#include "keys.h"
#include "record.h"

namespace autoshard::detail {
namespace {

/// The first shards from that key on, as a snapshot shows them.
std::vector<std::string> shards_from(Store& store, const std::string& key, const std::string& from,
                                     std::size_t most) {
  std::vector<std::string> shards;
  const std::unique_ptr<Snapshot> snapshot = store.snapshot();
  for (const std::unique_ptr<Cursor> cursor = snapshot->scan(from, end_key(key));
       cursor->valid() && shards.size() < most; cursor->next()) {
    if (read_shard_key(key, cursor->key())) shards.emplace_back(cursor->key());
  }
  return shards;
}

}  // namespace

bool is_buried(Transaction& transaction, const std::string& key) {
  std::string stored;
  return transaction.get(main_key(key), stored) && is_tombstone(stored);
}

std::uint64_t thin_remains(Store& store, const MapperOptions& options, Notes& notes, Writers& writers,
                           const std::string& key, const std::function<bool()>& goes_on) {
  std::uint64_t removed = 0;
  for (std::string from = key;;) {  // not from the beginning each time: stores go past what was removed
    std::vector<std::string> shards;
    for (Attempts attempts(options, notes, "erasing", key);;) {
      if (goes_on && !goes_on()) return removed;
      const std::unique_ptr<Transaction> transaction = store.begin();
      if (!is_buried(*transaction, key)) return removed;
      shards = shards_from(store, key, from, kRemainsAtOnce);
      if (shards.size() < kRemainsAtOnce) return removed;
      for (const std::string& shard : shards) transaction->erase(shard);
      if (attempts.commit(writers, *transaction)) break;
    }
    removed += shards.size();
    from = shards.back() + '\0';
  }
}

std::size_t erase_remains(Store& store, Transaction& transaction, const std::string& key) {
  // Less than a batch, but for an entity that was created and erased again since it was thinned out.
  const std::vector<std::string> shards = shards_from(store, key, key, SIZE_MAX);
  for (const std::string& shard : shards) transaction.erase(shard);
  return shards.size();
}

std::uint64_t remove_remains(Store& store, const MapperOptions& options, Notes& notes, Writers& writers,
                             const std::string& key, const std::function<bool()>& goes_on) {
  std::uint64_t removed = thin_remains(store, options, notes, writers, key, goes_on);
  for (Attempts attempts(options, notes, "erasing", key);;) {
    if (goes_on && !goes_on()) return removed;
    const std::unique_ptr<Transaction> transaction = store.begin();
    if (!is_buried(*transaction, key)) return removed;  // somebody else was faster
    const std::size_t rest = erase_remains(store, *transaction, key);
    transaction->erase(main_key(key));
    if (attempts.commit(writers, *transaction)) return removed + rest;
  }
}

}  // namespace autoshard::detail
