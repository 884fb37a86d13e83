#include "updates.h"

#include <autoshard/durability.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <exception>
#include <string>
#include <variant>
#include <vector>

#include "attempts.h"
#include "entity_errors.h"
#include "entity_expiry.h"
#include "keys.h"
#include "main_record.h"
#include "parts.h"
#include "room.h"
#include "shard_affinity.h"
#include "shard_writer.h"
#include "staged_writes.h"
#include "strategies.h"

namespace autoshard::detail {
namespace {

/// Marks a request that is committed later, by another thread: its attempts have not begun.
constexpr platform::Clock::time_point kNotBegun{};

/// Returns whether only the commit can decide if the update is possible.
bool may_exceed_bounds(const EntityType& type, void* shard) {
  return std::ranges::any_of(type.sharded, [&](const ShardedPropertyType& property) {
    return property.admits_updates() && !is_neutral(property, shard);
  });
}

/// Returns whether the store may have no room for the records of the update. `put_first` stages each part as
/// that of a new entity, and so in records of about the same size. An update of a large shard becomes a
/// delta; a bucket has no deltas.
bool may_lack_room(const StoreTraits& traits, const EntityType& type, EntityKeyView key, void* shard,
                   std::string_view token) {
  constexpr std::size_t kMoreOfAKey = 32;  // of a delta, and of a record of an index beside its name
  std::size_t more = kMoreOfAKey;
  StagedWrites writes;
  for (const ShardedPropertyType& property : type.sharded) {
    const bool is_integer = property.to_fold != nullptr;
    if (is_neutral(property, shard) || (is_integer && traits.longest_key == 0)) continue;
    if (!property.is_number && !strategy_of(property).may_leave_large_records()) return true;
    if (property.ranked_by) more = std::max(more, kMoreOfAKey + property.ranked_by->name.size());
    strategy_of(property).put_first(type, property, key, property.in_shard(shard), kBeforeAllTimes, writes);
  }
  std::size_t longest_key = writes.longest_key(0) + more;
  if (!token.empty()) longest_key = std::max(longest_key, token_key(key, token).size());
  return (traits.longest_key != 0 && longest_key > traits.longest_key) ||
         writes.bytes() > bytes_that_fit(traits);
}

}  // namespace

Updates::Updates(MapperContext& context, StoreClock& clock)
    : context_(context),
      traits_(context.store.traits()),
      clock_(clock),
      log_(std::make_shared<const AsyncRequest::Log>(context.options.log)) {
  if (context.options.combine || is_buffered()) combiner_.emplace(context);
}

void Updates::stop() {
  if (combiner_) combiner_->stop();
}

bool Updates::is_buffered() const {
  return std::holds_alternative<durability::buffered>(context_.options.durability);
}

void Updates::update(const EntityType& type, EntityKeyView key, const void* shard, std::uint64_t version,
                     std::string_view token, std::optional<Now> now) {
  Request request(type, key, shard, version, token, now);
  commit(request);
}

void Updates::commit(Request& request) {
  prepare(request);
  for (Attempts attempts(context_, "updating", request.key);; attempts.wait()) {
    combiner_ ? combiner_->commit(request) : commit_alone(request);
    if (request.result == Request::Result::kFailed) std::rethrow_exception(request.error);
    if (request.result == Request::Result::kCommitted) return;
    request.set_waiting();
  }
}

/// Prepares an update for its first attempt.
void Updates::prepare(const Request& request) {
  advance_clock(request.token);
  context_.indexes.note_update(*request.type);
  commit_earlier(*request.type, request.key);
}

/// Not inlined: a writer is large, and the callers of a combiner should touch little of their stacks, because
/// many of them take turns on a processor.
[[gnu::noinline]] void Updates::commit_alone(Request& request) {
  Request* alone = &request;
  ShardWriter(context_, affinity_of_thread()).commit({&alone, 1});
}

void Updates::update_together(std::span<Request* const> requests) {
  try {
    for (const Request* request : requests) prepare(*request);
  } catch (...) {
    for (Request* request : requests) request->fail(std::current_exception());
    return;
  }
  std::vector<Request*> waiting(requests.begin(), requests.end());
  ShardWriter writer(context_, affinity_of_thread());
  for (Attempts attempts(context_, "updating several entities", {}); !waiting.empty();) {
    writer.commit(waiting);
    std::erase_if(waiting,
                  [](const Request* request) { return request->result != Request::Result::kConflict; });
    if (waiting.empty()) break;
    try {
      attempts.wait();
    } catch (...) {
      for (Request* request : waiting) request->fail(std::current_exception());
      break;
    }
    for (Request* request : waiting) request->set_waiting();
  }
}

void Updates::apply(const EntityType& type, EntityKeyView key, void* shard, const std::string_view& token) {
  if (is_buffered()) return buffer(type, key, shard, token);
  Request request(type, key, shard, 0, token);
  commit(request);
}

/// Acknowledges the update before it is committed, unless only the commit can tell whether it is possible.
/// The version keeps a later entity of this id from counting the update.
void Updates::buffer(const EntityType& type, EntityKeyView key, void* shard, std::string_view token) {
  combiner_->throw_if_lost();
  if (may_exceed_bounds(type, shard) || may_lack_room(traits_, type, key, shard, token))
    return update(type, key, shard, 0, token);
  advance_clock(token);
  context_.indexes.note_update(type);
  const Now now = ask_clock(context_.options, type);
  std::string record;
  if (!get_main(*context_.store.begin(), type, key, now, record)) throw_not_found(key);
  if (is_neutral(type, shard)) return;
  const std::uint64_t version = read_version(key, record);
  // The commit of a replacement writes the main record, too.
  if (replaces(type, shard) && record.size() > bytes_that_fit(traits_) / 2)
    return update(type, key, shard, version, token, now);
  AsyncRequest* request = AsyncRequest::make(type, key, shard, log_, token);
  request->version = version;
  request->attempts.emplace(context_, "updating", request->key, kNotBegun);
  const InvalidateOnExit invalidation(context_, key);
  combiner_->buffer(*request);
}

Completion Updates::update_async(const EntityType& type, EntityKeyView key, void* shard,
                                 std::string_view token) {
  AsyncRequest* request = AsyncRequest::make(type, key, shard, log_, token);
  request->attempts.emplace(context_, "updating", request->key, kNotBegun);
  Completion completion(request);
  try {
    context_.indexes.note_update(type);
    if (combiner_) {
      advance_clock(token);
      combiner_->submit(*request);
      return completion;
    }
    update(type, key, request->shard, 0, token);
  } catch (...) {
    request->fail(std::current_exception());
  }
  request->complete();
  return completion;
}

/// If no maintenance thread runs, the calls that leave tokens advance the time of the store. After this
/// mapper has compacted buckets, all updates advance it.
void Updates::advance_clock(std::string_view token) noexcept {
  if (context_.options.compact_every.count() > 0) return;
  if (token.empty() && !context_.has_buckets.load(std::memory_order_relaxed)) return;
  try {
    clock_.advance_when_due();
  } catch (const std::exception&) {
    // The update will meet the same error.
  }
}

void Updates::flush() {
  if (!combiner_) return;
  combiner_->flush();
  combiner_->throw_if_lost();
}

void Updates::commit_buffered(EntityKeyView key) {
  if (is_buffered()) combiner_->flush(key);
}

void Updates::commit_earlier(const EntityType& type, EntityKeyView key) {
  if (is_buffered() && order_matters(type)) commit_buffered(key);
}

void Updates::settle(EntityKeyView key) {
  if (combiner_) combiner_->settle(key);
}

}  // namespace autoshard::detail
