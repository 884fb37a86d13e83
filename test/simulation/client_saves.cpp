/// Saves of an entity that a client holds, and their conflicts.
#include <autoshard/admin.h>
#include <autoshard/errors.h>

#include <optional>
#include <string_view>
#include <vector>

#include "client.h"

namespace autoshard::simulation {
namespace {

constexpr int kSaves = 3;  // of the same object, after errors that leave it as it was

/// The properties in the main record that a save of that entity changes, by names that no version changes.
template <class E>
std::vector<std::string_view> changes_of(const E& entity, const Operation& operation) {
  std::vector<std::string_view> names = {"saved"};
  if constexpr (Use<E>::kWorld == World::kAlbums) {
    if (E::shelf_of(operation.id) != E::shelf_of(entity.saved())) names.emplace_back("shelf");
  }
  return names;
}

}  // namespace

template <class E>
void Client<E>::save(const Operation& operation) {
  if (!held_) return;
  const int entity = held_->number();
  const OperationId created = held_->created(), before = held_->saved();
  saving_ = {entity, created};
  std::optional<Number> saved;
  if (operation.kind == Operation::kSave) saved = history_.begin(History::kSave, operation, entity);
  const Number updated = history_.begin(History::kUpdate, operation, entity);
  const History::Step begin = history_.now();
  if (saved) history_.set_replaced(*saved, created, before);
  const auto end = [&](History::Outcome of_main, History::Outcome of_updates) {
    if (saved) history_.end(*saved, of_main);
    history_.end(updated, of_updates);
  };
  const std::vector<std::string_view> changes = changes_of(*held_, operation);
  try {
    if (saved) held_->save_by(operation);
    held_->update([&](auto& shard) { Use<E>::change(shard, operation); });
  } catch (...) {
    held_.reset();
    const History::Outcome outcome = judge(operation, begin, std::current_exception());
    return end(outcome, outcome);
  }
  for (int saves = 1;; ++saves) {
    try {
      mapper_.save(*held_);
      loaded_.reset();
      history_.check_present(operation.id, entity, begin, created);
      return end(History::kDone, History::kDone);
    } catch (const BoundExceeded&) {
      history_.check_exceeded(updated);
      end(History::kDone, History::kFailed);
    } catch (const StaleEntity&) {
      if (saves == 1) history_.check_stale(operation.id, entity, created, before);
      if (saves == 1 && saved) conflicts_.note(entity, loaded_, changes);
      end(saves == 1 ? History::kFailed : History::kUnknown, History::kFailed);
    } catch (...) {
      const History::Outcome outcome = judge(operation, begin, std::current_exception());
      // A codec that throws may also throw when the mapper gives members their values from before the hook.
      const bool leaves_it = outcome == History::kFailed && (saved || plan_.user_errors == 0);
      if (leaves_it && saves < kSaves && operation.number != 0) continue;
      end(History::kUnknown, outcome);
    }
    return held_.reset();
  }
}

/// A window of less than a millisecond would not be judged.
template <class E>
void Client<E>::ask_for_hot_spots(const Operation& operation) {
  attempt(operation, {}, [&] {
    const std::size_t known = conflicts_.noted();
    scheduler_.sleep(std::chrono::milliseconds(2));
    conflicts_.note_window();
    admin::adapt(mapper_, std::chrono::steady_clock::time_point(scheduler_.time()));
    conflicts_.check(rules_.entity, admin::hot_spots(mapper_), known);
  });
}

template void Client<Ledger>::save(const Operation&);
template void Client<Ledger>::ask_for_hot_spots(const Operation&);
template void Client<Album<1>>::save(const Operation&);
template void Client<Album<1>>::ask_for_hot_spots(const Operation&);
template void Client<Album<2>>::save(const Operation&);
template void Client<Album<2>>::ask_for_hot_spots(const Operation&);
template void Client<Permit<1>>::save(const Operation&);
template void Client<Permit<1>>::ask_for_hot_spots(const Operation&);
template void Client<Permit<2>>::save(const Operation&);
template void Client<Permit<2>>::ask_for_hot_spots(const Operation&);

}  // namespace autoshard::simulation
