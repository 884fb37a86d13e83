/// How many shards there are, and what is folded into fewer records.

#include <autoshard/errors.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

#include "compaction.h"
#include "engine.h"
#include "entity_errors.h"
#include "escrow.h"
#include "expiry.h"
#include "keys.h"
#include "record.h"
#include "updated_entity.h"

namespace autoshard::detail {
namespace {

/// How often somebody looks for what has expired: several times in the life of a token, within this.
constexpr std::chrono::milliseconds kLookAtMostEvery = std::chrono::seconds(1);
constexpr std::chrono::milliseconds kLookAtLeastEvery = std::chrono::hours(6);

}  // namespace

std::uint32_t Engine::set_shards(const EntityType& type, const std::string& key, std::size_t place,
                                 const WantedShards& wanted) {
  UpdatedEntity entity;
  StagedWrites writes;
  Layout layout;
  const Now now = this->now(type);
  for (Attempts attempts = this->attempts("setting the shards of", key);;) {
    const std::unique_ptr<Transaction> transaction = begin();
    entity.read(context_.store, now, *transaction, type, key);
    layout = entity.head.layouts[place];
    const std::uint32_t before = std::exchange(layout.shards, wanted(layout.shards));
    if (layout.shards == before) break;
    writes.shrink(0);
    entity.set_layout(place, layout, writes);
    if (type.sharded[place].bounds) {
      index_states_.note_move(*transaction, type);
      Escrow escrow;
      escrow.begin(entity, place, 0);
      escrow.look_at_all();
      escrow.put(writes);
    }
    writes.write(0, *transaction);
    if (attempts.commit(*transaction)) break;
  }
  bool is_compacted = false;
  try {
    const NotCompacted failure = try_to_compact(type, key, {});
    is_compacted = failure.why.empty();
    if (!is_compacted) log(failure.why);
  } catch (const StoreUnavailable& error) {
    log_failure(describe(key) + " is not compacted", error);
  }
  if (!is_compacted) context_.loose.note(type, key);
  return layout.shards;
}

std::uint32_t Engine::shards(const EntityType& type, const std::string& key, std::size_t place) {
  const std::string main = main_key(key);
  std::string record;
  if (!context_.store.snapshot()->get(main, record) || is_gone(type, key, record, now(type)))
    throw_not_found(key);
  MainHead head;
  read_head(type, main, record, head);
  return head.layouts[place].shards;
}

std::uint64_t Engine::compact(const EntityType& type, const std::string& key) {
  commit_what_is_buffered(key);
  return detail::compact(context_, index_states_, type, key);
}

std::uint64_t Engine::compact(const EntityType& type) {
  commit_what_is_buffered();
  return compact_kind(context_, index_states_, type);
}

std::uint64_t Engine::compact() {
  std::uint64_t removed = 0;
  for (const EntityType* type : entity_types()) removed += compact(*type);
  const Now now = this->now();
  for (const EntityType* type : expiring_types()) removed += remove_expired_entities(*type, now, nullptr);
  return removed + remove_expired();
}

/// Marks and tokens. Their times are those of machines, which `MapperOptions::clock` does not decide.
std::uint64_t Engine::remove_expired() {
  Expiry expiry(context_.store, store_clock_, seen_marks_, {expires_after(std::chrono::milliseconds(0))});
  while (expiry.remove_some()) {
  }
  return expiry.removed();
}

/// What the thread that compacts does, again and again.
void Engine::run_background() {
  const std::uint64_t outages = outages_;
  in_background("the removal of what has expired has to wait", [this] { remove_expired_when_due(); });
  remove_noticed_entities();
  refresh_indexes_when_due();
  in_background("compaction has to wait", [this] { compact_noted(); });
  if (outages_ == outages) outage_is_logged_ = false;
}

/// Nothing that is thrown ends the thread. Work that fails for another reason than an outage is logged once,
/// and tried again after pauses that grow.
void Engine::in_background(const std::string& complaint, const std::function<void()>& work) {
  if (failures_.is_paused(complaint, platform::Clock::now())) return;
  std::string why;
  try {
    work();
    return failures_.forget(complaint);
  } catch (const StoreUnavailable& error) {
    return log_failure(complaint, error);
  } catch (const std::exception& error) {
    why = error.what();
  } catch (...) {  // out of the application's code
    why = "something that is no std::exception is thrown";
  }
  if (failures_.note(complaint, platform::Clock::now(), context_.options.compact_every))
    log(complaint + ": " + why);
}

/// Entities are noted again for the next time if another mapper compacts now, if the store is unavailable, or
/// if their compaction failed a short time ago. An entity that fails now waits until a load notices it again.
void Engine::compact_noted() {
  LooseEntities::Entities noted = context_.loose.take();
  LooseEntities::Entities later;
  const auto now = platform::Clock::now();
  for (auto entity = noted.begin(); entity != noted.end();) {
    const auto next = std::next(entity);
    if (failures_.is_paused(entity->first, now)) later.insert(noted.extract(entity));
    entity = next;
  }
  const auto note_again = [&] {
    noted.merge(later);
    for (const auto& [key, type] : noted) context_.loose.note(*type, key);
  };
  if (noted.empty()) return note_again();
  bool goes_on = true;
  const auto may_go_on = [&] { return goes_on = goes_on && !stopping_ && compaction_.take(); };
  try {
    while (!noted.empty() && may_go_on()) {
      const auto& [key, type] = *noted.begin();
      const NotCompacted failure = try_to_compact(*type, key, may_go_on);
      if (!goes_on) break;
      if (failure.why.empty()) {
        failures_.forget(key);
      } else if (failures_.note(key, platform::Clock::now(), context_.options.compact_every,
                                failure.made_progress)) {
        log(failure.why);
      }
      noted.erase(noted.begin());
    }
    compaction_.give_up();
  } catch (...) {
    note_again();
    throw;
  }
  note_again();
}

/// Each mapper that leaves such records does it, now and then.
void Engine::remove_expired_when_due() {
  const bool leaves_tokens = context_.leaves_tokens.load(std::memory_order_relaxed);
  if (!context_.writers.leave_marks() && !leaves_tokens) return;
  const auto now = platform::Clock::now();
  if (leaves_tokens) store_clock_.advance_when_due();
  if (now < expiry_due_) return;
  const auto every = std::clamp(context_.options.token_lifetime / 4, kLookAtMostEvery, kLookAtLeastEvery);
  expiry_due_ = now + every;
  remove_expired();
}

/// For those to whom that is not what matters: one entity that cannot be compacted is not to keep the others
/// from it. Throws `StoreUnavailable`.
Engine::NotCompacted Engine::try_to_compact(const EntityType& type, const std::string& key,
                                            const std::function<bool()>& goes_on) {
  NotCompacted failure;
  const auto fail = [&](const std::string& why) {
    failure.why = describe(key) + " is not compacted: " + why;
  };
  try {
    std::string left;
    const std::uint64_t removed = detail::compact(context_, index_states_, type, key, goes_on, &left);
    failure.made_progress = removed > 0;
    if (!left.empty()) fail(left);
  } catch (const StoreUnavailable&) {
    throw;
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {  // out of the application's code
    fail("something that is no std::exception is thrown");
  }
  return failure;
}

}  // namespace autoshard::detail
