#include <autoshard/errors.h>

#include <algorithm>

#include "expiring_record.h"
#include "keys.h"
#include "layout.h"
#include "parts.h"
#include "shard_writer.h"

namespace autoshard::detail {

/// What all of them are going to read, in two steps: which shards these are, main records tell.
void ShardWriter::prefetch(Transaction& transaction, std::span<const Group> groups, std::string_view mark,
                           Now now) {
  keys_.clear();
  if (!mark.empty()) keys_.emplace_back(mark);
  bool has_tokens = false;
  for (const Group& group : groups) {
    const Request& first = *group.front();
    if (context_.indexes.are_read_by_updates() &&
        std::ranges::find(looked_at_, first.type) == looked_at_.end()) {
      keys_.push_back(indexes_key(first.type->kind));
      looked_at_.push_back(first.type);
    }
    set_main_key(keys_.emplace_back(), first.key);
    for (std::size_t place = 0; place < first.type->sharded.size(); ++place) {
      if (first.type->sharded[place].ranked_by && updates(group, place))
        set_dirty_key(keys_.emplace_back(), *first.type, place, first.key);
    }
    for (const Request* request : group) {
      if (!request->waits() || request->token.empty()) continue;
      set_token_key(keys_.emplace_back(), request->key, request->token);
      has_tokens = true;
    }
  }
  looked_at_.clear();  // it has only been said so
  if (has_tokens) keys_.push_back(store_clock_key());
  transaction.prefetch(keys_);

  keys_.clear();
  for (const Group& group : groups) {
    const EntityType& type = *group.front()->type;
    try {
      entity_.read(context_.store, now, transaction, type, group.front()->key);
    } catch (const StoreUnavailable&) {
      throw;
    } catch (const std::exception&) {
      continue;  // which it will meet again when it is put
    }
    for (std::size_t place = 0; place < type.sharded.size(); ++place) {
      const ShardedPropertyType& property = type.sharded[place];
      const std::uint32_t shards = entity_.head.layouts[place].shards;
      if (shards == 0 || property.is_group() || is_folded_by_store(property) || !updates(group, place))
        continue;
      set_shard_key(keys_.emplace_back(), entity_.key, record_name(type, property), lane_.pick(shards));
    }
  }
  if (keys_.size() > 1) transaction.prefetch(keys_);
}

/// Whether any of them changes that property.
bool ShardWriter::updates(Group group, std::size_t place) const {
  const ShardedPropertyType& property = group.front()->type->sharded[place];
  return std::any_of(group.begin(), group.end(), [&](const Request* request) {
    return request->waits() && !is_neutral(property, request->shard);
  });
}

}  // namespace autoshard::detail
