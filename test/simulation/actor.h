#pragma once

#include <autoshard/mapper.h>

#include <exception>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "conflicts.h"
#include "history.h"
#include "plan.h"

namespace autoshard::simulation {

/// What the threads of an application share.
struct Stage {
  Scheduler& scheduler;
  History& history;
  const Plan& plan;
  const ProcessPlan& process;
  Mapper& mapper;
  Conflicts& conflicts;
};

/// A thread of an application: does what its plan says, and notes what it is told.
class Actor {
 public:
  explicit Actor(const Stage& stage)
      : scheduler_(stage.scheduler),
        history_(stage.history),
        plan_(stage.plan),
        rules_(rules_of(stage.plan.world)),
        options_(stage.process.options),
        mapper_(stage.mapper),
        conflicts_(stage.conflicts) {}
  virtual ~Actor() = default;
  Actor(const Actor&) = delete;
  Actor& operator=(const Actor&) = delete;

  virtual void run(const std::vector<Operation>& operations) = 0;
  /// Commits what the process has buffered.
  void flush();
  /// Nothing goes wrong any more: the process has to be able to write.
  void write_at_last();

 protected:
  using Number = History::Number;

  /// Creates, updates and erases this entity, which no plan speaks of.
  virtual void write(int entity) = 0;
  bool attempt(const Operation& operation, std::initializer_list<Number> effects,
               const std::function<void()>& action);
  /// What is to become of an effect whose operation threw; unexpected errors fail the run. `update`: the
  /// effect that bounds may have refused.
  History::Outcome judge(const Operation& operation, History::Step begin, const std::exception_ptr& error,
                         std::optional<Number> update = {});
  /// Whether a call may end without its commit, though the store and the application are well in the end.
  bool may_give_up() const;
  void settle(Number effect, const Operation& operation, History::Step begin,
              const std::exception_ptr& error);
  void end(std::initializer_list<Number> effects, History::Outcome outcome);
  std::string words(const Operation& operation) const;
  /// Until an entity is about to expire by the clock of this process, if that is soon.
  void wait_for_end(int entity);

  Scheduler& scheduler_;
  History& history_;
  const Plan& plan_;
  const PartRules rules_;
  const MapperOptions& options_;
  Mapper& mapper_;
  Conflicts& conflicts_;
  /// The entity that is held to be saved, and which one of its id it is.
  std::optional<std::pair<int, OperationId>> saving_;
};

/// One that uses this version of the class that the plan is about.
std::unique_ptr<Actor> make_actor(int version, const Stage& stage);

/// What is there in the end, when nothing goes wrong any more; fails the run if that cannot be so. As a
/// process that has the newest version of the class.
class SimulatedStore;
void look_at_end(World world, Scheduler& scheduler, SimulatedStore& store, History& history);

}  // namespace autoshard::simulation
