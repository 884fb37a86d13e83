#include "client.h"

#include <autoshard/admin.h>
#include <autoshard/errors.h>
#include <autoshard/query.h>

#include <algorithm>
#include <set>
#include <variant>

namespace autoshard::simulation {

template <class E>
void Client<E>::run(const std::vector<Operation>& operations) {
  for (const Operation& operation : operations) {
    if (scheduler_.is_verbose()) scheduler_.trace("begins ", words(operation));
    run(operation);
    scheduler_.trace("ends #", operation.id);
  }
  for (Flying& flying : flying_) {
    std::exception_ptr error;
    try {
      flying.completion.get();
    } catch (...) {
      error = std::current_exception();
    }
    settle(flying.effect, *flying.operation, flying.begin, error);
  }
}

template <class E>
void Client<E>::run(const Operation& operation) {
  switch (operation.kind) {
    case Operation::kUpdate:
      return update(operation);
    case Operation::kUpdateAsync:
      return update_async(operation);
    case Operation::kRepeat:
      return repeat();
    case Operation::kHold:
    case Operation::kLoad:
      return load(operation);
    case Operation::kLoadCached:
      return load_cached(operation);
    case Operation::kSave:
    case Operation::kSaveParts:
      return save(operation);
    case Operation::kHotSpots:
      return ask_for_hot_spots(operation);
    case Operation::kExport:
      return export_all(operation);
    case Operation::kImport:
      return import_one(operation);
    case Operation::kCreate:
      return create(operation);
    case Operation::kErase:
      return erase(operation);
    case Operation::kTransact:
      return transact(operation);
    case Operation::kCompact:
      attempt(operation, {}, [&] { admin::compact<E>(mapper_, operation.entity); });
      return;
    case Operation::kCompactAll:
      attempt(operation, {}, [&] {
        admin::refresh_indexes(mapper_);
        admin::compact(mapper_);
      });
      return;
    case Operation::kSetShards:
    case Operation::kIncreaseShards:
      return set_shards(operation);
    case Operation::kAdapt:
      if (options_.adaptive.window.count() > 0) return;
      conflicts_.note_window();
      admin::adapt(mapper_, std::chrono::steady_clock::time_point(scheduler_.time()));
      return;
    case Operation::kFlush:
      return flush();
    case Operation::kQuery:
      return query(operation);
    case Operation::kBuildIndexes:
      attempt(operation, {}, [&] { admin::build_indexes<E>(mapper_); });
      return;
    case Operation::kPause:
      return scheduler_.sleep(operation.time);
    case Operation::kEraseElement:
    case Operation::kReplaceElement:
      return change_element(operation);
  }
}

template <class E>
void Client<E>::write(int entity) {
  const Operation operation{.parts = 1};
  mapper_.erase<E>(entity);
  mapper_.save(make(entity, operation));
  mapper_.update<E>(entity, [&](auto& shard) { Use<E>::change(shard, operation); });
  mapper_.flush();
  if (!mapper_.erase<E>(entity)) throw NotFound("what has just been saved is not there");
}

template <class E>
void Client<E>::update(const Operation& operation) {
  const Number effect = history_.begin(History::kUpdate, operation, operation.entity);
  if (operation.has_token) last_with_token_ = {effect, &operation};
  update(operation, effect);
}

template <class E>
void Client<E>::update(const Operation& operation, Number effect) {
  const History::Step begin = history_.now();
  try {
    commit_update(operation);
  } catch (...) {
    return settle(effect, operation, begin, std::current_exception());
  }
  const bool is_buffered = std::holds_alternative<durability::buffered>(options_.durability) &&
                           (operation.parts & rules_.bounded) == 0;
  is_buffered ? history_.end(effect, History::kBuffered) : settle(effect, operation, begin, nullptr);
}

template <class E>
void Client<E>::commit_update(const Operation& operation) {
  const auto change = [&](auto& shard) { Use<E>::change(shard, operation); };
  if (operation.has_token) {
    std::string bytes = std::to_string(operation.id);
    if (operation.has_long_token) bytes.resize(kLongToken, '.');
    mapper_.update<E>(operation.entity, token(bytes), change);
  } else {
    mapper_.update<E>(operation.entity, change);
  }
}

/// What was acknowledged stays so, whatever becomes of the repetition.
template <class E>
void Client<E>::repeat() {
  if (!last_with_token_) return;
  const auto& [effect, operation] = *last_with_token_;
  if (history_.again(effect)) return update(*operation, effect);
  const History::Step begin = history_.now();
  attempt(*operation, {}, [&] {
    commit_update(*operation);
    history_.check_present(operation->id, operation->entity, begin);
  });
}

template <class E>
void Client<E>::update_async(const Operation& operation) {
  const Number effect = history_.begin(History::kUpdate, operation, operation.entity);
  const History::Step begin = history_.now();
  Completion completion;
  try {
    completion = Use<E>::apply_async(mapper_, operation);
  } catch (...) {
    return settle(effect, operation, begin, std::current_exception());
  }
  history_.submitted(effect);
  if (operation.number % 3 == 0) {
    std::exception_ptr error;
    try {
      completion.get();
    } catch (...) {
      error = std::current_exception();
    }
    settle(effect, operation, begin, error);
  } else if (operation.number % 3 == 1) {
    flying_.push_back({std::move(completion), effect, &operation, begin});
  } else {
    std::move(completion).then([this, effect, &operation, begin](const std::exception_ptr& error) {
      settle(effect, operation, begin, error);
    });
  }
}

template <class E>
void Client<E>::check(const E& entity, History::Step begin, History::Step others) {
  const View view = Use<E>::view(entity);
  if (const History::Effect* created = history_.check_loaded(view, begin, others))
    Use<E>::check(entity, history_, *created);
}

template <class E>
void Client<E>::load(const Operation& operation) {
  attempt(operation, {}, [&] {
    const History::Step begin = history_.now();
    std::optional<E> entity = mapper_.load<E>(operation.entity);
    if (!entity) return history_.check_absent(operation.entity, begin);
    check(*entity, begin, begin);
    if (operation.kind != Operation::kHold) return;
    held_ = std::move(entity);
    loaded_ = begin;
  });
}

template <class E>
void Client<E>::load_cached(const Operation& operation) {
  attempt(operation, {}, [&] {
    const History::Step begin = history_.now();
    const History::Step others = std::min(begin, history_.step_at(scheduler_.time() - operation.time));
    const std::optional<E> entity = mapper_.load<E>(operation.entity, cached(operation.time));
    if (!entity) return history_.check_absent(operation.entity, begin);
    check(*entity, begin, others);
  });
}

/// All entities, in the order of an index.
template <class E>
void Client<E>::query(const Operation& operation) {
  if constexpr (detail::Indexed<E> && Use<E>::kWorld == World::kAlbums) {
    attempt(operation, {}, [&] {
      const History::Step begin = history_.now();
      std::set<int> found;
      for (const E& entity : mapper_.query<E>(Fields<E>::shelf.between(0, 2))) {
        if (history_.imports.contains(entity.number())) continue;
        check(entity, begin, begin);
        found.insert(entity.number());
      }
      for (int entity = 0; entity < kEntities; ++entity) {
        if (!found.contains(entity)) history_.check_absent(entity, begin);
      }
    });
  }
}

template <class E>
void Client<E>::create(const Operation& operation) {
  if (operation.waits_for_end) wait_for_end(operation.entity);
  const Number created = history_.begin(History::kCreate, operation, operation.entity);
  E entity = make(operation.entity, operation);
  note_end(created, entity);
  const bool is_saved = attempt(operation, {created}, [&] { mapper_.save(entity); });
  if (!is_saved || operation.number % 2 != 0) return;
  held_ = std::move(entity);
  loaded_.reset();
}

template <class E>
void Client<E>::erase(const Operation& operation) {
  const Number erased = history_.begin(History::kErase, operation, operation.entity);
  const History::Step begin = history_.now();
  try {
    if (mapper_.erase<E>(operation.entity)) {
      history_.check_present(operation.id, operation.entity, begin);
      return history_.end(erased, History::kDone);
    }
  } catch (...) {
    return history_.end(erased, judge(operation, begin, std::current_exception()));
  }
  history_.check_absent(operation.entity, begin);
  history_.end(erased, History::kFailed);
}

template <class E>
void Client<E>::set_shards(const Operation& operation) {
  const History::Step begin = history_.now();
  attempt(operation, {}, [&] {
    Use<E>::set_shards(operation, [&](detail::ShardedName<E> property, std::uint32_t shards) {
      operation.kind == Operation::kSetShards
          ? admin::set_shards<E>(mapper_, operation.entity, property, shards)
          : admin::increase_shards<E>(mapper_, operation.entity, property, shards);
    });
    history_.check_present(operation.id, operation.entity, begin);
  });
}

std::unique_ptr<Actor> make_actor(int version, const Stage& stage) {
  switch (stage.plan.world) {
    case World::kAlbums:
      if (version == 1) return std::make_unique<Client<Album<1>>>(stage);
      return std::make_unique<Client<Album<2>>>(stage);
    case World::kPermits:
      if (version == 1) return std::make_unique<Client<Permit<1>>>(stage);
      return std::make_unique<Client<Permit<2>>>(stage);
    case World::kLedgers:
      break;
  }
  return std::make_unique<Client<Ledger>>(stage);
}

}  // namespace autoshard::simulation
