#include "history.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace autoshard::simulation {
namespace {

struct Shown {
  std::uint32_t parts;
  const Effects& (Ledger::*effects)() const;
  const char* name;
};

constexpr Shown kShown[] = {
    {kVote, &Ledger::votes, "votes"},       {kLike, &Ledger::likes, "likes"},
    {kView, &Ledger::views, "views"},       {kNote | kRewrite, &Ledger::notes, "notes"},
    {kBook, &Ledger::bookings, "bookings"},
};

}  // namespace

History::Step History::step_at(Time time) const {
  const auto later = std::upper_bound(times_.begin(), times_.end(), time,
                                      [](Time one, const auto& other) { return one < other.first; });
  return later == times_.begin() ? 0 : std::prev(later)->second;
}

History::Number History::begin(Kind kind, const Operation& operation, int entity) {
  times_.emplace_back(scheduler_.time(), ++step_);
  effects_.push_back({.kind = kind,
                      .id = operation.id,
                      .entity = entity,
                      .parts = operation.parts,
                      .seats = operation.seats,
                      .process = scheduler_.process(),
                      .begin = step_,
                      .seats_noted = seats_of(entity).size()});
  return effects_.size() - 1;
}

void History::set_replaced(Number effect, OperationId created, OperationId saved) {
  effects_[effect].created = created;
  effects_[effect].replaced = saved;
}

void History::end(Number number, Outcome outcome) {
  Effect& effect = effects_[number];
  times_.emplace_back(scheduler_.time(), ++step_);
  effect.end = step_;
  effect.acknowledged = step_;
  effect.outcome = outcome;
  effect.was_buffered = outcome == kBuffered;
  if (outcome == kDone && effect.kind == kCreate) effect.there = std::min(effect.there, step_);
  if (outcome == kFailed && effect.seen) fail("was seen, and then it failed", effect.entity, effect.id);
}

void History::note_seats(int entity, std::optional<int> seats, const std::vector<OperationId>& booked) {
  std::vector<std::optional<Seats>>& noted = seats_of(entity);
  if (!seats) return noted.push_back(std::nullopt);
  Seats met{*seats, *seats};  // what follows is taken back, in whatever order
  for (const OperationId id : booked) {
    const Effect* effect = find(kUpdate, id, entity);
    if (!effect) fail("was never asked for, and booked", entity, id);
    met.most += std::max(effect->seats, 0);
    met.least += std::min(effect->seats, 0);
  }
  noted.emplace_back(met);
}

void History::check_exceeded(Number number) {
  const Effect& effect = effects_[number];
  const std::vector<std::optional<Seats>>& noted = seats_of(effect.entity);
  for (std::size_t i = std::max<std::size_t>(effect.seats_noted, 1) - 1; i < noted.size(); ++i) {
    if (noted[i] && (noted[i]->least < effect.seats || noted[i]->most - effect.seats > Ledger::kMostSeats))
      return;
  }
  fail("was refused, though there was never one too many", effect.entity, effect.id);
}

void History::flushed(int process, Step before) {
  ++step_;
  for (Effect& effect : effects_) {
    if (effect.process != process || effect.outcome != kBuffered || effect.end > before) continue;
    effect.outcome = kDone;
    effect.end = step_;
  }
}

void History::lost_buffered(int process) {
  for (Effect& effect : effects_) {
    if (effect.process == process && effect.outcome == kBuffered) effect.outcome = kUnknown;
  }
}

void History::killed(int process) {
  ++step_;
  for (Effect& effect : effects_) {
    if (effect.process != process) continue;
    if (effect.outcome == kPending) effect.end = step_;
    if (effect.outcome == kPending || effect.outcome == kBuffered) effect.outcome = kUnknown;
  }
}

History::Effect* History::find(Kind kind, OperationId id, int entity) {
  const auto found = std::find_if(effects_.begin(), effects_.end(), [&](const Effect& effect) {
    return effect.kind == kind && effect.id == id && effect.entity == entity;
  });
  return found == effects_.end() ? nullptr : &*found;
}

History::Effect& History::see(Kind kind, OperationId id, const Ledger& ledger, std::string_view what) {
  Effect* effect = find(kind, id, ledger.number());
  if (!effect) fail("was never asked for, and shows in " + std::string(what), ledger.number(), id);
  if (effect->outcome == kFailed) fail("failed, and shows in " + std::string(what), ledger.number(), id);
  effect->seen = true;
  return *effect;
}

void History::check_loaded(const Ledger& ledger, Step begin, Step others) {
  ++step_;
  Effect& created = see(kCreate, ledger.created(), ledger, "what was created");
  created.there = std::min(created.there, step_);
  for (const Effect& effect : effects_) {
    if (effect.kind != kErase || effect.entity != ledger.number() || effect.outcome != kDone) continue;
    const Step known = effect.process == scheduler_.process() ? begin : others;
    if (effect.begin > created.there && effect.end < known)
      fail("erased what is still there", ledger.number(), effect.id);
  }
  check_updates(ledger, created, begin, others);
  check_likers(ledger);
  check_numbers(ledger);
  check_rewritten(ledger);
  check_saved(ledger, created, begin, others);
  check_seats(ledger, created);
}

/// What a store may have folded by itself.
void History::check_numbers(const Ledger& ledger) {
  const Effects& votes = ledger.votes();
  if (ledger.tally() != static_cast<int>(votes.size()))
    fail("has a tally of " + std::to_string(ledger.tally()) + " for " + std::to_string(votes.size()) +
             " votes",
         ledger.number(), 0);
  const OperationId newest = votes.empty() ? 0 : votes.rbegin()->first;
  if (ledger.newest() != newest) fail("has another newest vote", ledger.number(), ledger.newest());
  if (ledger.noted() != static_cast<int>(ledger.notes().size()))
    fail("counts " + std::to_string(ledger.noted()) + " of " + std::to_string(ledger.notes().size()) +
             " notes",
         ledger.number(), 0);
}

bool History::must_show(const Effect& effect, const Effect& created, Step begin, Step others) const {
  const bool own = effect.process == scheduler_.process();
  const bool acknowledged = effect.outcome == kDone || (effect.outcome == kBuffered && own && sees_buffered);
  return acknowledged && effect.begin > created.there && effect.end < (own ? begin : others);
}

void History::check_updates(const Ledger& ledger, const Effect& created, Step begin, Step others) {
  std::map<OperationId, std::uint32_t> parts;
  for (const Shown& shown : kShown) {
    for (const auto& [id, times] : (ledger.*shown.effects)()) {
      const Effect& effect = see(kUpdate, id, ledger, shown.name);
      if ((effect.parts & shown.parts) == 0)
        fail("has nothing to do with " + std::string(shown.name), ledger.number(), id);
      if (times != 1)
        fail("counts " + std::to_string(times) + " times in " + shown.name, ledger.number(), id);
      if (effect.end < created.begin) fail("is counted by a later entity", ledger.number(), id);
      parts[id] |= effect.parts & shown.parts;
    }
  }
  for (const Effect& effect : effects_) {
    if (effect.kind != kUpdate || effect.entity != ledger.number()) continue;
    const auto found = parts.find(effect.id);
    const std::uint32_t shows = found == parts.end() ? 0 : found->second;
    const std::uint32_t others_parts = effect.parts & ~(kNote | kRewrite);
    const bool notes_are_missing =
        (effect.parts & (kNote | kRewrite) & ~shows) != 0 && !may_be_rewritten(effect);
    if ((others_parts & ~shows) == 0 && !notes_are_missing) continue;
    if (must_show(effect, created, begin, others)) fail("is missing", ledger.number(), effect.id);
    if (shows != 0) fail("shows in part", ledger.number(), effect.id);
  }
}

/// Every update that likes adds to both in one commit.
void History::check_likers(const Ledger& ledger) {
  Effects likers;
  for (const OperationId id : ledger.likers()) ++likers[id];
  if (likers == ledger.likes()) return;
  fail("has " + std::to_string(ledger.likers().size()) + " likers for " +
           std::to_string(ledger.likes().size()) + " likes",
       ledger.number(), ledger.created());
}

/// By another, that may come after it.
bool History::may_be_rewritten(const Effect& effect) const {
  return std::any_of(effects_.begin(), effects_.end(), [&](const Effect& other) {
    return other.kind == kUpdate && (other.parts & kRewrite) && other.entity == effect.entity &&
           other.id != effect.id && other.may_come_after(effect);
  });
}

/// Nothing shows beside a rewrite that it has voided.
void History::check_rewritten(const Ledger& ledger) {
  for (const auto& [id, times] : ledger.notes()) {
    const Effect& rewrite = *find(kUpdate, id, ledger.number());
    if ((rewrite.parts & kRewrite) == 0) continue;
    for (const auto& [other_id, other_times] : ledger.notes()) {
      const Effect& other = *find(kUpdate, other_id, ledger.number());
      if (&other == &rewrite) continue;
      if ((other.parts & kRewrite) || (other.end < rewrite.begin && other.outcome == kDone))
        fail("was voided by #" + std::to_string(id) + ", and shows beside it", ledger.number(), other_id);
    }
  }
}

void History::check_saved(const Ledger& ledger, const Effect& created, Step begin, Step others) {
  const bool is_first = ledger.saved() == ledger.created();
  const Effect& saved = is_first ? created : see(kSave, ledger.saved(), ledger, "what was saved");
  const Step end = is_first ? created.there : saved.end;
  if (saved.end < created.begin) fail("was saved in a later entity", ledger.number(), saved.id);
  for (const Effect& effect : effects_) {
    if (effect.kind != kSave || effect.entity != ledger.number() || &effect == &saved) continue;
    if (must_show(effect, created, begin, others) && effect.begin > end)
      fail("was saved after #" + std::to_string(saved.id) + ", which shows", ledger.number(), effect.id);
  }
}

void History::check_seats(const Ledger& ledger, const Effect& created) {
  if (ledger.seats() < 0 || ledger.seats() > Ledger::kMostSeats)
    fail("was loaded with " + std::to_string(ledger.seats()) + " seats", ledger.number(), ledger.created());
  int seats = created.seats;
  for (const auto& [id, times] : ledger.bookings()) seats -= find(kUpdate, id, ledger.number())->seats;
  if (seats != ledger.seats() || ledger.capacity() != created.seats)
    fail("was loaded with " + std::to_string(ledger.seats()) + " seats instead of " + std::to_string(seats),
         ledger.number(), ledger.created());
}

void History::check_absent(int entity, Step begin, OperationId only) {
  ++step_;
  for (const Effect& created : effects_) {
    if (created.kind != kCreate || created.entity != entity || created.there >= begin || !created.may_be() ||
        (only != 0 && created.id != only))
      continue;
    const bool may_be_erased = std::any_of(effects_.begin(), effects_.end(), [&](const Effect& effect) {
      return effect.kind == kErase && effect.entity == entity && effect.may_come_after(created);
    });
    if (!may_be_erased) fail("created what is not there", entity, created.id);
  }
}

void History::check_saves() {
  std::map<std::tuple<int, OperationId, OperationId>, OperationId> replaced;
  for (const Effect& effect : effects_) {
    if (effect.kind != kSave || (effect.outcome != kDone && !effect.seen)) continue;
    const auto [first, is_first] =
        replaced.try_emplace({effect.entity, effect.created, effect.replaced}, effect.id);
    if (!is_first)
      fail("was saved over what #" + std::to_string(first->second) + " had saved", effect.entity, effect.id);
  }
}

void History::fail(const std::string& what, int entity, OperationId id) const {
  scheduler_.fail('#' + std::to_string(id) + ' ' + what + " (Ledger " + std::to_string(entity) + ')');
}

}  // namespace autoshard::simulation
