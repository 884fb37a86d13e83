#include "maintenance.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <memory>

#include "compaction.h"
#include "entity_expiry.h"
#include "expired_entities.h"
#include "expiring_record.h"
#include "keys.h"
#include "message_of.h"

namespace autoshard::detail {
namespace {

/// The limits of the interval between looks for expired marks and tokens, which is a fraction of the lifetime
/// of tokens.
constexpr std::chrono::milliseconds kLookAtMostEvery = std::chrono::seconds(1);
constexpr std::chrono::milliseconds kLookAtLeastEvery = std::chrono::hours(6);

/// Gives up the lease at the end of a job, also after an exception.
class GiveUp {
 public:
  explicit GiveUp(Lease& lease) : lease_(lease) {}
  ~GiveUp() { lease_.give_up(); }
  GiveUp(const GiveUp&) = delete;
  GiveUp& operator=(const GiveUp&) = delete;

 private:
  Lease& lease_;
};

}  // namespace

Maintenance::Maintenance(MapperContext& context, StoreClock& clock)
    : context_(context), clock_(clock), lease_(context.store, "compaction", kLeaseTerm) {
  if (context.options.compact_every.count() > 0)
    thread_.emplace(context.options.compact_every, [this] { run_jobs(); });
}

void Maintenance::stop() {
  stopping_ = true;
  thread_.reset();
}

/// Returns all jobs. Classes that the program has used since the last round bring new ones.
std::vector<Maintenance::Job> Maintenance::jobs() {
  std::vector<Job> jobs;
  jobs.push_back({"the advance of the store's clock", [this] { return advance_clock(); }});
  jobs.push_back({"the removal of expired records", [this] { return remove_expired_records_left_here(); }});
  for (const EntityType* type : expiring_types()) {
    jobs.push_back({"the removal of expired entities of " + std::string(type->kind),
                    [this, type] { return remove_expired_entities(*type); }});
  }
  const std::vector<const EntityType*> types = entity_types();
  for (const EntityType* type : types) {
    for (const auto& index : indexes_of(*type).all) {
      if (!index->refresh_every()) continue;
      jobs.push_back(
          {"the refresh of index " + std::string(index->declared().name) + " of " + std::string(type->kind),
           [this, &index] { return refresh(*index); }});
    }
  }
  for (const EntityType* type : types) {
    // Tests may use several versions of a class (`allow_versions_of_classes`). A walk by one of them would
    // compact entities that only another version uses.
    if (!type->has_windows || std::ranges::count(types, type->kind, &EntityType::kind) > 1) continue;
    jobs.push_back(
        {"the removal of old buckets of " + std::string(type->kind), [this, type] { return sweep(*type); }});
  }
  jobs.push_back({"compaction", [this] { return compact_noted(); }});
  return jobs;
}

void Maintenance::run_jobs() {
  const std::uint64_t outages = context_.outages.failures();
  is_refused_ = false;
  for (const Job& job : jobs()) {
    if (stopping_) return;
    run(job);
  }
  if (context_.outages.failures() == outages) context_.outages.note_success();
}

void Maintenance::run(const Job& job) {
  const Time now = platform::Clock::now();
  Time& due = due_[job.name];
  if (now < due || failures_.is_paused(job.name, now)) return;
  const GiveUp give_up(lease_);
  const std::string complaint = job.name + " is postponed";
  try {
    due = job.run();
    return failures_.forget(job.name);
  } catch (const StoreUnavailable& error) {
    return context_.outages.log(complaint, error);
  } catch (...) {  // also from the application's code
    if (failures_.note(job.name, platform::Clock::now(), context_.options.compact_every))
      context_.log(complaint + ": " + message_of(std::current_exception()));
  }
}

/// Takes the lease for a job that needs it, and returns whether the job may go on. Must be called before the
/// job begins, and between its batches. After a refusal, the other jobs of the round do not ask again.
bool Maintenance::take_lease() {
  if (stopping_ || is_refused_) return false;
  is_refused_ = !lease_.take();
  return !is_refused_;
}

Maintenance::Time Maintenance::advance_clock() {
  if (context_.needs_store_clock()) clock_.advance_when_due();
  return kNextRound;
}

/// Each mapper that leaves marks or tokens regularly removes the expired ones.
Maintenance::Time Maintenance::remove_expired_records_left_here() {
  if (!context_.writers.leave_marks() && !context_.leaves_tokens.load(std::memory_order_relaxed))
    return kNextRound;
  const Time now = platform::Clock::now();
  remove_expired_records();
  return now + std::clamp(context_.options.token_lifetime / 4, kLookAtMostEvery, kLookAtLeastEvery);
}

/// Uses the clocks of machines, which `MapperOptions::clock` does not replace.
std::uint64_t Maintenance::remove_expired_records() {
  ExpiredRecords expired(context_.store, clock_, seen_marks_, {expires_after(std::chrono::milliseconds(0))});
  while (expired.remove_some()) {
  }
  return expired.removed();
}

Maintenance::Time Maintenance::remove_expired_entities(const EntityType& type) {
  const Now now = ask_clock(context_.options);
  if (are_entities_due(context_, type, now, failures_))
    detail::remove_expired_entities(context_, type, now, &failures_, [this] { return take_lease(); });
  return kNextRound;
}

/// Refreshes early enough that an entity that has just become dirty is refreshed within the staleness.
Maintenance::Time Maintenance::refresh(const EntityIndex& index) {
  const Time now = platform::Clock::now();
  bool is_refused = false;
  index.refresh(context_, &failures_, [&] {
    is_refused = !take_lease();
    return !is_refused;
  });
  if (!is_refused) {
    refreshed_[&index] = now;
    Time oldest = now;
    for (const auto& [other, time] : refreshed_) oldest = std::min(oldest, time);
    oldest_refresh_.store(oldest, std::memory_order_relaxed);
  }
  return is_refused ? kNextRound : now + *index.refresh_every() - context_.options.compact_every;
}

std::optional<std::chrono::duration<double>> Maintenance::refresh_lag(Time now) {
  const Time oldest = oldest_refresh_.load(std::memory_order_relaxed);
  if (oldest == Time::max()) return std::nullopt;
  return now - oldest;
}

/// Compacts an entity, as long as `goes_on` allows it.
void Maintenance::compact(const EntityType& type, EntityKeyView key, const std::function<bool()>& goes_on) {
  const CompactionResult result = try_to_compact(context_, type, key, goes_on);
  if (result.failure.empty()) return failures_.forget(key.bytes());
  context_.counters.compaction_failures.add();
  if (failures_.note(key.bytes(), platform::Clock::now(), context_.options.compact_every,
                     result.made_progress)) {
    context_.log(result.failure);
  }
}

/// Removes the buckets that no load and no update notices, because their entities are not used any more.
Maintenance::Time Maintenance::sweep(const EntityType& type) {
  Sweep& sweep = sweeps_.try_emplace(&type, context_, type).first->second;
  const auto may_go_on = [this] { return take_lease(); };
  return sweep.run(
      [&](EntityKeyView key) {
        bool goes_on = true;
        const auto may_go_on_with_it = [&] { return goes_on = goes_on && take_lease(); };
        if (!failures_.is_paused(key.bytes(), platform::Clock::now())) compact(type, key, may_go_on_with_it);
        if (!goes_on) context_.compactable.note(type, key);  // the walk has passed it
      },
      may_go_on);
}

/// Notes the entities again for the next time if another mapper compacts now, if the store is unavailable, or
/// if their compaction failed recently. An entity that fails now for another reason waits until a load
/// notices it again.
Maintenance::Time Maintenance::compact_noted() {
  CompactableEntities::Entities noted = context_.compactable.take();
  CompactableEntities::Entities later;
  const Time now = platform::Clock::now();
  for (auto entity = noted.begin(); entity != noted.end();) {
    const auto next = std::next(entity);
    if (failures_.is_paused(entity->first.bytes(), now)) later.insert(noted.extract(entity));
    entity = next;
  }
  const auto note_again = [&] {
    noted.merge(later);
    for (const auto& [key, type] : noted) context_.compactable.note(*type, key);
  };
  bool goes_on = true;
  const auto may_go_on = [&] { return goes_on = goes_on && take_lease(); };
  try {
    while (!noted.empty() && may_go_on()) {
      const auto& [key, type] = *noted.begin();
      compact(*type, key, may_go_on);
      if (!goes_on) break;
      noted.erase(noted.begin());
    }
  } catch (...) {
    note_again();
    throw;
  }
  note_again();
  return kNextRound;
}

}  // namespace autoshard::detail
