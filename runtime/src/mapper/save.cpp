/// Saves entities: main records, then their updates.

#include <autoshard/detail/hooks.h>
#include <autoshard/errors.h>

#include <algorithm>
#include <deque>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "attempts.h"
#include "check.h"
#include "entity_expiry.h"
#include "erase_entity.h"
#include "keys.h"
#include "mapper_core.h"
#include "parts.h"
#include "room.h"
#include "write_entity.h"

namespace autoshard::detail {
namespace {

/// Must be called before the main record is written. Nothing of an earlier entity of this id may count in a
/// new one. A buffered replacement is committed with the main record, for which it has room as it is now.
void make_ready(MapperCore& core, const EntityRef& entity, Now now) {
  if (*entity.version != 0) return core.updates.commit_earlier(entity.type, entity.key);
  core.updates.settle(entity.key);
  remove_if_expired(core.context, entity.type, entity.key, now);
}

void save_one(MapperCore& core, const EntityRef& entity, Now now) {
  const InvalidateOnExit invalidation(core.context, entity.key);
  const bool is_new = *entity.version == 0;
  make_ready(core, entity, now);
  std::uint64_t version = 0;
  const bool is_written =
      commit_retried(core.context, is_new ? "creating" : "saving", entity.key, [&](Transaction& transaction) {
        version = put_entity(core.context, transaction, entity, now).version;
        return version != *entity.version;
      });
  if (is_written) note_written(core.context, entity, version);
  if (is_neutral(entity.type, entity.pending)) return;
  core.updates.update(entity.type, entity.key, entity.pending, *entity.version, {}, now);
  make_neutral(entity.type, entity.pending);
}

/// Returns how many of the first entities are different ones, up to one batch.
std::size_t first_batch(std::span<const EntityRef> entities) {
  std::unordered_set<EntityKeyView> keys;
  while (keys.size() < std::min(entities.size(), kEntitiesAtOnce) &&
         keys.insert(entities[keys.size()].key).second) {
  }
  return keys.size();
}

/// Saves many entities. An entity that cannot be saved does not affect the others.
class BatchSave {
 public:
  BatchSave(MapperCore& core, std::span<const EntityRef> entities)
      : core_(core), all_(entities), now_(ask_clock(core.context.options)) {}

  /// Returns the entities that are not saved, or not with all their updates.
  std::vector<BatchFailed::Failure> run() {
    for (std::span<const EntityRef> left = all_; !left.empty();) {
      const std::size_t size = first_batch(left);
      AUTOSHARD_CHECK(size > 0 && size <= left.size(), {"size", size});
      save(left.first(size));
      left = left.subspan(size);
    }
    return std::move(failures_);
  }

 private:
  void fail(const EntityRef& entity, const std::exception_ptr& error) {
    failures_.push_back({static_cast<std::size_t>(&entity - all_.data()), error});
    try {
      std::rethrow_exception(error);
    } catch (const StoreUnavailable&) {
      unavailable_ = error;
    } catch (...) {
    }
  }

  /// Saves entities. If they cannot be committed together, for any reason, they are halved until each failing
  /// entity is alone.
  void save(std::span<const EntityRef> entities) {
    if (unavailable_) {
      for (const EntityRef& entity : entities) fail(entity, unavailable_);
      return;
    }
    if (entities.size() == 1) return save_alone(entities.front());
    std::deque<InvalidateOnExit> invalidation;
    for (const EntityRef& entity : entities) invalidation.emplace_back(core_.context, entity.key);
    std::size_t put = 0;
    bool are_saved = false, is_unknown = false;
    try {
      are_saved = save_together(entities, put);
    } catch (const OutcomeUnknown&) {
      is_unknown = put > 0;
      for (const EntityRef& entity : entities.first(put)) fail(entity, std::current_exception());
    } catch (...) {
      // The error and its entity become known when each entity is alone.
    }
    if (are_saved) {
      update(entities.first(put));
    } else if (!is_unknown) {
      put = entities.size() / 2;
      save(entities.first(put));
    }
    if (put < entities.size()) save(entities.subspan(put));
  }

  void save_alone(const EntityRef& entity) {
    try {
      save_one(core_, entity, now_);
    } catch (...) {
      fail(entity, std::current_exception());
    }
  }

  /// Saves the main records and first values of the first entities, as many as one commit has room for; `put`
  /// returns their number. Returns false if nothing is written.
  bool save_together(std::span<const EntityRef> entities, std::size_t& put) {
    std::vector<EntityKey> keys;
    for (const EntityRef& entity : entities) {
      make_ready(core_, entity, now_);
      keys.push_back(entity.key);
    }
    const std::unique_ptr<Transaction> transaction = core_.context.store.begin();
    prefetch_mains(core_.context, *transaction, entities.front().type, keys);
    std::vector<std::uint64_t> versions;
    bool any_changed = false;
    for (Room room(core_.context.store.traits(), entities.size()); room.is_left();) {
      const EntityRef& entity = entities[put];
      const auto [version, bytes] = put_entity(core_.context, *transaction, entity, now_);
      versions.push_back(version);
      ++put;
      any_changed = any_changed || version != *entity.version;
      room.take(bytes);
    }
    AUTOSHARD_CHECK(put > 0 && put == versions.size() && put <= entities.size(), {"put", put},
                    {"entities", entities.size()});
    if (any_changed && !commit_once(core_.context, *transaction, "saving several entities")) return false;
    for (std::size_t i = 0; i < versions.size(); ++i) {
      if (versions[i] != *entities[i].version) note_written(core_.context, entities[i], versions[i]);
    }
    return true;
  }

  /// Commits the updates of entities whose main records are saved.
  void update(std::span<const EntityRef> entities) {
    std::deque<Request> requests;
    std::vector<Request*> all;
    std::vector<const EntityRef*> updated;
    for (const EntityRef& entity : entities) {
      try {
        if (is_neutral(entity.type, entity.pending)) continue;
      } catch (...) {  // of a codec
        fail(entity, std::current_exception());
        continue;
      }
      updated.push_back(&entity);
      all.push_back(
          &requests.emplace_back(entity.type, entity.key, entity.pending, *entity.version, "", now_));
    }
    core_.updates.update_together(all);
    for (std::size_t i = 0; i < updated.size(); ++i) {
      if (requests[i].result == Request::Result::kFailed) {
        fail(*updated[i], requests[i].error);
      } else {
        make_neutral(updated[i]->type, updated[i]->pending);
      }
    }
  }

  MapperCore& core_;
  const std::span<const EntityRef> all_;
  const Now now_;
  std::vector<BatchFailed::Failure> failures_{};
  std::exception_ptr unavailable_{};  // an error of the store; nothing is attempted after it
};

/// Undoes the hooks of the entities that are not saved. An object may be given twice: then the values from
/// before its first hook are the ones to restore.
void undo_hooks_of(std::span<const EntityRef> entities, const std::vector<BatchFailed::Failure>& failures) {
  std::unordered_map<const void*, const EntityRef*> first;
  for (const EntityRef& entity : entities) first.try_emplace(entity.entity, &entity);
  for (const BatchFailed::Failure& failure : failures) undo_hooks(*first.at(entities[failure.place].entity));
}

/// Saves the entities. Returns those that are not saved, or not with all their updates.
std::vector<BatchFailed::Failure> save_or_undo(MapperCore& core, std::span<const EntityRef> entities) {
  try {
    std::vector<BatchFailed::Failure> failures = BatchSave(core, entities).run();
    if (!failures.empty()) undo_hooks_of(entities, failures);
    return failures;
  } catch (...) {
    for (std::size_t left = entities.size(); left > 0; --left) undo_hooks(entities[left - 1]);
    throw;
  }
}

}  // namespace

void save(MapperCore& core, const EntityRef& entity) try {
  save_one(core, entity, ask_clock(core.context.options, entity.type));
} catch (...) {
  undo_hooks(entity);
  throw;
}

void save(MapperCore& core, const std::vector<EntityRef>& entities, const std::vector<std::size_t>& places) {
  std::vector<BatchFailed::Failure> failures = save_or_undo(core, entities);
  if (failures.empty()) return;
  std::string message = std::to_string(failures.size()) + " of " + std::to_string(entities.size()) +
                        " entities could not be saved, and all others are saved; the first error: ";
  try {
    std::rethrow_exception(failures.front().error);
  } catch (const std::exception& error) {
    message += error.what();
  } catch (...) {
    message += describe(entities[failures.front().place].key);
  }
  for (BatchFailed::Failure& failure : failures) failure.place = places[failure.place];
  throw BatchFailed(message, std::move(failures));
}

}  // namespace autoshard::detail
