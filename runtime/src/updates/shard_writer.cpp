#include "shard_writer.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "check.h"
#include "elements.h"
#include "entity_errors.h"
#include "entity_expiry.h"
#include "entity_index.h"
#include "expiring_record.h"
#include "keys.h"
#include "layout.h"
#include "main_record.h"
#include "parts.h"
#include "room.h"
#include "shard_record.h"
#include "store_clock.h"

namespace autoshard::detail {
namespace {

bool is_exceeded(const Request* request) { return request->result == Request::Result::kExceeded; }

bool is_conflict(const Request* request) { return request->result == Request::Result::kConflict; }

bool is_repeated(const Request* request) { return request->result == Request::Result::kRepeated; }

bool leaves_token(const Request* request) { return !request->token.empty(); }

// For checks.

bool is_to_be_attempted(const Request* request) {
  return request->type && request->shard && request->waits() && !request->key.empty() &&
         request->hash == Request::hash_of(request->key);
}

bool has_result(const Request* request) {
  return !request->waits() && !is_exceeded(request) && !is_repeated(request) &&
         (request->error || request->result != Request::Result::kFailed);
}

/// Whether the folded shard has the sum, minimum or maximum of the numbers in those of the requests that
/// wait.
bool is_fold_of(const ShardedPropertyType& property, void* folded, std::span<Request* const> requests) {
  NumberFold whole;
  if (!property.to_fold || !property.to_fold(property.in_shard(folded), whole) || property.replaced)
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

/// An update that seems to be out of bounds, or counted already, gets another chance.
void reconsider(Request& request) {
  if (!is_exceeded(&request) && !is_repeated(&request)) return;
  request.error = nullptr;
  request.result = Request::Result::kNone;
}

/// Sets the result of a request whose transaction ended, after that of those before it.
void settle(Request& request, CommitOutcome outcome, const std::exception_ptr& unknown) {
  if (is_repeated(&request) && request.first) {
    request.error = request.first->error;
    request.result = request.first->result;
  } else if (is_exceeded(&request)) {
    // What was seen of the others is true only if it was validated.
    request.result =
        outcome == CommitOutcome::kCommitted ? Request::Result::kFailed : Request::Result::kConflict;
  } else if (request.waits() || is_repeated(&request)) {
    if (outcome == CommitOutcome::kUnknown) return request.fail(unknown);
    request.result =
        outcome == CommitOutcome::kCommitted ? Request::Result::kCommitted : Request::Result::kConflict;
  }
}

bool has_bounds(const EntityType& type) {
  return std::any_of(type.sharded.begin(), type.sharded.end(),
                     [](const ShardedPropertyType& property) { return property.bounds != nullptr; });
}

/// Whether an update has to ask the clock: it is of a class whose entities can expire, or leaves a token.
bool needs_clock(std::span<const std::span<Request* const>> groups) {
  const auto needs_it = [](const Request* request) {
    return (request->type->expires_at && !request->now) || leaves_token(request);
  };
  return std::any_of(groups.begin(), groups.end(), [&](std::span<Request* const> group) {
    return std::any_of(group.begin(), group.end(), needs_it);
  });
}

/// By which the entity of the updates is judged: the instant of the calls that they are parts of, the latest
/// if there are several, or else that of the attempt. If one of several updates fails by it, each is judged
/// alone.
Now instant_of(std::span<Request* const> group, Now attempt) {
  Now latest = kBeforeAllTimes;
  for (const Request* request : group) {
    if (!request->now) return attempt;
    latest.milliseconds = std::max(latest.milliseconds, request->now->milliseconds);
  }
  return latest;
}

template <class Requests, class Action>
void for_each_waiting(const Requests& requests, Action action) {
  for (Request* request : requests) {
    if (request->waits()) action(*request);
  }
}

}  // namespace

void ShardWriter::commit(std::span<Request*> requests) noexcept {
  AUTOSHARD_CHECK(std::all_of(requests.begin(), requests.end(), is_to_be_attempted));
  try {
    // Two entities whose keys hash alike may get in each other's way here. Then one has several groups, which
    // is no harm: the second finds in the transaction what the first has put.
    for (std::size_t i = 0; i < requests.size(); ++i) requests[i]->number = static_cast<std::uint32_t>(i);
    // NOLINTNEXTLINE(bugprone-nondeterministic-pointer-iteration-order): not by where they are
    std::sort(requests.begin(), requests.end(), [](const Request* one, const Request* other) {
      return one->hash != other->hash ? one->hash < other->hash : one->number < other->number;
    });
    groups_.clear();
    for (std::size_t begin = 0, end = 0; begin < requests.size(); begin = end) {
      while (end < requests.size() && requests[end]->key == requests[begin]->key) ++end;
      groups_.push_back(requests.subspan(begin, end - begin));
    }
    commit_groups(groups_);
  } catch (...) {
    for (Request* request : requests) {
      if (request->waits() || is_exceeded(request) || is_repeated(request))
        request->fail(std::current_exception());
    }
  }
  AUTOSHARD_CHECK(std::all_of(requests.begin(), requests.end(), has_result));
}

/// Makes one attempt for each group, in as few transactions as have room for them. Throws what befell the
/// store, with all requests that have no result yet.
void ShardWriter::commit_groups(std::span<const Group> groups) {
  while (!groups.empty()) {
    std::optional<std::string> too_large;
    CommitOutcome outcome = CommitOutcome::kConflict;
    try {
      outcome = attempt(groups, true);
      if (outcome == CommitOutcome::kNotFolded) outcome = attempt(groups, false);
    } catch (const CommitTooLarge& error) {
      too_large = error.what();
    }
    const std::span<const Group> attempted = groups.first(attempted_);
    groups = groups.subspan(attempted_);
    if (attempted.size() > 1 && (too_large || outcome == CommitOutcome::kConflict)) {
      commit_groups(attempted.first(attempted.size() / 2));
      commit_groups(attempted.subspan(attempted.size() / 2));
    } else if (too_large) {
      commit_parts(attempted.front(), *too_large);
    } else {
      settle(attempted, outcome);
    }
  }
}

/// Commits the halves of a group that is too large for one transaction, one after the other. They stay in
/// their order: if an update of the first half has to be tried again, so have those of the second.
void ShardWriter::commit_parts(Group group, const std::string& too_large) {
  if (group.size() == 1) {
    return group.front()->fail(std::make_exception_ptr(
        CommitTooLarge("updating " + describe(group.front()->key) + ": " + too_large)));
  }
  const Group first = group.first(group.size() / 2), second = group.subspan(group.size() / 2);
  commit_groups({&first, 1});
  if (std::none_of(first.begin(), first.end(), is_conflict)) return commit_groups({&second, 1});
  for (Request* request : second) detail::settle(*request, CommitOutcome::kConflict, nullptr);
}

/// Tells those whose transaction has ended.
void ShardWriter::settle(std::span<const Group> groups, CommitOutcome outcome) {
  for (const Group& group : groups) {
    std::exception_ptr unknown;
    if (outcome == CommitOutcome::kUnknown)
      unknown = std::make_exception_ptr(OutcomeUnknown(unknown_outcome(group)));
    for (Request* request : group) detail::settle(*request, outcome, unknown);
  }
  // What is thrown from here on is not told as if nothing were committed: nobody waits for a result any more.
  if (outcome == CommitOutcome::kConflict) {
    if (!may_meet_at_index_) lane_.leave(entity_.head.layouts);
  } else {
    for (const Group& group : groups) context_.note_change(group.front()->key);
    for (const auto& [type, key] : loose_) context_.loose.note(*type, key);
  }
  record_usage(outcome);
  if (outcome == CommitOutcome::kUnknown && context_.options.log) {
    for (const Group& group : groups) context_.options.log(unknown_outcome(group));
  }
}

/// One transaction of as many groups from the first on as it has room for, which `attempted_` tells. `folds`:
/// the store may fold; without, only the properties' own folds do. Throws `CommitTooLarge` also for several
/// updates of one entity that make more than a commit should.
CommitOutcome ShardWriter::attempt(std::span<const Group> groups, bool folds) {
  Writers::Borrowed writer(context_.writers);
  const std::unique_ptr<Transaction> transaction = context_.store.begin();
  writes_.shrink(0);
  touched_.clear();
  loose_.clear();
  looked_at_.clear();
  any_exceeded_ = may_meet_at_index_ = false;
  folds_ = folds;
  lane_.begin();
  const Now now = ask_clock_for(groups);
  if (traits_.prefetches) prefetch(*transaction, groups, writer.mark_key(), now);
  attempted_ = 0;
  for (Room room(traits_, groups.size()); room.is_left();) {
    const Group& group = groups[attempted_++];
    AUTOSHARD_CHECK(!group.empty() && std::all_of(group.begin(), group.end(), [&](const Request* request) {
      return request->key == group.front()->key;
    }));
    const std::size_t first = writes_.size();
    put(*transaction, group, now);
    if (group.size() > 1 && writes_.divisible_bytes(first) > most_bytes(traits_))
      throw CommitTooLarge("several updates of one entity");
    room.take(writes_.bytes(first));
  }
  const bool is_empty = writes_.size() == 0 && !any_exceeded_;
  if (is_empty) return CommitOutcome::kCommitted;
  const CommitOutcome outcome = writer.commit(*transaction);
  if (outcome == CommitOutcome::kCommitted) count(context_.commits);
  if (outcome == CommitOutcome::kConflict) count(context_.conflicts);
  return outcome;
}

/// Where the application's clock throws, updates that need it fail, and the others do not.
Now ShardWriter::ask_clock_for(std::span<const Group> groups) {
  clock_error_ = nullptr;
  try {
    if (needs_clock(groups)) return ask_clock(context_.options);
  } catch (...) {
    clock_error_ = std::current_exception();
  }
  return kBeforeAllTimes;
}

std::string ShardWriter::unknown_outcome(Group group) {
  return detail::unknown_outcome("updating " + describe(group.front()->key));
}

void ShardWriter::note_touched(std::size_t place, Group group) {
  const auto property =
      adaptive_property(*entity_.type, place, entity_.key, entity_.head.layouts[place].shards, writer_);
  if (!property) return;
  Touched touched{*property};
  for_each_waiting(group, [&](const Request& request) {
    ++touched.updates;
    touched.retries += request.is_retry;
  });
  touched_.push_back(touched);
}

/// A conflict is that of one entity: after a conflict of several, each gets a transaction of its own.
void ShardWriter::record_usage(CommitOutcome outcome) {
  for (const Touched& touched : touched_) {
    if (outcome == CommitOutcome::kCommitted) context_.usage.put(touched.property, touched.updates);
    if (outcome == CommitOutcome::kConflict && !may_meet_at_index_) context_.usage.conflict(touched.property);
    if (touched.retries > 0) context_.usage.retry(touched.property, touched.retries);
  }
}

/// Puts the updates of one entity into the transaction, those that fail excepted. After an exception the
/// transaction must not be committed, for part of what belongs together may be missing.
void ShardWriter::put(Transaction& transaction, Group group, Now now) {
  const std::size_t first = writes_.size(), first_touched = touched_.size();
  std::exception_ptr error;
  if (clock_error_ && needs_clock({&group, 1})) error = clock_error_;
  try {
    if (!error) stage(transaction, group, now);
    if (!error) error = too_long(group, writes_.longest_key(first));
  } catch (const StoreUnavailable&) {
    throw;  // to ask it again for each of the others could take as long every time
  } catch (...) {
    error = std::current_exception();
  }
  if (!error) return writes_.write(first, transaction);
  writes_.shrink(first);
  touched_.resize(first_touched);
  if (group.size() == 1) return group.front()->fail(error);
  for (std::size_t i = 0; i < group.size(); ++i) put(transaction, group.subspan(i, 1), now);
}

/// The error if the store has no room for a key of that size. It would say so itself, in the middle of what
/// belongs together.
std::exception_ptr ShardWriter::too_long(Group group, std::size_t key) const {
  if (traits_.longest_key == 0 || key <= traits_.longest_key) return nullptr;
  return std::make_exception_ptr(KeyTooLong("updating " + describe(group.front()->key) + " takes a key of " +
                                            std::to_string(key) + " bytes, and the store's have " +
                                            std::to_string(traits_.longest_key) +
                                            " at most: choose shorter ids and tokens"));
}

void ShardWriter::stage(Transaction& transaction, Group group, Now now) {
  for (Request* request : group) reconsider(*request);
  if (std::none_of(group.begin(), group.end(), std::mem_fn(&Request::waits))) return;
  const EntityType& type = *group.front()->type;
  entity_.read(context_.store, instant_of(group, now), transaction, type, group.front()->key);
  for_each_waiting(group, [&](Request& request) {
    if (request.version == 0) request.version = entity_.head.version;  // for further attempts
    if (!same_entity(entity_.head.version, request.version)) throw_not_found(entity_.key);
  });

  const bool has_tokens = std::any_of(group.begin(), group.end(), leaves_token);
  if (has_tokens) leave_out_repeated(transaction, group);
  if (std::none_of(group.begin(), group.end(), std::mem_fn(&Request::waits))) return;
  if (context_.indexes.are_read_by_updates()) look_at_indexes(transaction, type);
  void* shard = fold(group);
  escrows_used_ = 0;
  if (has_bounds(type)) shard = admit(group, shard);
  for (std::size_t place = 0; place < type.sharded.size(); ++place) {
    if (type.sharded[place].bounds || is_neutral(type.sharded[place], shard)) continue;
    note_touched(place, group);
    note_dirty(place);
    put_part(place, shard);
  }
  for (std::size_t i = 0; i < escrows_used_; ++i) {
    if (!escrows_[i]->has_admitted()) continue;  // what is refused needs validating, and no more
    note_touched(escrows_[i]->place(), group);
    note_dirty(escrows_[i]->place());
    escrows_[i]->put(writes_);
  }
  if (has_tokens) put_tokens(transaction, group, now);
}

/// Once for all updates of the class in the transaction. A program with a newer version of the class may have
/// built an index of a property that is updated here.
void ShardWriter::look_at_indexes(Transaction& transaction, const EntityType& type) {
  if (std::ranges::find(looked_at_, &type) != looked_at_.end()) return;
  if (!context_.indexes.note_write(transaction, type)) may_meet_at_index_ = true;
  looked_at_.push_back(&type);
}

/// Where a token comes several times, the first has its effect, and the others share its fate.
void ShardWriter::leave_out_repeated(Transaction& transaction, Group group) {
  firsts_.clear();
  for_each_waiting(group, [&](Request& request) {
    if (request.token.empty()) return;
    const auto [first, is_first] = firsts_.try_emplace(request.token, &request);
    request.first = is_first ? nullptr : first->second;
    if (is_first) {
      set_token_key(token_key_, entity_.key, request.token);
      if (!transaction.get(token_key_, stored_)) return;
    }
    request.result = Request::Result::kRepeated;
  });
}

/// So that the token counts if and when the update does.
void ShardWriter::put_tokens(Transaction& transaction, Group group, Now now) {
  std::optional<std::uint64_t> end;
  for_each_waiting(group, [&](const Request& request) {
    if (request.token.empty()) return;
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
    set_token_key(write.key, entity_.key, request.token);
    encode_expiring(write.value, expires_after(context_.options.token_lifetime, now), end);
    context_.leaves_tokens.store(true, std::memory_order_relaxed);
  });
}

/// What the updates amount to for which bounds leave room; the others are marked.
void* ShardWriter::admit(Group group, void* shard) {
  const EntityType& type = *entity_.type;
  for (std::size_t place = 0; place < type.sharded.size(); ++place) {
    if (!type.sharded[place].bounds || !updates(group, place)) continue;
    if (escrows_used_ == escrows_.size()) escrows_.push_back(std::make_unique<Escrow>());
    Escrow& escrow = *escrows_[escrows_used_++];
    escrow.begin(entity_, place, lane_.pick(entity_.head.layouts[place].shards));
  }
  while (!try_to_admit(group)) {
  }
  if (std::none_of(group.begin(), group.end(), is_exceeded)) return shard;
  any_exceeded_ = true;
  return fold(group);
}

/// False if it has to be begun again, now that a property has looked at all of its shards.
bool ShardWriter::try_to_admit(Group group) {
  const std::span<const std::unique_ptr<Escrow>> escrows(escrows_.data(), escrows_used_);
  for (const auto& escrow : escrows) escrow->restart();
  for (Request* request : group) {
    if (is_exceeded(request)) reconsider(*request);
    if (!request->waits()) continue;
    const auto full = std::find_if(escrows.begin(), escrows.end(),
                                   [&](const auto& escrow) { return !escrow->has_room(request->shard); });
    if (full == escrows.end()) {
      for (const auto& escrow : escrows) escrow->admit(request->shard);
    } else if ((*full)->looks_at_all()) {
      request->error = (*full)->exceeded();
      request->result = Request::Result::kExceeded;
    } else {
      (*full)->look_at_all();
      return false;
    }
  }
  return true;
}

/// Puts what is to be written of one property.
void ShardWriter::put_part(std::size_t place, void* shard) {
  const ShardedPropertyType& property = entity_.type->sharded[place];
  const void* part = property.in_shard(shard);
  if (replaces(property, shard)) return replace(place, part);
  const Layout& layout = entity_.head.layouts[place];
  if (property.is_group()) return put_elements(*entity_.type, property, entity_.key, layout, part, writes_);
  if (put_fold(property, layout, part)) return;
  StagedWrites::Write& write = writes_.put();
  if (layout.shards == 0) {
    loose_.emplace_back(entity_.type, entity_.key);
    set_delta_key(write.key, entity_.key, property.name);
    return encode_shard(write.value, property, part, layout.epoch);
  }
  set_shard_key(write.key, entity_.key, property.name, lane_.pick(layout.shards));
  if (entity_.transaction->get(write.key, stored_)) {
    encode_folded_shard(write.value, property, part, layout.epoch, write.key, stored_);
  } else {
    encode_shard(write.value, property, part, layout.epoch);
  }
}

/// Where the number of shards follows the conflicts that updates meet, they have to meet them.
bool ShardWriter::is_folded_by_store(const ShardedPropertyType& property) const {
  return folds_ && property.to_fold != nullptr && traits_.folds(property.known_fold) &&
         property.shards.kind != Shards::Kind::kAdaptive;
}

/// False if the store cannot do it.
bool ShardWriter::put_fold(const ShardedPropertyType& property, const Layout& layout, const void* part) {
  NumberFold fold;
  if (layout.shards == 0 || !is_folded_by_store(property) || !property.to_fold(part, fold)) return false;
  StagedWrites::Write& write = writes_.fold();
  set_shard_key(write.key, entity_.key, property.name, lane_.pick(layout.shards));
  fold.size = encode_tail(write.value, layout.epoch);
  write.fold = fold;
  return true;
}

/// So that no query takes the entry in the property's ranked index for right. While the entity is dirty,
/// updates only read the note, and do not meet each other.
void ShardWriter::note_dirty(std::size_t place) {
  if (entity_.type->sharded[place].ranked_by == nullptr) return;
  StagedWrites::Write& write = writes_.put();
  set_dirty_key(write.key, *entity_.type, place, entity_.key);
  if (entity_.transaction->get(write.key, stored_) && stored_ == kNoteOfUpdate)
    return writes_.shrink(writes_.size() - 1);
  write.value = kNoteOfUpdate;
  may_meet_at_index_ = true;
}

void ShardWriter::set_dirty_key(std::string& key, const EntityType& type, std::size_t place,
                                std::string_view entity) {
  const IndexType* declared = type.sharded[place].ranked_by;
  const auto [index, is_new] = noted_indexes_.try_emplace(declared);
  if (is_new) index->second = &find_index(type, *declared);
  key = index->second->note_prefix();
  key += id_in(entity);
}

/// A new epoch voids whatever was written before, and whatever somebody may be about to write.
void ShardWriter::replace(std::size_t place, const void* value) {
  const ShardedPropertyType& property = entity_.type->sharded[place];
  Layout layout = entity_.head.layouts[place];
  ++layout.epoch;
  entity_.set_layout(place, layout, writes_);
  if (layout.shards == 0) loose_.emplace_back(entity_.type, entity_.key);
  const std::uint16_t picked = layout.shards == 0 ? std::uint16_t{0} : lane_.pick(layout.shards);
  for (std::uint32_t shard = 0; shard < std::max(layout.shards, 1U); ++shard) {
    StagedWrites::Write& write = shard == picked ? writes_.put() : writes_.erase();
    set_shard_key(write.key, entity_.key, property.name, static_cast<std::uint16_t>(shard));
    if (shard == picked) encode_shard(write.value, property, value, layout.epoch);
  }
}

/// Their shards as one, but for properties with bounds, which an escrow adds up: their own type may have no
/// room for what is not within the bounds. Theirs stay as they are: should this throw, each is tried alone.
void* ShardWriter::fold(Group group) {
  if (group.size() == 1 && group.front()->waits()) return group.front()->shard;
  const EntityType& type = *group.front()->type;
  void* folded = folded_.make_neutral(type.shard);
  for_each_waiting(group, [&](const Request& request) {
    for (const ShardedPropertyType& property : type.sharded) {
      if (!property.bounds) fold_part(property, folded, request.shard);
    }
  });
  for (const ShardedPropertyType& property : type.sharded) {
    AUTOSHARD_CHECK(property.bounds || is_fold_of(property, folded, group), {"key", group.front()->key},
                    {"property", property.name});
  }
  return folded;
}

}  // namespace autoshard::detail
