/// Transactions of a client.
#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "client.h"

namespace autoshard::simulation {

namespace {

Operation creation_of(Operation operation) {
  operation.amount = std::abs(operation.amount);
  return operation;
}

/// An entity that has ended in a transaction is followed by no other there.
template <class E>
void expect_no_other(EntityTransaction& transaction, const E& other) {
  try {
    transaction.save(other);
  } catch (const StaleEntity&) {
    return;
  }
  throw std::logic_error("a transaction has two entities of one id");
}

}  // namespace

/// Creates, erases, saves or updates each entity. The effects of calls that have returned are added to
/// `done`.
template <class E>
void Client<E>::run_on(EntityTransaction& transaction, const Operation& operation, int entity,
                       const std::vector<Number>& effects, std::vector<Number>& done) {
  const auto create = [&] {
    const E created = make(entity, creation_of(operation));
    note_end(effects[History::kCreate], created);
    transaction.save(created);
    done.push_back(effects[History::kCreate]);
  };
  if (operation.waits_for_end) {
    create();
    if (operation.amount < 0) expect_no_other(transaction, make(entity, creation_of(operation)));
    return;
  }
  std::optional<E> loaded = transaction.load<E>(entity);
  if (!loaded) {
    if (operation.number % 2 != 0) create();
  } else if (operation.number == 5) {
    if (!transaction.erase<E>(entity)) return;
    done.push_back(effects[History::kErase]);
    if (operation.amount < 0) expect_no_other(transaction, make(entity, creation_of(operation)));
  } else if (operation.number == 2) {
    transaction.update<E>(entity, [&](auto& shard) { Use<E>::change(shard, operation); });
    done.push_back(effects[History::kUpdate]);
  } else {
    history_.set_replaced(effects[History::kSave], loaded->created(), loaded->saved());
    loaded->save_by(operation);
    loaded->update([&](auto& shard) { Use<E>::change(shard, operation); });
    transaction.save(*loaded);
    done.insert(done.end(), {effects[History::kSave], effects[History::kUpdate]});
  }
}

template <class E>
void Client<E>::transact(const Operation& operation) {
  if (operation.waits_for_end) wait_for_end(operation.entity);
  std::vector<int> entities = {operation.entity};
  if (operation.other_entity != operation.entity && !operation.waits_for_end)
    entities.push_back(operation.other_entity);
  std::vector<std::vector<Number>> effects;
  for (const int entity : entities) {
    std::vector<Number>& its = effects.emplace_back();
    its.push_back(history_.begin(History::kCreate, creation_of(operation), entity));
    its.push_back(history_.begin(History::kSave, operation, entity));
    its.push_back(history_.begin(History::kUpdate, operation, entity));
    its.push_back(history_.begin(History::kErase, operation, entity));
  }
  const History::Step begin = history_.now();
  std::vector<Number> done;
  History::Outcome outcome = History::kDone;
  try {
    mapper_.transact([&](EntityTransaction& transaction) {
      done.clear();
      for (std::size_t i = 0; i < entities.size(); ++i) {
        const auto run = [&] { run_on(transaction, operation, entities[i], effects[i], done); };
        try {
          run();
        } catch (const StoreUnavailable&) {
          if (!operation.catches) throw;
          scheduler_.sleep(std::chrono::seconds(3));  // no outage lasts longer
          run();
        } catch (const UserError&) {
          if (!operation.catches) throw;
        } catch (const OddError&) {
          if (!operation.catches) throw;
        }
      }
      user_code("a transaction");
    });
  } catch (...) {
    outcome = judge(operation, begin, std::current_exception());
  }
  const auto is_done = [&](Number effect) { return std::count(done.begin(), done.end(), effect) > 0; };
  for (std::size_t i = 0; i < entities.size(); ++i) {
    for (const Number effect : effects[i]) history_.end(effect, is_done(effect) ? outcome : History::kFailed);
    const bool has_changed = std::any_of(effects[i].begin() + History::kSave, effects[i].end(), is_done);
    if (outcome == History::kDone && has_changed) history_.check_present(operation.id, entities[i], begin);
  }
}

template void Client<Ledger>::transact(const Operation&);
template void Client<Album<1>>::transact(const Operation&);
template void Client<Album<2>>::transact(const Operation&);
template void Client<Permit<1>>::transact(const Operation&);
template void Client<Permit<2>>::transact(const Operation&);

}  // namespace autoshard::simulation
