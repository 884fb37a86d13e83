/// What updates have met of the bounded number of an entity, and whether bounds may have refused them.
#include <algorithm>
#include <cstdlib>

#include "history.h"

namespace autoshard::simulation {

void History::note_number(int entity, std::optional<int> number, const std::vector<OperationId>& changes) {
  std::vector<std::optional<Met>>& noted = met_in(entity);
  if (!number) return noted.push_back(std::nullopt);
  Met met{*number, *number};
  const auto take_back = [&](const Effect& effect) {  // in whatever order
    met.most += std::max(effect.amount, 0);
    met.least += std::min(effect.amount, 0);
  };
  bool is_replaced = false;
  for (const OperationId id : changes) {
    const Effect* effect = find(kUpdate, id, entity);
    if (!effect) fail("was never asked for, and has changed a number with bounds", entity, id);
    if (replaces_number(*effect)) {
      is_replaced = true;
    } else {
      take_back(*effect);
    }
  }
  if (is_replaced) {
    // Updates of this commit that the replacement has voided left no trace: whatever has no end yet may be
    // one. They met the number before it, or that of a replacement which is voided itself.
    const auto may_be_voided = [&](const Effect& effect) {
      return effect.kind == kUpdate && effect.entity == entity && effect.outcome != kDone &&
             effect.may_be() && (effect.parts & rules_.bounded);
    };
    const auto meet = [&](int least, int most) {
      met = {std::min(met.least, least), std::max(met.most, most)};
    };
    if (!noted.empty() && noted.back()) meet(noted.back()->least, noted.back()->most);
    for (const Effect& effect : effects_) {
      if (may_be_voided(effect) && replaces_number(effect))
        meet(std::abs(effect.amount), std::abs(effect.amount));
    }
    for (const Effect& effect : effects_) {
      if (may_be_voided(effect) && !replaces_number(effect))
        met = {met.least - std::abs(effect.amount), met.most + std::abs(effect.amount)};
    }
    met.with_pending = true;
  }
  noted.emplace_back(met);
}

/// What replaces the number keeps to all bounds. Bounds that have become narrower do not refuse what leads
/// back to them.
void History::check_exceeded(Number number) {
  const Effect& effect = effects_[number];
  const std::vector<std::optional<Met>>& noted = met_in(effect.entity);
  const bool is_bounded = (effect.parts & rules_.bounded) && !replaces_number(effect);
  for (std::size_t i = std::max<std::size_t>(effect.states_noted, 1) - 1; is_bounded && i < noted.size();
       ++i) {
    if (!noted[i]) continue;
    const int own = noted[i]->with_pending && i >= effect.states_noted ? std::abs(effect.amount) : 0;
    if (effect.amount > 0 ? noted[i]->least + own < effect.amount
                          : noted[i]->most - own - effect.amount > bound_of(effect))
      return;
  }
  fail("was refused, though there was never one too many", effect.entity, effect.id);
}

}  // namespace autoshard::simulation
