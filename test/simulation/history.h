#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ledger.h"
#include "plan.h"
#include "scheduler.h"

namespace autoshard::simulation {

/// What the clients of a run have asked for and what they were told, and whether what is loaded can be so.
///
/// An *effect* is what an operation is to do to one entity. Of one that was acknowledged, whatever is loaded
/// later must show it; of one that is unknown it may; of one that failed it must not. None may show twice, or
/// in an entity that was created after its operation had ended.
class History {
 public:
  explicit History(Scheduler& scheduler) : scheduler_(scheduler) {}

  /// Counts what begins and what ends.
  using Step = std::uint64_t;
  static constexpr Step kNever = std::numeric_limits<Step>::max();
  Step step() const { return step_; }
  /// The last one at that time.
  Step step_at(Time time) const;

  enum Kind { kCreate, kSave, kUpdate, kErase };
  enum Outcome { kPending, kDone, kBuffered, kFailed, kUnknown };
  using Number = std::size_t;

  /// `replaced`: what a save was made from.
  Number begin(Kind kind, const Operation& operation, int entity);
  void set_replaced(Number effect, OperationId created, OperationId saved);
  void end(Number effect, Outcome outcome);

  /// The seats of an entity as a commit leaves them, or none if there is no such entity any more; with what
  /// `booked` in it, each of which may have met what the others of this commit left.
  void note_seats(int entity, std::optional<int> seats, const std::vector<OperationId>& booked);
  /// An update that is about to end was refused because of its seats: at some moment since it began it must
  /// have been one too many.
  void check_exceeded(Number effect);

  /// Everything buffered that was acknowledged before `step` is committed.
  void flushed(int process, Step step);
  /// What it had buffered may be lost.
  void lost_buffered(int process);
  /// What it was at may have been done, or not.
  void killed(int process);

  /// What loads saw that began at a step and end now; of what others do, one may not know what came after
  /// `others`.
  void check_loaded(const Ledger& ledger, Step begin, Step others);
  /// `created`: of that one alone; 0: of all there were of this id.
  void check_absent(int entity, Step begin, OperationId created = 0);
  /// Of all that happened, in the end.
  void check_saves();

  bool sees_buffered = false;  ///< nothing of it may be missing in loads through the same mapper

 private:
  struct Effect {
    Kind kind;
    OperationId id;
    int entity;
    std::uint32_t parts;
    int seats;
    int process;
    Step begin;
    Step end = kNever;
    Outcome outcome = kPending;
    Step acknowledged = kNever;  // or refused: then it need not be committed yet
    bool was_buffered = false;
    bool seen = false;
    Step there = kNever;  // since when a created entity is known to be
    OperationId created = 0, replaced = 0;
    std::size_t seats_noted = 0;  // when it began

    bool may_be() const { return outcome != kFailed; }
    /// What is unknown may take effect at any time, and as others see it what is buffered.
    bool may_come_after(const Effect& other) const {
      return may_be() && (outcome == kUnknown || (was_buffered && process != other.process) ||
                          acknowledged > other.begin);
    }
  };

  /// What an update may have met of the seats, from one commit to the next.
  struct Seats {
    int least, most;
  };

  std::vector<std::optional<Seats>>& seats_of(int entity) {
    return seats_.at(static_cast<std::size_t>(entity));
  }
  Effect* find(Kind kind, OperationId id, int entity);
  Effect& see(Kind kind, OperationId id, const Ledger& ledger, std::string_view what);
  bool must_show(const Effect& effect, const Effect& created, Step begin, Step others) const;
  void check_updates(const Ledger& ledger, const Effect& created, Step begin, Step others);
  void check_likers(const Ledger& ledger);
  void check_numbers(const Ledger& ledger);
  void check_rewritten(const Ledger& ledger);
  void check_saved(const Ledger& ledger, const Effect& created, Step begin, Step others);
  void check_seats(const Ledger& ledger, const Effect& created);
  bool may_be_rewritten(const Effect& effect) const;
  [[noreturn]] void fail(const std::string& what, int entity, OperationId id) const;

  Scheduler& scheduler_;
  Step step_ = 0;
  std::vector<std::pair<Time, Step>> times_;
  std::vector<Effect> effects_;
  std::array<std::vector<std::optional<Seats>>, kEntities> seats_;
};

}  // namespace autoshard::simulation
