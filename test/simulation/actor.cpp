#include "actor.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <sstream>

namespace autoshard::simulation {
namespace {

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

std::string Actor::words(const Operation& operation) const {
  std::ostringstream out;
  print(out, rules_, operation);
  return out.str();
}

void Actor::flush() {
  const History::Step begin = history_.now();
  attempt({.kind = Operation::kFlush}, {}, [&] {
    mapper_.flush();
    history_.flushed(scheduler_.process(), begin);
  });
}

void Actor::write_at_last() {
  constexpr int kTries = 8;  // others may compact
  const int entity = kEntities + scheduler_.process();
  for (int tries = 1;; ++tries) {
    try {
      return write(entity);
    } catch (const UpdatesLost&) {
      history_.lost_buffered(scheduler_.process());
    } catch (const Error& error) {
      if (tries == kTries)
        scheduler_.fail(std::string("can write no more, though all is well: ") + error.what());
    }
  }
}

bool Actor::attempt(const Operation& operation, std::initializer_list<Number> effects,
                    const std::function<void()>& action) {
  const History::Step begin = history_.now();
  try {
    action();
  } catch (...) {
    end(effects, judge(operation, begin, std::current_exception()));
    return false;
  }
  end(effects, History::kDone);
  return true;
}

void Actor::end(std::initializer_list<Number> effects, History::Outcome outcome) {
  for (const Number effect : effects) history_.end(effect, outcome);
}

void Actor::settle(Number effect, const Operation& operation, History::Step begin,
                   const std::exception_ptr& error) {
  if (!error) history_.check_present(operation.id, operation.entity, begin);
  history_.end(effect, error ? judge(operation, begin, error, effect) : History::kDone);
}

void Actor::wait_for_end(int entity) {
  constexpr Time kSoon = std::chrono::seconds(10);
  const Time ends = history_.ends_of(entity);
  if (ends == Time::max()) return;
  const Time left = ends - scheduler_.system_time();
  const Time early(static_cast<Time::rep>(scheduler_.below(1'000'000)));
  if (left > early && left < kSoon) scheduler_.sleep(left - early);
}

bool Actor::may_give_up() const {
  return plan_.faults.any() || plan_.faults.stall > 0 || plan_.user_errors > 0 || plan_.loss ||
         options_.retry.max_attempts < RetryPolicy::kUnlimited;
}

History::Outcome Actor::judge(const Operation& operation, History::Step begin,
                              const std::exception_ptr& error, std::optional<Number> update) {
  const bool has_earlier_version =
      std::any_of(plan_.processes.begin(), plan_.processes.end(),
                  [](const ProcessPlan& process) { return process.version == 1; });
  bool may_be = true;
  History::Outcome outcome = History::kFailed;
  try {
    std::rethrow_exception(error);
  } catch (const NotFound&) {
    if (operation.kind == Operation::kSave || operation.kind == Operation::kSaveParts) {
      history_.check_absent(saving_->first, begin, saving_->second);
    } else if (operation.kind != Operation::kTransact) {
      history_.check_absent(operation.entity, begin);
    }
  } catch (const StaleEntity&) {
    if (operation.kind == Operation::kCreate) {
      history_.check_taken(operation.id, operation.entity, begin);
    } else {
      may_be = operation.kind == Operation::kTransact;
    }
  } catch (const BoundExceeded&) {
    may_be = update.has_value();
    if (update) history_.check_exceeded(*update);
  } catch (const UpdatesLost&) {
    history_.lost_buffered(scheduler_.process());
    may_be = may_give_up();
  } catch (const OutcomeUnknown&) {
    // An erased element may have come back, and the look at it may have failed.
    may_be = plan_.abilities.loses_acknowledgements ||
             (operation.kind == Operation::kEraseElement && (may_give_up() || has_earlier_version));
    outcome = History::kUnknown;
  } catch (const Contention&) {
    may_be = may_give_up();
  } catch (const StoreUnavailable&) {
    may_be = plan_.faults.outage > 0 || plan_.loss;
  } catch (const CommitTooLarge&) {
    // Updates are divided, down to those of one entity. What takes several records at once cannot be.
    const bool is_update = operation.kind == Operation::kUpdate || operation.kind == Operation::kUpdateAsync;
    may_be = plan_.faults.most_writes > 0 && (!is_update || (operation.parts & rules_.bounded) != 0);
  } catch (const KeyTooLong&) {
    may_be = plan_.faults.longest_key > 0 && operation.has_long_token;
  } catch (const IndexNotBuilt&) {
    may_be = plan_.loss || has_earlier_version;
  } catch (const UserError&) {
  } catch (const OddError&) {
  } catch (...) {
    may_be = false;
  }
  if (!may_be) scheduler_.fail("unexpected, of " + words(operation) + ": " + simulation::words(error));
  if (scheduler_.is_verbose()) scheduler_.trace("fails: #", operation.id, ": ", simulation::words(error));
  return outcome;
}

}  // namespace autoshard::simulation
