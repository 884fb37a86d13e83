#include "client.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <sstream>
#include <variant>

namespace autoshard::simulation {
namespace {

constexpr int kSaves = 3;  // of the same object, after errors that leave it as it was

void change(Ledger::Shard& shard, const Operation& operation) {
  if (operation.parts & kVote) shard.vote(operation.id);
  if (operation.parts & kLike) shard.like(operation.id);
  if (operation.parts & kView) shard.view(operation.id);
  if (operation.parts & kNote) shard.note(operation.id);
  if (operation.parts & kRewrite) shard.rewrite_notes(operation.id);
  if (operation.parts & kBook) shard.book(operation.id, operation.seats);
}

std::string words(const Operation& operation) {
  std::ostringstream out;
  out << operation;
  return out.str();
}

std::string words(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& exception) {
    return exception.what();
  } catch (...) {
    return "something";
  }
}

}  // namespace

void Client::run(const std::vector<Operation>& operations) {
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

void Client::run(const Operation& operation) {
  switch (operation.kind) {
    case Operation::kUpdate:
      return update(operation);
    case Operation::kUpdateAsync:
      return update_async(operation);
    case Operation::kHold:
    case Operation::kLoad:
      return load(operation);
    case Operation::kLoadCached:
      return load_cached(operation);
    case Operation::kSave:
      return save(operation);
    case Operation::kCreate:
      return create(operation);
    case Operation::kErase:
      return erase(operation);
    case Operation::kTransact:
      return transact(operation);
    case Operation::kCompact:
      attempt(operation, {}, [&] { mapper_.compact<Ledger>(operation.entity); });
      return;
    case Operation::kCompactAll:
      attempt(operation, {}, [&] {
        mapper_.refresh_indexes();
        mapper_.compact();
      });
      return;
    case Operation::kSetShards:
    case Operation::kIncreaseShards:
      return set_shards(operation);
    case Operation::kAdapt:
      if (options_.adaptive.window.count() > 0) return;
      mapper_.adapt(std::chrono::steady_clock::time_point(scheduler_.time()));
      return;
    case Operation::kFlush:
      return flush();
    case Operation::kPause:
      return scheduler_.sleep(operation.time);
  }
}

void Client::update(const Operation& operation) {
  const Number effect = history_.begin(History::kUpdate, operation, operation.entity);
  const bool is_buffered = std::holds_alternative<durability::buffered>(options_.durability);
  attempt(operation, {}, [&] {
    const History::Step begin = history_.step();
    try {
      mapper_.update<Ledger>(operation.entity, [&](auto& shard) { change(shard, operation); });
    } catch (...) {
      history_.end(effect, judge(operation, begin, std::current_exception(), effect));
      return;
    }
    history_.end(effect, is_buffered && !(operation.parts & kBook) ? History::kBuffered : History::kDone);
  });
}

void Client::update_async(const Operation& operation) {
  const Number effect = history_.begin(History::kUpdate, operation, operation.entity);
  const History::Step begin = history_.step();
  const auto apply = [&] {
    switch (operation.parts) {
      case kVote:
        return mapper_.apply_async<&Ledger::vote>(operation.entity, operation.id);
      case kLike:
        return mapper_.apply_async<&Ledger::like>(operation.entity, operation.id);
      case kView:
        return mapper_.apply_async<&Ledger::view>(operation.entity, operation.id);
      default:
        return mapper_.apply_async<&Ledger::book>(operation.entity, operation.id, operation.seats);
    }
  };
  Completion completion = apply();
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

void Client::settle(Number effect, const Operation& operation, History::Step begin,
                    const std::exception_ptr& error) {
  history_.end(effect, error ? judge(operation, begin, error, effect) : History::kDone);
}

void Client::load(const Operation& operation) {
  attempt(operation, {}, [&] {
    const History::Step begin = history_.step();
    std::optional<Ledger> ledger = mapper_.load<Ledger>(operation.entity);
    if (!ledger) return history_.check_absent(operation.entity, begin);
    history_.check_loaded(*ledger, begin, begin);
    if (operation.kind == Operation::kHold) held_ = std::move(ledger);
  });
}

void Client::load_cached(const Operation& operation) {
  attempt(operation, {}, [&] {
    const History::Step begin = history_.step();
    const History::Step others = std::min(begin, history_.step_at(scheduler_.time() - operation.time));
    const std::optional<Ledger> ledger = mapper_.load<Ledger>(operation.entity, cached(operation.time));
    if (!ledger) return history_.check_absent(operation.entity, begin);
    history_.check_loaded(*ledger, begin, others);
  });
}

void Client::save(const Operation& operation) {
  if (!held_) return;
  const Number saved = history_.begin(History::kSave, operation, held_->number());
  const Number updated = history_.begin(History::kUpdate, operation, held_->number());
  const History::Step begin = history_.step();
  history_.set_replaced(saved, held_->created(), held_->saved());
  held_->save_by(operation.id);
  held_->update([&](Ledger::Shard& shard) { change(shard, operation); });
  for (int saves = 1;; ++saves) {
    try {
      mapper_.save(*held_);
      return end({saved, updated}, History::kDone);
    } catch (const BoundExceeded&) {
      history_.check_exceeded(updated);
      history_.end(saved, History::kDone);
      history_.end(updated, History::kFailed);
    } catch (const StaleEntity&) {
      history_.end(saved, saves == 1 ? History::kFailed : History::kUnknown);
      history_.end(updated, History::kFailed);
    } catch (...) {
      const History::Outcome outcome = judge(operation, begin, std::current_exception());
      const bool leaves_it = outcome == History::kFailed;
      if (leaves_it && saves < kSaves && operation.number != 0) continue;
      history_.end(saved, History::kUnknown);
      history_.end(updated, outcome);
    }
    return held_.reset();
  }
}

void Client::create(const Operation& operation) {
  const Number created = history_.begin(History::kCreate, operation, operation.entity);
  Ledger ledger(operation.entity, operation.id, operation.seats);
  if (attempt(operation, {created}, [&] { mapper_.save(ledger); }) && operation.number % 2 == 0)
    held_ = std::move(ledger);
}

void Client::erase(const Operation& operation) {
  const Number erased = history_.begin(History::kErase, operation, operation.entity);
  const History::Step begin = history_.step();
  attempt(operation, {}, [&] {
    try {
      if (mapper_.erase<Ledger>(operation.entity)) return history_.end(erased, History::kDone);
    } catch (...) {
      return history_.end(erased, judge(operation, begin, std::current_exception()));
    }
    history_.check_absent(operation.entity, begin);
    history_.end(erased, History::kFailed);
  });
}

/// Creates, erases, saves or updates each entity. What was done of it, by its last call, is in `done`.
void Client::run_on(EntityTransaction& transaction, const Operation& operation, int entity,
                    const std::vector<Number>& effects, std::vector<Number>& done) {
  std::optional<Ledger> ledger = transaction.load<Ledger>(entity);
  if (!ledger) {
    if (operation.number % 2 == 0) return;
    transaction.save(Ledger(entity, operation.id, std::abs(operation.seats)));
    done.push_back(effects[History::kCreate]);
  } else if (operation.number == 5) {
    transaction.erase<Ledger>(entity);
    done.push_back(effects[History::kErase]);
  } else if (operation.number == 2) {
    transaction.update<Ledger>(entity, [&](auto& shard) { change(shard, operation); });
    done.push_back(effects[History::kUpdate]);
  } else {
    history_.set_replaced(effects[History::kSave], ledger->created(), ledger->saved());
    ledger->save_by(operation.id);
    ledger->update([&](Ledger::Shard& shard) { change(shard, operation); });
    transaction.save(*ledger);
    done.insert(done.end(), {effects[History::kSave], effects[History::kUpdate]});
  }
}

void Client::transact(const Operation& operation) {
  std::vector<int> entities = {operation.entity};
  if (operation.other_entity != operation.entity) entities.push_back(operation.other_entity);
  std::vector<std::vector<Number>> effects;
  for (const int entity : entities) {
    std::vector<Number>& its = effects.emplace_back();
    Operation creation = operation;
    creation.seats = std::abs(operation.seats);
    its.push_back(history_.begin(History::kCreate, creation, entity));
    its.push_back(history_.begin(History::kSave, operation, entity));
    its.push_back(history_.begin(History::kUpdate, operation, entity));
    its.push_back(history_.begin(History::kErase, operation, entity));
  }
  const History::Step begin = history_.step();
  std::vector<Number> done;
  History::Outcome outcome = History::kDone;
  try {
    mapper_.transact([&](EntityTransaction& transaction) {
      done.clear();
      for (std::size_t i = 0; i < entities.size(); ++i)
        run_on(transaction, operation, entities[i], effects[i], done);
    });
  } catch (...) {
    outcome = judge(operation, begin, std::current_exception());
  }
  for (const auto& its : effects) {
    for (const Number effect : its)
      history_.end(effect, std::count(done.begin(), done.end(), effect) > 0 ? outcome : History::kFailed);
  }
}

void Client::set_shards(const Operation& operation) {
  attempt(operation, {}, [&] {
    const auto set = [&](detail::ShardedName<Ledger> property, std::uint32_t shards) {
      operation.kind == Operation::kSetShards
          ? mapper_.set_shards<Ledger>(operation.entity, property, shards)
          : mapper_.increase_shards<Ledger>(operation.entity, property, shards);
    };
    switch (operation.parts % 7) {
      case 0:
        return set("votes", operation.number);
      case 1:
        return set("likes", operation.number);
      case 2:
        return set("views", operation.number);
      case 3:
        return set("notes", operation.number);
      case 4:
        return set("tally", operation.number);
      case 5:
        return set("noted", operation.number);
      default:
        return set("seats", std::max(operation.number, 1U));
    }
  });
}

void Client::flush() {
  const History::Step begin = history_.step();
  attempt({.kind = Operation::kFlush}, {}, [&] {
    mapper_.flush();
    history_.flushed(scheduler_.process(), begin);
  });
}

bool Client::attempt(const Operation& operation, std::initializer_list<Number> effects,
                     const std::function<void()>& action) {
  const History::Step begin = history_.step();
  try {
    action();
  } catch (...) {
    end(effects, judge(operation, begin, std::current_exception()));
    return false;
  }
  end(effects, History::kDone);
  return true;
}

void Client::end(std::initializer_list<Number> effects, History::Outcome outcome) {
  for (const Number effect : effects) history_.end(effect, outcome);
}

History::Outcome Client::judge(const Operation& operation, History::Step begin,
                               const std::exception_ptr& error, std::optional<Number> update) {
  bool may_be = true;
  History::Outcome outcome = History::kFailed;
  try {
    std::rethrow_exception(error);
  } catch (const NotFound&) {
    if (operation.kind == Operation::kSave) {
      history_.check_absent(held_->number(), begin, held_->created());
    } else if (operation.kind != Operation::kTransact) {
      history_.check_absent(operation.entity, begin);
    }
  } catch (const StaleEntity&) {
    may_be = operation.kind == Operation::kCreate || operation.kind == Operation::kTransact;
  } catch (const BoundExceeded&) {
    may_be = update && (operation.parts & kBook) != 0;
    if (may_be) history_.check_exceeded(*update);
  } catch (const UpdatesLost&) {
    history_.lost_buffered(scheduler_.process());
    may_be = faults_.any() || faults_.stall > 0 || options_.retry.max_attempts < RetryPolicy::kUnlimited;
  } catch (const OutcomeUnknown&) {
    may_be = faults_.unknown > 0 || operation.kind == Operation::kTransact;
    outcome = History::kUnknown;
  } catch (const Contention&) {
    may_be = faults_.any() || faults_.stall > 0 || options_.retry.max_attempts < RetryPolicy::kUnlimited;
  } catch (const StoreUnavailable&) {
    may_be = faults_.outage > 0;
  } catch (...) {
    may_be = false;
  }
  if (!may_be) scheduler_.fail("unexpected, of " + words(operation) + ": " + words(error));
  if (scheduler_.is_verbose()) scheduler_.trace("fails: #", operation.id, ": ", words(error));
  return outcome;
}

}  // namespace autoshard::simulation
