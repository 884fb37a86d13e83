#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operation.h"
#include "scheduler.h"

namespace autoshard::simulation {

/// What a loaded entity shows of what was done to it.
struct View {
  struct Shown {
    std::uint32_t parts;
    Effects effects;
    std::string_view name;
    std::optional<int> number = {};  ///< that counts the effects, too
  };

  int entity;
  OperationId created, saved;
  std::uint32_t lacks =
      0;  ///< parts that this version of the class may not find, once a newer one has moved them
  std::vector<Shown> shown;
};

/// What the clients of a run have asked for and what they were told, and whether what is loaded can be so.
///
/// An *effect* is what an operation is to do to one entity. Of one that was acknowledged, whatever is loaded
/// later must show it; of one that is unknown it may; of one that failed it must not. None may show twice, or
/// in an entity that was created after its operation had ended.
class History {
 public:
  History(Scheduler& scheduler, World world) : scheduler_(scheduler), rules_(rules_of(world)) {}

  /// Counts what begins and what ends.
  using Step = std::uint64_t;
  static constexpr Step kNever = std::numeric_limits<Step>::max();
  Step step() const { return step_; }
  /// A new one: that of a call of this process that begins.
  Step now();
  /// The last one at that time.
  Step step_at(Time time) const;

  enum Kind { kCreate, kSave, kUpdate, kErase, kEraseElement };
  enum Outcome { kPending, kDone, kBuffered, kFailed, kUnknown };
  using Number = std::size_t;

  struct Effect {
    Kind kind;
    OperationId id;
    int entity;
    std::uint32_t parts;
    int amount;
    int process;
    int version;  // of the class in that process
    Step begin;
    Step submitted = kNever;  // of an asynchronous update: when its call returned
    Step end = kNever;
    Outcome outcome = kPending;
    Step acknowledged = kNever;  // or refused: then it need not be committed yet
    bool was_buffered = false;   // by any of its calls
    Step seen = kNever;          // when a load showed it first
    bool may_be_lost = false;    // by the store
    bool is_told = false;  // if it has been buffered, that this is lost: another call threw that meanwhile
    // Of one that is made again: what became of the calls before. They stay done to the entity they met.
    Outcome former = kFailed;
    Step former_end = kNever;
    bool is_late = false;     // it takes effect after the call, if the entity is still there then
    Step there = kNever;      // since when a created entity is known to be
    Time ends = Time::max();  // when a created entity expires, by the system's clock
    OperationId created = 0, replaced = 0;
    std::size_t states_noted = 0;  // when it began
    Step taken = kNever;           // when a load first showed that the erasure of an element took effect

    bool may_be() const { return outcome != kFailed; }
    /// All its commits are over.
    bool has_ended() const { return outcome == kDone && former == kFailed; }
    bool has_ended_before(const Effect& other) const { return has_ended() && end < other.begin; }
    /// What is unknown may take effect at any time, and as others see it what is buffered.
    bool may_come_after(const Effect& other) const {
      return may_be() && (outcome == kUnknown || (was_buffered && process != other.process) ||
                          acknowledged > other.begin);
    }
  };

  void set_version(int process, int version);
  bool has_older_version() const {
    return std::find(versions_.begin(), versions_.end(), 1) != versions_.end();
  }
  /// Parts that a reader of the older version may not find: those that a newer one has moved.
  std::uint32_t lacks(const View& view) const {
    return std::find(versions_.begin(), versions_.end(), 2) == versions_.end() ? 0 : view.lacks;
  }
  int version_of(int process) const { return versions_.at(static_cast<std::size_t>(process)); }

  Number begin(Kind kind, const Operation& operation, int entity);
  /// What a save was made from.
  void set_replaced(Number effect, OperationId created, OperationId saved);
  void set_ends(Number effect, Time ends) { effects_[effect].ends = ends; }
  /// The call of an asynchronous update has returned.
  void submitted(Number effect) { effects_[effect].submitted = ++step_; }
  void end(Number effect, Outcome outcome);
  /// An update that has ended is made once more, with the same token. False if it is known to be committed,
  /// so that nothing may come of it.
  bool again(Number effect);

  /// The bounded number of an entity as a commit leaves it, or none if there is no such entity any more. Each
  /// of the `changes`, updates that this commit has added, may have met what the others of them left.
  void note_number(int entity, std::optional<int> number, const std::vector<OperationId>& changes);
  /// An update that is about to end was refused because of its bounds: at some moment since it began it must
  /// have been one too many.
  void check_exceeded(Number effect);

  /// Everything buffered that was acknowledged before `step` is committed.
  void flushed(int process, Step step);
  /// What it had buffered may be lost.
  void lost_buffered(int process);
  /// What it was at may have been done, or not.
  void killed(int process);

  /// The store has lost what was committed since that step.
  void lost_by_store(Step since);

  /// What loads saw that began at a step and end now; of what others do, one may not know what came after
  /// `others`. Returns the creation of the entity, or null where the store has lost something meanwhile, and
  /// nothing can be said.
  const Effect* check_loaded(const View& view, Step begin, Step others);
  /// `created`: of that one alone; 0: of all there were of this id.
  void check_absent(int entity, Step begin, OperationId created = 0);
  /// An operation has succeeded whose call began at that step: its entity must have been there since.
  /// `created`: that one alone; 0: any there was of this id.
  void check_present(OperationId id, int entity, Step begin, OperationId created = 0);
  /// A call that began at that step has created no entity because there was one of its id.
  void check_taken(OperationId id, int entity, Step begin);
  /// A save of what was loaded as `saved` was refused, since another one had changed the entity.
  void check_stale(OperationId id, int entity, OperationId created, OperationId saved);
  /// A call that began at that step has found no element of the operation's key.
  void check_no_element(const Operation& operation, Step begin);
  /// Of all that happened, in the end.
  void check_saves();

  // For the checks of each class.

  const Effect* find(Kind kind, OperationId id, int entity) const;
  /// Those that the save of an entity is based on, from the last to the first, without its creation.
  std::vector<const Effect*> saves_before(int entity, OperationId created, OperationId saved) const;
  /// When the last entity ends that was created here; never without one.
  Time ends_of(int entity) const;
  [[noreturn]] void fail(const std::string& what, int entity, OperationId id) const;

  /// Whether it happened within the operation of an effect.
  bool is_within(Time time, const Effect& effect) const {
    return time_of(effect.begin) <= time && time <= time_of(effect.end);
  }
  /// How many saves may have changed the main record of an entity since that step.
  std::size_t saves_since(int entity, Step since) const;

  /// Entities as text, as they were exported last, and the ids of those that were imported, which no plan
  /// speaks of.
  std::map<int, std::string> exports;
  std::set<int> imports;

  bool sees_buffered = false;  ///< nothing of it may be missing in loads through the same mapper

 private:
  /// What an update may have met of a bounded number, from one commit to the next.
  struct Met {
    int least, most;
    bool with_pending = false;  // what was pending or unknown is taken back, too
  };

  std::vector<std::optional<Met>>& met_in(int entity) { return met_.at(static_cast<std::size_t>(entity)); }
  bool may_be_of(const Effect& created, OperationId id, int entity, Step begin) const;
  Effect* find(Kind kind, OperationId id, int entity);
  Effect& see(Kind kind, OperationId id, const View& view, std::string_view what);
  /// What the system's clock of a process may have shown.
  struct Clock {
    Time earliest, latest;
  };
  Time time_of(Step step) const;
  Clock clock_of(int process, Time from, Time to) const;
  Clock clock_of_this(Step since) const;
  Clock clock_of(const Effect& update) const;
  bool must_count(const Effect& update, const Clock& reader) const;
  bool may_count(const Effect& update, const Clock& reader) const;
  bool may_be_removed(const Effect& update) const;
  bool may_lack_buckets(int entity, const Clock& reader) const;
  bool may_have_expired(const Effect& created) const;
  bool has_expired(const Effect& created, Step since) const;
  bool is_erased(const Effect& created, Step before) const;
  bool is_outlived(const Effect& update, const Effect& created) const;
  bool is_acknowledged(const Effect& effect, Step known) const;
  bool must_show(const Effect& effect, const Effect& created, Step begin, Step others) const;
  void check_updates(const View& view, const Effect& created, Step begin, Step others);
  void check_entries(const View& view, const Effect& effect);
  void check_element(const View::Shown& shown, const Effect& effect, Step begin, Step others) const;
  bool may_erase(const Effect& erasure, const Effect& effect) const;
  bool may_be_erased(const Effect& effect) const;
  void note_erasure_of(const Effect& effect);
  void check_rewritten(const View& view) const;
  void check_saved(const View& view, const Effect& created, Step begin, Step others);
  bool may_be_rewritten(const Effect& effect) const;
  /// The one with bounds.
  bool replaces_number(const Effect& effect) const {
    return effect.parts & rules_.replacing & rules_.bounded;
  }
  int bound_of(const Effect& effect) const {
    return effect.version == 1 ? rules_.most_ever : rules_.most_at_first;
  }

  Scheduler& scheduler_;
  const PartRules rules_;
  Step step_ = 0;
  Step lost_at_ = 0;  // when the store lost something last
  struct Moment {
    Time time;
    Step step;
  };
  std::vector<Moment> times_;
  std::vector<Effect> effects_;
  std::vector<int> versions_;  // of processes
  std::array<std::vector<std::optional<Met>>, kEntities> met_;
};

}  // namespace autoshard::simulation
