#include "rules.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <bit>
#include <string>

namespace autoshard::detail {
namespace {

/// The approximate number of commits if there were no conflicts.
double load_of(const Activity& window) { return window.puts + window.conflicts; }

double& split_load(RuleState& state) { return state.split_load[std::bit_width(state.shards)]; }

/// The number of commits per second that the store bears on this many shards. 0: there is no limit.
double bearable(const AdaptiveRules& rules, std::uint32_t shards) {
  return rules.sustained_share * rules.sustained_writes * shards;
}

/// Returns whether the records have reached the load that they bear.
bool nears_limit(const AdaptiveRules& rules, const Activity& window) {
  const double most = bearable(rules, std::max(window.shards, 1U));
  return most > 0 && window.attempts() >= most;
}

/// Returns whether half as many shards would have at least half of the load that they bear.
bool would_be_much(const AdaptiveRules& rules, const Activity& window) {
  const double most = bearable(rules, std::max(window.shards / 2, 1U));
  return most > 0 && window.attempts() > most / 2;
}

std::chrono::seconds quiet_for(const AdaptiveRules& rules, const RuleState& state) {
  return std::max(rules.quiet_for, state.quiet_for);
}

void note_resize(const AdaptiveRules& rules, RuleState& state, std::uint32_t shards, Time now) {
  const bool is_split = shards > state.shards;
  state.shards = shards;
  state.hot_windows = 0;
  state.quiet_since.reset();
  if (!is_split) {
    state.halved_at = now;
    return;
  }
  split_load(state) = state.load;
  if (!state.halved_at) return;
  state.halved_at.reset();
  state.quiet_for = std::min(2 * quiet_for(rules, state), std::max(rules.quiet_for, rules.quiet_for_at_most));
}

/// A halving that has lasted so long was right.
void forget_halving(const AdaptiveRules& rules, RuleState& state, Time now) {
  if (!state.halved_at || now - *state.halved_at < 2 * quiet_for(rules, state)) return;
  state.halved_at.reset();
  state.quiet_for = {};
}

}  // namespace

AdaptiveRules checked(const AdaptiveRules& rules) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw InvalidUse(std::string("AdaptiveRules: ") + what);
  };
  require(rules.window.count() >= 0, "window is negative");
  require(rules.conflicts_per_second > 0, "conflicts_per_second is not positive");
  require(rules.conflict_share > 0, "conflict_share is not positive");
  require(rules.updates_per_commit > 0, "updates_per_commit is not positive");
  require(rules.sustained_share > 0, "sustained_share is not positive");
  require(rules.sustained_writes >= 0, "sustained_writes is negative");
  require(rules.hot_windows > 0, "hot_windows is 0");
  require(rules.shards_read_per_second > 0, "shards_read_per_second is not positive");
  require(rules.quiet_ratio > 0, "quiet_ratio is not positive");
  require(rules.quiet_for.count() >= 0, "quiet_for is negative");
  require(rules.quiet_for_at_most.count() >= 0, "quiet_for_at_most is negative");
  return rules;
}

bool has_conflicts(const AdaptiveRules& rules, const Activity& window) {
  return window.conflicts >= rules.conflicts_per_second &&
         window.conflicts >= rules.conflict_share * window.attempts();
}

bool is_hot(const AdaptiveRules& rules, const Activity& window) {
  return has_conflicts(rules, window) || nears_limit(rules, window) ||
         (window.commits > 0 && window.puts >= rules.updates_per_commit * window.commits);
}

std::uint32_t most_useful(const AdaptiveRules& rules, const Activity& window) {
  const double for_loads = rules.shards_read_per_second / std::max(window.gets, 1e-9);
  // A single writer meets no conflicts. If there are conflicts, there is another writer that is not counted.
  const std::uint32_t writers = std::max(has_conflicts(rules, window) ? 2U : 1U, window.writers);
  return static_cast<std::uint32_t>(std::clamp(for_loads, 1.0, static_cast<double>(writers)));
}

Decision decide(const AdaptiveRules& rules, RuleState& state, const Activity& window, Time end_of_window,
                const Doubt& doubt) {
  if (state.shards == 0) state.shards = window.shards;
  forget_halving(rules, state, end_of_window);
  if (window.shards != state.shards) {  // the window covers both numbers, and is representative of neither
    note_resize(rules, state, window.shards, end_of_window);
    return {state.shards, {}};
  }
  state.load = load_of(window);
  const std::uint32_t shards = state.shards;
  if (shards < window.least) return {window.least, "the annotation asks for more"};
  if (shards > window.most) return {window.most, "the annotation allows no more"};

  const std::uint32_t most = std::clamp(most_useful(rules, window), window.least, window.most);
  if (is_hot(rules, window)) {
    state.quiet_since.reset();
    if (doubt.is_repeated) return {shards, {}};
    if (++state.hot_windows < rules.hot_windows || shards >= most) return {shards, {}};
    return {std::min(2 * shards, most), has_conflicts(rules, window) ? "updates meet conflicts"
                                        : nears_limit(rules, window)
                                            ? "writes to one shard near the limit of the store"
                                            : "updates wait in a queue"};
  }
  state.hot_windows = 0;
  if (doubt.is_partial) {
    state.quiet_since.reset();
    return {shards, {}};
  }
  const double quiet_load = std::max(rules.conflicts_per_second, split_load(state) / rules.quiet_ratio);
  if ((state.load > quiet_load || would_be_much(rules, window)) && shards <= most) {
    state.quiet_since.reset();
    return {shards, {}};
  }
  if (!state.quiet_since) state.quiet_since = end_of_window;
  if (shards == window.least || end_of_window - *state.quiet_since < quiet_for(rules, state))
    return {shards, {}};
  return {std::max(shards / 2, window.least), "the load has been low"};
}

}  // namespace autoshard::detail
