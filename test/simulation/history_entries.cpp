/// Entries of maps: an update puts one in the place of an earlier one of the same key, and those that are
/// elements may be erased.
#include <algorithm>
#include <string>

#include "history.h"

namespace autoshard::simulation {

/// The entry of each key is of this update, or of one that may have come after it.
void History::check_entries(const View& view, const Effect& effect) {
  for (const View::Shown& shown : view.shown) {
    if ((shown.parts & effect.parts & rules_.entries & ~lacks(view)) == 0) continue;
    const auto entry = std::find_if(shown.effects.begin(), shown.effects.end(), [&](const auto& shows) {
      return shows.first % kKeys == effect.id % kKeys;
    });
    if (entry == shown.effects.end() && (shown.parts & rules_.elements) && may_be_erased(effect)) {
      note_erasure_of(effect);
      continue;
    }
    if (entry == shown.effects.end())
      fail("is missing in " + std::string(shown.name), view.entity, effect.id);
    if (entry->first == effect.id) continue;
    const Effect& shows = *find(kUpdate, entry->first, view.entity);
    const auto outranks = [&](const Effect& other) {
      return (shown.parts & rules_.outranked) != 0 &&
             (shows.version > other.version || (has_older_version() && shows.id > other.id));
    };
    // This update, or one that may have taken its place.
    const auto takes_its_place = [&](const Effect& other) {
      return other.kind == kUpdate && other.entity == view.entity && other.id % kKeys == effect.id % kKeys &&
             (other.parts & shown.parts & rules_.entries) != 0 && other.may_come_after(effect);
    };
    const bool has_outranked = std::ranges::any_of(
        effects_, [&](const Effect& other) { return takes_its_place(other) && outranks(other); });
    if (!has_outranked && !shows.may_come_after(effect))
      fail("put an entry, and the older one of #" + std::to_string(entry->first) + " shows in " +
               std::string(shown.name),
           view.entity, effect.id);
  }
}

/// Whether that call may have erased the entry of the update, as an element.
bool History::may_erase(const Effect& erasure, const Effect& effect) const {
  return erasure.kind == kEraseElement && erasure.entity == effect.entity && (erasure.parts & effect.parts) &&
         erasure.id % kKeys == effect.id % kKeys && erasure.may_come_after(effect) &&
         erasure.taken >= effect.begin;
}

bool History::may_be_erased(const Effect& effect) const {
  return std::ranges::any_of(effects_, [&](const Effect& other) { return may_erase(other, effect); });
}

/// Of an update that does not show. If no more than one call may have erased its entry, that call erases no
/// entry that is put from now on. An earlier version of the class may have what was put compacted with what
/// it had put itself, which is erased all the same.
void History::note_erasure_of(const Effect& effect) {
  if (has_older_version()) return;
  Effect* only = nullptr;
  for (Effect& other : effects_) {
    if (!may_erase(other, effect)) continue;
    if (only) return;
    only = &other;
  }
  only->taken = std::min(only->taken, step_);
}

/// An entry that shows was not erased after it was put.
void History::check_element(const View::Shown& shown, const Effect& effect, Step begin, Step others) const {
  for (const Effect& erased : effects_) {
    if (erased.kind != kEraseElement || erased.entity != effect.entity || !(erased.parts & shown.parts) ||
        erased.id % kKeys != effect.id % kKeys || effect.may_come_after(erased))
      continue;
    const bool own = erased.process == scheduler_.process();
    if (is_acknowledged(erased, own ? begin : others))
      fail("was erased by #" + std::to_string(erased.id) + ", and shows in " + std::string(shown.name),
           effect.entity, effect.id);
  }
}

void History::check_no_element(const Operation& operation, Step begin) {
  ++step_;
  if (begin < lost_at_) return;
  for (const Effect& effect : effects_) {
    if (effect.kind != kUpdate || effect.entity != operation.entity ||
        effect.id % kKeys != operation.id % kKeys || !(effect.parts & operation.parts) ||
        effect.outcome != kDone || effect.end >= begin)
      continue;
    const bool is_gone = std::ranges::any_of(effects_, [&](const Effect& other) {
      return other.kind == kErase && other.entity == effect.entity && other.may_come_after(effect);
    });
    if (is_gone) continue;
    if (may_be_erased(effect)) {
      note_erasure_of(effect);
      continue;
    }
    fail("found no element, and there was one of #" + std::to_string(effect.id), effect.entity, operation.id);
  }
}

}  // namespace autoshard::simulation
