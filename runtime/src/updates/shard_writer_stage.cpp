/// Reads and stages the records of the updates in a transaction.

#include <autoshard/errors.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>

#include "check.h"
#include "entity_errors.h"
#include "entity_index.h"
#include "expiring_record.h"
#include "keys.h"
#include "layout.h"
#include "main_record.h"
#include "parts.h"
#include "room.h"
#include "shard_writer.h"
#include "store_clock.h"
#include "strategies.h"

namespace autoshard::detail {
namespace {

/// Returns whether the folded shard has the sum, minimum or maximum of the numbers in the waiting requests.
bool is_fold_of(const ShardedPropertyType& property, void* folded, std::span<Request* const> requests) {
  NumberFold whole;
  if (!property.to_fold || !property.to_fold(property.in_shard(folded), whole) || may_replace(property))
    return true;
  std::optional<__int128_t> result;
  for (const Request* request : requests) {
    NumberFold part;
    if (!request->waits()) continue;
    if (!property.to_fold(property.in_shard(request->shard), part)) return true;
    result = !result                        ? part.number
             : whole.fold == Fold::kMinimum ? std::min<__int128_t>(*result, part.number)
             : whole.fold == Fold::kMaximum ? std::max<__int128_t>(*result, part.number)
                                            : *result + part.number;
  }
  return !result || *result < whole.least || *result > whole.most || *result == whole.number;
}

/// Resets an update that was refused by bounds or found to be counted, so that it is judged anew.
void reconsider(Request& request) {
  if (!request.is_exceeded() && !request.is_repeated()) return;
  request.error = nullptr;
  request.result = Request::Result::kNone;
}

/// Calls `read`, which finds out what to read ahead. An error of the application's code is left to `put`,
/// which meets it again and then fails only the updates that cause it.
template <class Read>
void ahead(Read read) {
  try {
    read();
  } catch (const StoreUnavailable&) {
    throw;
  } catch (...) {
  }
}

}  // namespace

/// Announces the reads of all groups, and has a store that prefetches read them, in two steps: the main
/// records determine which shards are read.
void ShardWriter::prefetch(Transaction& transaction, std::span<const Group> groups, std::string_view mark,
                           Now now) {
  keys_.clear();
  if (!mark.empty()) keys_.emplace_back(mark);
  bool has_tokens = false;
  for (const Group& group : groups) {
    for (Request* request : group) reconsider(*request);
    const Request& first = *group.front();
    if (context_.indexes.are_read_by_updates() &&
        std::ranges::find(looked_at_, first.type) == looked_at_.end()) {
      keys_.push_back(indexes_key(first.type->kind));
      looked_at_.push_back(first.type);
    }
    keys_.push_back(main_key(first.key).bytes());
    for (const Request* request : group) {
      if (!request->waits() || !request->leaves_token()) continue;
      keys_.push_back(token_key(request->key, request->token).bytes());
      has_tokens = true;
    }
    ahead([&] {
      for (std::size_t place = 0; place < first.type->sharded.size(); ++place) {
        const EntityIndex* index = ranked_index(*first.type, place);
        if (index && updates(group, place)) index->append_update_reads(first.key, keys_);
      }
    });
  }
  looked_at_.clear();  // the indexes were only announced, not read
  if (has_tokens) keys_.push_back(store_clock_key().bytes());
  transaction.prefetch(keys_);
  if constexpr (kChecks) {
    if (!traits_.prefetches) return;  // see `announce_reads`
  }

  keys_.clear();
  for (const Group& group : groups) {
    ahead([&] {
      const Now instant = instant_of(group, now);
      entity_.read(context_.store, instant, transaction, *group.front()->type, group.front()->key);
      append_reads(group, instant);
    });
  }
  if (!keys_.empty()) transaction.prefetch(keys_);
}

/// Appends the keys of the shards that the group's updates may read to `keys_`.
void ShardWriter::append_reads(Group group, Now instant) {
  const EntityType& type = *entity_.type;
  for (std::size_t place = 0; place < type.sharded.size(); ++place) {
    if (updates(group, place)) strategy_of(type.sharded[place]).append_reads(staging(place, instant), keys_);
  }
}

/// For a check, with a store that does not prefetch: its reads have to be announced all the same.
void ShardWriter::announce_reads([[maybe_unused]] Group group, [[maybe_unused]] Now instant) {
  if constexpr (kChecks) {
    if (traits_.prefetches) return;
    keys_.clear();
    append_reads(group, instant);
    entity_.transaction->prefetch(keys_);
  }
}

/// Returns whether any update of the group changes that property.
bool ShardWriter::updates(Group group, std::size_t place) const {
  const ShardedPropertyType& property = group.front()->type->sharded[place];
  return std::any_of(group.begin(), group.end(), [&](const Request* request) {
    return request->waits() && !is_neutral(property, request->shard);
  });
}

/// Returns the instant by which the entity of the updates is judged. It is the latest instant of the calls
/// that the updates belong to, or else that of the attempt. If one of several updates fails by it, each is
/// judged alone.
Now ShardWriter::instant_of(Group group, Now attempt) {
  Now latest = kBeforeAllTimes;
  for (const Request* request : group) {
    if (!request->has_now) return attempt;
    latest.milliseconds = std::max(latest.milliseconds, request->now.milliseconds);
  }
  return latest;
}

/// Stages the updates of one entity, except those that fail. After an exception the transaction must not be
/// committed, because a part of its writes may be missing.
void ShardWriter::put(Transaction& transaction, Group group, Now now) {
  const std::size_t first = writes_.size(), first_touched = touched_.size();
  std::exception_ptr error;
  if (clock_error_ && needs_clock({&group, 1})) error = clock_error_;
  try {
    if (!error) stage(transaction, group, now);
    if (!error) error = too_long(group, writes_.longest_key(first));
  } catch (const StoreUnavailable&) {
    throw;  // another request for each of the others could take as long every time
  } catch (...) {
    error = std::current_exception();
  }
  if (!error) return writes_.write(first, transaction);
  writes_.shrink(first);
  touched_.resize(first_touched);
  if (group.size() == 1) return group.front()->fail(error);
  // Each update is judged by its own instant, which may belong to another bucket.
  expect_prefetched(transaction, false);
  for (std::size_t i = 0; i < group.size(); ++i) put(transaction, group.subspan(i, 1), now);
  expect_prefetched(transaction, true);
}

/// Returns an error if the store has no room for a key of this size; otherwise null. The store itself would
/// report the error in the middle of related writes.
std::exception_ptr ShardWriter::too_long(Group group, std::size_t key) const {
  if (traits_.longest_key == 0 || key <= traits_.longest_key) return nullptr;
  return std::make_exception_ptr(KeyTooLong("updating " + describe(group.front()->key) + " needs a key of " +
                                            std::to_string(key) + " bytes, and the store allows " +
                                            std::to_string(traits_.longest_key) +
                                            ": choose a shorter id or token"));
}

void ShardWriter::stage(Transaction& transaction, Group group, Now now) {
  for (Request* request : group) reconsider(*request);
  if (std::none_of(group.begin(), group.end(), std::mem_fn(&Request::waits))) return;
  const EntityType& type = *group.front()->type;
  const Now instant = instant_of(group, now);
  entity_.read(context_.store, instant, transaction, type, group.front()->key);
  for_each_waiting(group, [&](Request& request) {
    if (request.version == 0) request.version = entity_.head.version;  // for further attempts
    if (!same_entity(entity_.head.version, request.version)) throw_not_found(entity_.key);
  });
  announce_reads(group, instant);

  const bool has_tokens = std::any_of(group.begin(), group.end(), std::mem_fn(&Request::leaves_token));
  if (has_tokens) leave_out_repeated(transaction, group);
  if (std::none_of(group.begin(), group.end(), std::mem_fn(&Request::waits))) return;
  if (context_.indexes.are_read_by_updates()) look_at_indexes(transaction, type);
  void* shard = fold(group);
  admission_.begin(entity_, affinity_);
  for (std::size_t place = 0; place < type.sharded.size(); ++place) {
    if (type.sharded[place].admits_updates() && updates(group, place)) admission_.add(place);
  }
  if (admission_.is_needed()) shard = admit(group, shard);
  for (std::size_t place = 0; place < type.sharded.size(); ++place) {
    if (type.sharded[place].admits_updates() || is_neutral(type.sharded[place], shard)) continue;
    note_touched(place, group);
    note_in_index(place);
    stage_part(place, shard, instant);
  }
  for (const std::size_t place : admission_.changed()) {
    note_touched(place, group);
    note_in_index(place);
  }
  admission_.stage(writes_);
  if (has_tokens) put_tokens(transaction, group, now);
}

/// Called once for all updates of the class in the transaction. A program with a newer version of the class
/// may have built an index of a property that is updated here.
void ShardWriter::look_at_indexes(Transaction& transaction, const EntityType& type) {
  if (std::ranges::find(looked_at_, &type) != looked_at_.end()) return;
  if (!context_.indexes.note_write(transaction, type)) may_meet_at_index_ = true;
  looked_at_.push_back(&type);
}

/// If a token occurs several times, only the first update takes effect, and the others get its result.
void ShardWriter::leave_out_repeated(Transaction& transaction, Group group) {
  firsts_.clear();
  for_each_waiting(group, [&](Request& request) {
    if (!request.leaves_token()) return;
    const auto [first, is_first] = firsts_.try_emplace(request.token, &request);
    request.first = is_first ? nullptr : first->second;
    if (is_first) {
      key_.set_token(entity_.key, request.token);
      if (!transaction.get(key_, stored_)) return;
    }
    request.result = Request::Result::kRepeated;
  });
}

/// Writes the tokens in the transaction of their updates, so that a token counts if and only if its update
/// does.
void ShardWriter::put_tokens(Transaction& transaction, Group group, Now now) {
  std::optional<std::uint64_t> end;
  for_each_waiting(group, [&](const Request& request) {
    if (!request.leaves_token()) return;
    if (!end) {
      const std::optional<std::uint64_t> time = StoreClock::read(transaction);
      if (!time) {
        StagedWrites::Write& write = writes_.put();
        write.key = store_clock_key();
        StoreClock::encode(write.value, 0);
      }
      end = StoreClock::end(time.value_or(0), context_.options.token_lifetime);
    }
    StagedWrites::Write& write = writes_.put();
    write.key.set_token(entity_.key, request.token);
    encode_expiring(write.value, expires_after(context_.options.token_lifetime, now), end);
    context_.leaves_tokens.store(true, std::memory_order_relaxed);
  });
}

/// Returns the fold of the updates that the bounds admit, and marks the others as refused.
void* ShardWriter::admit(Group group, void* shard) {
  while (!try_to_admit(group)) {
  }
  if (std::none_of(group.begin(), group.end(), std::mem_fn(&Request::is_exceeded))) return shard;
  any_exceeded_ = true;
  return fold(group);
}

/// Returns false if a property has only now looked at all of its shards: the caller begins again.
bool ShardWriter::try_to_admit(Group group) {
  admission_.restart();
  for (Request* request : group) {
    if (request->is_exceeded()) reconsider(*request);
    if (!request->waits()) continue;
    const Admission::Answer answer = admission_.admit(request->shard);
    if (answer == Admission::Answer::kLookMore) return false;
    if (answer == Admission::Answer::kAdmitted) continue;
    request->error = admission_.why();
    request->result = Request::Result::kExceeded;
  }
  return true;
}

/// `now`: the instant of the updates.
Staging ShardWriter::staging(std::size_t place, Now now) {
  return {.entity = entity_,
          .place = place,
          .now = now,
          .affinity = affinity_,
          .folding = folding_,
          .traits = traits_,
          .would_shrink = would_shrink_,
          .writes = writes_,
          .scratch = stored_};
}

/// Stages the writes of one property.
void ShardWriter::stage_part(std::size_t place, void* shard, Now now) {
  const ShardedPropertyType& property = entity_.type->sharded[place];
  const Strategy& strategy = strategy_of(property);
  const void* part = property.in_shard(shard);
  Staging staging = this->staging(place, now);
  const bool leaves_compactable =
      replaces(property, shard) ? strategy.replace(staging, part) : strategy.stage(staging, part);
  if (leaves_compactable) compactable_.emplace_back(entity_.type, entity_.key);
}

void ShardWriter::note_in_index(std::size_t place) {
  const EntityIndex* index = ranked_index(*entity_.type, place);
  if (index && index->note_update(*entity_.transaction, entity_.key, writes_, stored_))
    may_meet_at_index_ = true;
}

/// Returns the index of the property; null without one.
const EntityIndex* ShardWriter::ranked_index(const EntityType& type, std::size_t place) {
  const IndexType* declared = type.sharded[place].ranked_by;
  if (declared == nullptr) return nullptr;
  const EntityIndex*& index = ranked_indexes_[declared];
  if (index == nullptr) index = &find_index(type, *declared);
  return index;
}

/// Folds the shards of the updates into one. Leaves out properties with bounds, which an escrow adds up:
/// their own type may have no room for a sum outside of the bounds. The requests' own shards do not change:
/// if a fold throws, each is attempted alone.
void* ShardWriter::fold(Group group) {
  if (group.size() == 1 && group.front()->waits()) return group.front()->shard;
  const EntityType& type = *group.front()->type;
  void* folded = folded_.make_neutral(type.shard);
  for_each_waiting(group, [&](const Request& request) {
    for (const ShardedPropertyType& property : type.sharded) {
      if (!property.admits_updates()) fold_part(property, folded, request.shard);
    }
  });
  for (const ShardedPropertyType& property : type.sharded) {
    AUTOSHARD_CHECK(property.admits_updates() || is_fold_of(property, folded, group),
                    {"key", group.front()->key}, {"property", property.name});
  }
  return folded;
}

}  // namespace autoshard::detail
