/// Saves: each is made from one before, and no two from the same one.
#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "history.h"

namespace autoshard::simulation {

std::vector<const History::Effect*> History::saves_before(int entity, OperationId created,
                                                          OperationId saved) const {
  std::vector<const Effect*> saves;
  while (saved != created) {
    const Effect* save = find(kSave, saved, entity);
    if (!save || save->created != created || saves.size() > effects_.size())
      fail("was saved over something else than #" + std::to_string(created), entity, saved);
    saves.push_back(save);
    saved = save->replaced;
  }
  return saves;
}

void History::check_saved(const View& view, const Effect& created, Step begin, Step others) {
  const bool is_first = view.saved == view.created;
  const Effect& saved = is_first ? created : see(kSave, view.saved, view, "what was saved");
  if (saved.end < created.begin) fail("was saved in a later entity", view.entity, saved.id);
  const std::vector<const Effect*> before = saves_before(view.entity, view.created, view.saved);
  for (const Effect& effect : effects_) {
    if (effect.kind != kSave || effect.entity != view.entity) continue;
    if (must_show(effect, created, begin, others) &&
        std::find(before.begin(), before.end(), &effect) == before.end())
      fail("was saved, and not seen by #" + std::to_string(saved.id) + ", which shows", view.entity,
           effect.id);
  }
}

/// A save that changes sharded members alone refuses no other save, whatever a hook has set. Where an earlier
/// version of the class is used, a later one changes the main record when it moves what lies there.
void History::check_stale(OperationId id, int entity, OperationId created, OperationId saved) {
  ++step_;
  if (lost_at_ != 0 || has_older_version()) return;
  const bool may_be = std::ranges::any_of(effects_, [&](const Effect& other) {
    return other.kind == kSave && other.entity == entity && other.id != id && other.created == created &&
           other.replaced == saved && other.may_be();
  });
  if (!may_be) fail("was refused as stale, though no other save had changed the entity", entity, id);
}

std::size_t History::saves_since(int entity, Step since) const {
  return static_cast<std::size_t>(std::ranges::count_if(effects_, [&](const Effect& effect) {
    return (effect.kind == kSave || effect.kind == kCreate) && effect.entity == entity &&
           (effect.end > since || effect.outcome == kUnknown);
  }));
}

void History::check_saves() {
  std::map<std::tuple<int, OperationId, OperationId>, OperationId> replaced;
  for (const Effect& effect : effects_) {
    if (effect.kind != kSave || (effect.outcome != kDone && effect.seen == kNever)) continue;
    const auto [first, is_first] =
        replaced.try_emplace({effect.entity, effect.created, effect.replaced}, effect.id);
    if (!is_first)
      fail("was saved over what #" + std::to_string(first->second) + " had saved", effect.entity, effect.id);
  }
}

}  // namespace autoshard::simulation
