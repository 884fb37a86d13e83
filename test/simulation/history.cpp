#include "history.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace autoshard::simulation {
namespace {

/// By which the clocks of processes may differ before compaction takes a bucket from one of them.
constexpr Time kGrace = std::chrono::minutes(1);

Time bucket_of(Time clock) { return clock - clock % kBucket; }

/// Whether what is in the bucket of one time counts at the other.
bool counts(Time bucket, Time clock) { return bucket_of(bucket) > bucket_of(clock) - kWindow; }

}  // namespace

History::Step History::step_at(Time time) const {
  const auto later = std::upper_bound(times_.begin(), times_.end(), time,
                                      [](Time one, const Moment& other) { return one < other.time; });
  return later == times_.begin() ? 0 : std::prev(later)->step;
}

History::Step History::now() {
  times_.push_back({scheduler_.time(), ++step_});
  return step_;
}

/// Or, of a step without a time of its own, of the next one that has one.
Time History::time_of(Step step) const {
  const auto moment = std::lower_bound(times_.begin(), times_.end(), step,
                                       [](const Moment& one, Step other) { return one.step < other; });
  return moment == times_.end() ? scheduler_.time() : moment->time;
}

History::Clock History::clock_of(int process, Time from, Time to) const {
  const auto [earliest, latest] = scheduler_.system_times(process, from, to);
  return {earliest, latest};
}

/// That of this process, since one of its calls began.
History::Clock History::clock_of_this(Step since) const {
  return clock_of(scheduler_.process(), time_of(since), scheduler_.time());
}

/// While the update was committed, as far as is known.
History::Clock History::clock_of(const Effect& update) const {
  return clock_of(update.process, time_of(update.begin),
                  update.has_ended() ? time_of(update.end) : scheduler_.time());
}

void History::set_version(int process, int version) {
  const auto its = static_cast<std::size_t>(process);
  if (versions_.size() <= its) versions_.resize(its + 1, 2);
  versions_[its] = version;
}

History::Number History::begin(Kind kind, const Operation& operation, int entity) {
  now();
  effects_.push_back({.kind = kind,
                      .id = operation.id,
                      .entity = entity,
                      .parts = operation.parts,
                      .amount = operation.amount,
                      .process = scheduler_.process(),
                      .version = version_of(scheduler_.process()),
                      .begin = step_,
                      .is_late = operation.kind == Operation::kTransact,
                      .states_noted = met_in(entity).size()});
  return effects_.size() - 1;
}

void History::set_replaced(Number effect, OperationId created, OperationId saved) {
  effects_[effect].created = created;
  effects_[effect].replaced = saved;
}

void History::end(Number number, Outcome outcome) {
  Effect& effect = effects_[number];
  now();
  if (effect.may_be_lost && (outcome == kDone || outcome == kBuffered)) outcome = kUnknown;
  if (effect.is_told && outcome == kBuffered) outcome = kUnknown;
  if (effect.former != kFailed && outcome == kFailed) outcome = kUnknown;
  effect.end = step_;
  effect.acknowledged = step_;
  effect.outcome = outcome;
  effect.was_buffered = effect.was_buffered || outcome == kBuffered;
  if (outcome == kDone && effect.kind == kCreate) effect.there = std::min(effect.there, step_);
  if (outcome == kFailed && effect.seen != kNever)
    fail("was seen, and then it failed", effect.entity, effect.id);
}

bool History::again(Number number) {
  Effect& effect = effects_[number];
  // What was buffered came to nothing if the entity was erased or expired before the flush.
  if (effect.outcome == kDone && !effect.was_buffered) return false;
  if (effect.outcome == kFailed) {
    effect.begin = now();
    effect.states_noted = met_in(effect.entity).size();
  } else if (effect.former != kDone && effect.former != kBuffered) {
    effect.former = effect.outcome;
    effect.former_end = effect.end;
  }
  effect.outcome = kPending;
  effect.end = effect.acknowledged = kNever;
  effect.may_be_lost = effect.is_told = false;
  return true;
}

void History::flushed(int process, Step before) {
  ++step_;
  for (Effect& effect : effects_) {
    if (effect.process != process) continue;
    if (effect.outcome == kBuffered && effect.end <= before) effect.outcome = kDone, effect.end = step_;
    if (effect.former == kBuffered && effect.former_end <= before)
      effect.former = kDone, effect.former_end = step_;
  }
}

void History::lost_buffered(int process) {
  for (Effect& effect : effects_) {
    if (effect.process != process) continue;
    if (effect.outcome == kPending) effect.is_told = true;
    if (effect.outcome == kBuffered) effect.outcome = kUnknown;
    if (effect.former == kBuffered) effect.former = kUnknown;
  }
}

void History::killed(int process) {
  ++step_;
  for (Effect& effect : effects_) {
    if (effect.process != process) continue;
    if (effect.outcome == kPending) effect.end = step_;
    if (effect.outcome == kPending || effect.outcome == kBuffered) effect.outcome = kUnknown;
    if (effect.former == kBuffered) effect.former = kUnknown;
  }
}

void History::lost_by_store(Step since) {
  lost_at_ = ++step_;
  for (Effect& effect : effects_) {
    if (effect.former == kBuffered || (effect.former == kDone && effect.former_end >= since))
      effect.former = kUnknown;
    // Its call has ended, and it may have been committed since.
    const bool may_be_late = effect.outcome == kBuffered || effect.outcome == kUnknown;
    if (effect.end < since && !may_be_late) continue;
    if (effect.outcome == kPending) effect.may_be_lost = true;
    if (effect.outcome == kDone || effect.outcome == kBuffered) effect.outcome = kUnknown;
    if (effect.there >= since) effect.there = kNever;
    if (effect.seen >= since) effect.seen = kNever;
    if (effect.taken >= since) effect.taken = kNever;
  }
}

const History::Effect* History::find(Kind kind, OperationId id, int entity) const {
  const auto found = std::find_if(effects_.begin(), effects_.end(), [&](const Effect& effect) {
    return effect.kind == kind && effect.id == id && effect.entity == entity;
  });
  return found == effects_.end() ? nullptr : &*found;
}

History::Effect* History::find(Kind kind, OperationId id, int entity) {
  return const_cast<Effect*>(std::as_const(*this).find(kind, id, entity));
}

History::Effect& History::see(Kind kind, OperationId id, const View& view, std::string_view what) {
  Effect* effect = find(kind, id, view.entity);
  if (!effect) fail("was never asked for, and shows in " + std::string(what), view.entity, id);
  if (effect->outcome == kFailed) fail("failed, and shows in " + std::string(what), view.entity, id);
  effect->seen = std::min(effect->seen, step_);
  return *effect;
}

const History::Effect* History::check_loaded(const View& view, Step begin, Step others) {
  ++step_;
  if (std::min(begin, others) < lost_at_) return nullptr;
  Effect& created = see(kCreate, view.created, view, "what was created");
  created.there = std::min(created.there, step_);
  for (const Effect& effect : effects_) {
    if (effect.kind != kErase || effect.entity != view.entity || effect.outcome != kDone) continue;
    const Step known = effect.process == scheduler_.process() ? begin : others;
    if (effect.begin > created.there && effect.end < known)
      fail("erased what is still there", view.entity, effect.id);
  }
  if (has_expired(created, begin)) fail("created what has expired, and was loaded", view.entity, created.id);
  check_updates(view, created, begin, others);
  check_rewritten(view);
  check_saved(view, created, begin, others);
  return &created;
}

/// By the last of its calls, or by one before.
bool History::is_acknowledged(const Effect& effect, Step known) const {
  const bool own = effect.process == scheduler_.process();
  const auto acknowledges = [&](Outcome outcome, Step end) {
    return (outcome == kDone || (outcome == kBuffered && own && sees_buffered)) && end < known;
  };
  return acknowledges(effect.outcome, effect.end) || acknowledges(effect.former, effect.former_end);
}

bool History::must_show(const Effect& effect, const Effect& created, Step begin, Step others) const {
  const bool own = effect.process == scheduler_.process();
  const bool may_vanish = (effect.is_late || effect.was_buffered) && may_have_expired(created);
  return effect.begin > created.there && !may_vanish && is_acknowledged(effect, own ? begin : others);
}

/// By the clock of some process.
bool History::may_have_expired(const Effect& created) const {
  return created.ends <= scheduler_.latest_system_time();
}

/// By the clock of this process since then. The older version of a class knows of no expiry.
bool History::has_expired(const Effect& created, Step since) const {
  return version_of(scheduler_.process()) == 2 && created.ends <= clock_of_this(since).earliest;
}

/// Whether the update was submitted before its process erased the entity, and the other one was created
/// later.
bool History::is_outlived(const Effect& update, const Effect& created) const {
  return std::any_of(effects_.begin(), effects_.end(), [&](const Effect& erased) {
    return erased.kind == kErase && erased.outcome == kDone && erased.entity == update.entity &&
           erased.process == update.process && update.submitted < erased.begin && erased.end < created.begin;
  });
}

/// By every clock that may be that of the update and the reader. Compaction removes nothing by whichever
/// clock before the span of the window has passed since the update.
bool History::must_count(const Effect& update, const Clock& reader) const {
  const Time earliest = clock_of(update).earliest;
  return counts(earliest, reader.latest) && !may_be_removed(update);
}

bool History::may_be_removed(const Effect& update) const {
  return !counts(clock_of(update).earliest, scheduler_.latest_system_time() - kGrace) &&
         scheduler_.time() - time_of(update.begin) >= kWindow;
}

/// Updates of one entity that share a commit are of the latest instant of their calls.
bool History::may_count(const Effect& update, const Clock& reader) const {
  return std::ranges::any_of(effects_, [&](const Effect& other) {
    const bool may_share_commit = other.kind == kUpdate && other.process == update.process &&
                                  other.entity == update.entity && !other.has_ended_before(update) &&
                                  !update.has_ended_before(other);
    return may_share_commit && counts(clock_of(other).latest, reader.earliest);
  });
}

/// Compaction by a clock that is far ahead may have removed what counts by the clock of the reader, of each
/// property in a commit of its own.
bool History::may_lack_buckets(int entity, const Clock& reader) const {
  return bucket_of(scheduler_.latest_system_time() - kGrace) > bucket_of(reader.earliest) &&
         std::ranges::any_of(effects_, [&](const Effect& update) {
           return update.kind == kUpdate && update.entity == entity && (update.parts & rules_.timed) &&
                  may_be_removed(update);
         });
}

void History::check_updates(const View& view, const Effect& created, Step begin, Step others) {
  std::map<OperationId, std::uint32_t> parts;
  const Clock reader = clock_of_this(std::min(begin, others));
  for (const View::Shown& shown : view.shown) {
    if (shown.number && *shown.number != static_cast<int>(shown.effects.size()) &&
        !may_lack_buckets(view.entity, reader))
      fail("has a number of " + std::to_string(*shown.number) + " for " +
               std::to_string(shown.effects.size()) + " in " + std::string(shown.name),
           view.entity, view.created);
    for (const auto& [id, times] : shown.effects) {
      const Effect& effect = see(kUpdate, id, view, shown.name);
      if ((effect.parts & shown.parts) == 0)
        fail("has nothing to do with " + std::string(shown.name), view.entity, id);
      if (times != 1)
        fail("counts " + std::to_string(times) + " times in " + std::string(shown.name), view.entity, id);
      if (effect.end < created.begin) fail("is counted by a later entity", view.entity, id);
      if ((shown.parts & rules_.timed) && !may_count(effect, reader))
        fail("shows after its time in " + std::string(shown.name), view.entity, id);
      if (effect.parts & shown.parts & rules_.elements) check_element(shown, effect, begin, others);
      if (is_outlived(effect, created))
        fail("was submitted before an erase, and is counted by a later entity", view.entity, id);
      parts[id] |= effect.parts & shown.parts;
    }
  }
  const std::uint32_t voidable = rules_.replaced | rules_.entries;
  for (const Effect& effect : effects_) {
    if (effect.kind != kUpdate || effect.entity != view.entity) continue;
    const bool must = must_show(effect, created, begin, others);
    if (must) check_entries(view, effect);
    const auto found = parts.find(effect.id);
    const std::uint32_t shows = found == parts.end() ? 0 : found->second;
    std::uint32_t missing = effect.parts & ~shows & ~lacks(view);
    if ((missing & rules_.timed) && !must_count(effect, reader)) missing &= ~rules_.timed;
    const bool replaced_are_missing = (missing & rules_.replaced) != 0 && !may_be_rewritten(effect);
    if ((missing & ~voidable) == 0 && !replaced_are_missing) continue;
    if (must) fail("is missing", view.entity, effect.id);
    if ((shows & ~lacks(view)) != 0) fail("shows in part", view.entity, effect.id);
  }
}

/// By another, that may come after it.
bool History::may_be_rewritten(const Effect& effect) const {
  return std::any_of(effects_.begin(), effects_.end(), [&](const Effect& other) {
    return other.kind == kUpdate && (other.parts & rules_.replacing) && other.entity == effect.entity &&
           other.id != effect.id && other.may_come_after(effect);
  });
}

/// Nothing shows beside a rewrite that it has voided.
void History::check_rewritten(const View& view) const {
  for (const View::Shown& shown : view.shown) {
    if ((shown.parts & rules_.replacing) == 0) continue;
    for (const auto& [id, times] : shown.effects) {
      const Effect& rewrite = *find(kUpdate, id, view.entity);
      if ((rewrite.parts & rules_.replacing) == 0) continue;
      for (const auto& [other_id, other_times] : shown.effects) {
        const Effect& other = *find(kUpdate, other_id, view.entity);
        if (&other == &rewrite) continue;
        if ((other.parts & rules_.replacing) || (other.end < rewrite.begin && other.outcome == kDone))
          fail("was voided by #" + std::to_string(id) + ", and shows beside it", view.entity, other_id);
      }
    }
  }
}

void History::check_absent(int entity, Step begin, OperationId only) {
  ++step_;
  if (begin < lost_at_) return;
  for (const Effect& created : effects_) {
    if (created.kind != kCreate || created.entity != entity || created.there >= begin || !created.may_be() ||
        (only != 0 && created.id != only))
      continue;
    const bool may_be_erased = std::any_of(effects_.begin(), effects_.end(), [&](const Effect& effect) {
      return effect.kind == kErase && effect.entity == entity && effect.may_come_after(created);
    });
    if (!may_be_erased && !may_have_expired(created)) fail("created what is not there", entity, created.id);
  }
}

/// Erased by a call that had ended by then.
bool History::is_erased(const Effect& created, Step before) const {
  return std::any_of(effects_.begin(), effects_.end(), [&](const Effect& effect) {
    return effect.kind == kErase && effect.entity == created.entity && effect.outcome == kDone &&
           effect.begin > created.there && effect.end < before;
  });
}

void History::check_present(OperationId id, int entity, Step begin, OperationId only) {
  ++step_;
  if (begin < lost_at_) return;
  const bool may_be = std::ranges::any_of(effects_, [&](const Effect& created) {
    return may_be_of(created, id, entity, begin) && (only == 0 || created.id == only) &&
           !has_expired(created, begin);
  });
  if (!may_be) fail("succeeded, though there was no such entity", entity, id);
}

/// One that was created meanwhile may have expired by the clock of this process, which has looked for expired
/// ones before.
void History::check_taken(OperationId id, int entity, Step begin) {
  ++step_;
  if (begin < lost_at_) return;
  const bool may_be = std::ranges::any_of(effects_, [&](const Effect& created) {
    return may_be_of(created, id, entity, begin) && (created.end >= begin || !has_expired(created, begin));
  });
  if (!may_be) fail("was refused as a second entity of its id, though there was none", entity, id);
}

/// Whether that has created an entity that no call had erased by then, and is not the operation itself.
bool History::may_be_of(const Effect& created, OperationId id, int entity, Step begin) const {
  return created.kind == kCreate && created.entity == entity && created.id != id && created.may_be() &&
         !is_erased(created, begin);
}

Time History::ends_of(int entity) const {
  for (auto effect = effects_.rbegin(); effect != effects_.rend(); ++effect) {
    if (effect->kind == kCreate && effect->entity == entity && effect->outcome == kDone) return effect->ends;
  }
  return Time::max();
}

void History::fail(const std::string& what, int entity, OperationId id) const {
  scheduler_.fail('#' + std::to_string(id) + ' ' + what + " (" + std::string(rules_.entity) + ' ' +
                  std::to_string(entity) + ')');
}

}  // namespace autoshard::simulation
