#pragma once

#include <autoshard/mapper.h>

#include <exception>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include "history.h"
#include "ledger.h"
#include "plan.h"

namespace autoshard::simulation {

/// A thread of an application: does what its plan says, and notes what it is told.
class Client {
 public:
  Client(Scheduler& scheduler, History& history, const StoreFaults& faults, const MapperOptions& options,
         Mapper& mapper)
      : scheduler_(scheduler), history_(history), faults_(faults), options_(options), mapper_(mapper) {}

  void run(const std::vector<Operation>& operations);
  /// Commits what the process has buffered.
  void flush();

 private:
  using Number = History::Number;

  void run(const Operation& operation);
  void update(const Operation& operation);
  void update_async(const Operation& operation);
  void load(const Operation& operation);
  void load_cached(const Operation& operation);
  void save(const Operation& operation);
  void create(const Operation& operation);
  void erase(const Operation& operation);
  void transact(const Operation& operation);
  void set_shards(const Operation& operation);
  void run_on(EntityTransaction& transaction, const Operation& operation, int entity,
              const std::vector<Number>& effects, std::vector<Number>& done);

  bool attempt(const Operation& operation, std::initializer_list<Number> effects,
               const std::function<void()>& action);
  /// What is to become of an effect whose operation threw; unexpected errors fail the run. `update`: the
  /// effect that bounds may have refused.
  History::Outcome judge(const Operation& operation, History::Step begin, const std::exception_ptr& error,
                         std::optional<Number> update = {});
  void settle(Number effect, const Operation& operation, History::Step begin,
              const std::exception_ptr& error);
  void end(std::initializer_list<Number> effects, History::Outcome outcome);

  Scheduler& scheduler_;
  History& history_;
  const StoreFaults& faults_;
  const MapperOptions& options_;
  Mapper& mapper_;
  std::optional<Ledger> held_;
  struct Flying {
    Completion completion;
    Number effect;
    const Operation* operation;
    History::Step begin;
  };
  std::vector<Flying> flying_;
};

}  // namespace autoshard::simulation
