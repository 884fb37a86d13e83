#include "shard_writer.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <memory>

#include "engine.h"
#include "keys.h"
#include "record.h"

namespace autoshard::detail {
namespace {

bool waits(const Request* request) { return request->result == Request::Result::kNone; }

template <class Requests, class Action>
void for_each_waiting(const Requests& requests, Action action) {
  for (Request* request : requests) {
    if (waits(request)) action(*request);
  }
}

}  // namespace

void ShardWriter::commit(std::span<Request*> requests) noexcept {
  try {
    // Two entities whose keys hash alike may get in each other's way here. Then one has several groups, which
    // is no harm: the second finds in the transaction what the first has put.
    std::sort(requests.begin(), requests.end(),
              [](const Request* one, const Request* other) { return one->hash < other->hash; });
    groups_.clear();
    for (std::size_t begin = 0, end = 0; begin < requests.size(); begin = end) {
      while (end < requests.size() && requests[end]->key == requests[begin]->key) ++end;
      groups_.push_back(requests.subspan(begin, end - begin));
    }
    commit_groups(groups_);
  } catch (...) {
    for_each_waiting(requests, [](Request& request) { request.fail(std::current_exception()); });
  }
}

/// Throws what befell the store, with all that have no result yet.
void ShardWriter::commit_groups(std::span<const Group> groups) {
  const std::unique_ptr<Transaction> transaction = store_.begin();
  records_used_ = 0;
  for (const Group& group : groups) put(*transaction, group);

  const CommitOutcome outcome = records_used_ == 0 ? CommitOutcome::kCommitted : commit(*transaction);
  if (outcome == CommitOutcome::kConflict && groups.size() > 1) {
    commit_groups(groups.first(groups.size() / 2));
    return commit_groups(groups.subspan(groups.size() / 2));
  }
  for (const Group& group : groups) {
    if (outcome == CommitOutcome::kUnknown) {
      const std::string message = unknown_outcome("updating " + describe(group.front()->key));
      if (options_.log) options_.log(message);
      const auto error = std::make_exception_ptr(OutcomeUnknown(message));
      for_each_waiting(group, [&](Request& request) { request.fail(error); });
    } else {
      for_each_waiting(group, [&](Request& request) {
        request.result =
            outcome == CommitOutcome::kCommitted ? Request::Result::kCommitted : Request::Result::kConflict;
      });
    }
  }
  if (outcome == CommitOutcome::kConflict) lane_.leave(groups.front().front()->type->sharded);
}

CommitOutcome ShardWriter::commit(Transaction& transaction) {
  const CommitOutcome outcome = transaction.commit();
  if (outcome == CommitOutcome::kCommitted) count(statistics_.commits);
  if (outcome == CommitOutcome::kConflict) count(statistics_.conflicts);
  return outcome;
}

/// Puts the updates of one entity into the transaction, those that fail excepted.
void ShardWriter::put(Transaction& transaction, Group group) {
  try {
    put_folded(transaction, group);
  } catch (...) {
    if (group.size() == 1) return group.front()->fail(std::current_exception());
    for (std::size_t i = 0; i < group.size(); ++i) put(transaction, group.subspan(i, 1));
  }
}

/// Puts all of it, or throws and puts nothing.
void ShardWriter::put_folded(Transaction& transaction, Group group) {
  if (std::none_of(group.begin(), group.end(), waits)) return;
  const EntityType& type = *group.front()->type;
  const std::string_view key = group.front()->key;
  set_main_key(main_key_, key);
  if (!transaction.get(main_key_, main_record_) || is_tombstone(main_record_)) throw_not_found(key);
  for_each_waiting(group, [&](const Request& request) {
    if (request.version != 0 && !same_entity(read_version(main_key_, main_record_), request.version))
      throw_not_found(key);
  });

  void* shard = fold(group);
  const std::size_t first = records_used_;
  try {
    for (const ShardedPropertyType& property : type.sharded) {
      const void* part = property.in_shard(shard);
      if (property.is_neutral(part)) continue;
      Record& record = next_record();
      set_shard_key(record.key, key, property.name, lane_.pick(property.shards));
      record.value = transaction.get(record.key, stored_) ? encode_shard(property, part, record.key, stored_)
                                                          : encode_shard(property, part);
    }
  } catch (...) {
    records_used_ = first;
    throw;
  }
  for (std::size_t i = first; i < records_used_; ++i) transaction.put(records_[i].key, records_[i].value);
}

/// Their shards as one. Theirs stay as they are: should this throw, each is tried alone.
void* ShardWriter::fold(Group group) {
  if (group.size() == 1) return group.front()->shard;
  const EntityType& type = *group.front()->type;
  void* folded = folded_.make_neutral(type.shard);
  for_each_waiting(group, [&](const Request& request) {
    for (const ShardedPropertyType& property : type.sharded)
      property.fold_value(property.in_shard(folded), property.in_shard(request.shard));
  });
  return folded;
}

ShardWriter::Record& ShardWriter::next_record() {
  if (records_used_ == records_.size()) records_.emplace_back();
  return records_[records_used_++];
}

}  // namespace autoshard::detail
