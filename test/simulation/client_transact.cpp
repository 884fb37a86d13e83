/// Transactions of a client.
#include <autoshard/errors.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

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

/// What an exception says that leaves the main records of a transaction committed; empty of any other.
std::string told_of_updates(const std::exception_ptr& error) {
  try {
    if (error) std::rethrow_exception(error);
  } catch (const OutcomeUnknown& unknown) {
    if (std::string_view(unknown.what()).starts_with("the transaction is committed")) return unknown.what();
  } catch (...) {
  }
  return {};
}

/// Whether that names the entity behind the words `list`.
bool lists(std::string_view told, std::string_view list, const std::string& entity) {
  const std::size_t begin = told.find(list);
  if (begin == std::string_view::npos) return false;
  std::string_view rest = told.substr(begin + list.size());
  for (const std::string_view other :
       {" the updates of these", " a bound refused", " updates of these", " only some"})
    rest = rest.substr(0, rest.find(other));
  return rest.find(' ' + entity) != std::string_view::npos;
}

}  // namespace

/// What became of an update in a transaction that is committed.
template <class E>
History::Outcome Client<E>::outcome_of_update(const std::string& told, const Operation& operation, int entity,
                                              Number update) {
  const std::string name = std::string(rules_.entity) + ' ' + std::to_string(entity);
  if (lists(told, "only some updates", name)) scheduler_.fail("one update was made in part: " + told);
  if (lists(told, "have an unknown outcome", name)) {
    if (!plan_.abilities.loses_acknowledgements) scheduler_.fail("unexpected: " + told);
    return History::kUnknown;
  }
  if (lists(told, "and none was made", name)) {
    if ((operation.parts & rules_.bounded) == 0) scheduler_.fail("unexpected: " + told);
    history_.check_exceeded(update);
    return History::kFailed;
  }
  if (!lists(told, "are missing", name)) return History::kDone;
  if (!may_give_up()) scheduler_.fail("unexpected: " + told);
  return History::kFailed;
}

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
  std::exception_ptr error;
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
    error = std::current_exception();
  }
  const std::string told = told_of_updates(error);
  const History::Outcome outcome = error && told.empty() ? judge(operation, begin, error) : History::kDone;
  const auto is_done = [&](Number effect) { return std::count(done.begin(), done.end(), effect) > 0; };
  for (std::size_t i = 0; i < entities.size(); ++i) {
    for (const Number effect : effects[i]) {
      const bool is_update = effect == effects[i][History::kUpdate];
      history_.end(effect, !is_done(effect) ? History::kFailed
                           : is_update && !told.empty()
                               ? outcome_of_update(told, operation, entities[i], effect)
                               : outcome);
    }
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
