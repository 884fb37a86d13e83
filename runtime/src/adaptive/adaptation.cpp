#include "adaptation.h"

#include <algorithm>
#include <utility>

#include "check.h"
#include "hot_spots.h"

namespace autoshard::detail {
namespace {

/// The number of windows for which a process's window stays valid in the cache.
constexpr int kWindowsLive = 3;
constexpr std::chrono::milliseconds kLivesAtLeast{3'000};  // caches count in seconds

/// The number of windows over which averages are taken, about.
constexpr std::uint64_t kAveraged = 10;

/// A property is forgotten if its conflicts are this many times fewer than those of a hot spot, or below the
/// least number per second.
constexpr double kNegligible = 100;
constexpr double kLeastConflicts = 1e-3;

/// A shorter window is not judged: one conflict in a microsecond does not mean a million conflicts a second.
constexpr std::chrono::milliseconds kShortest{1};

}  // namespace

Adaptation::Adaptation(const AdaptiveRules& rules, Usage& usage, SharedCache* cache, Log log, Time now)
    : rules_(checked(rules)), usage_(usage), window_began_(now) {
  if (cache) exchange_.emplace(*cache, std::max(kWindowsLive * rules.window, kLivesAtLeast), std::move(log));
}

Adaptation::~Adaptation() {
  if (exchange_) exchange_->leave();
}

void Adaptation::close_window(Time now, const std::function<std::uint32_t(const Resize&)>& resize) {
  const MutexLock lock(window_mutex_);
  if (now - window_began_ < kShortest) return;
  const Window own = usage_.close_window(now - std::exchange(window_began_, now));
  Exchange::Shared shared{.all = own, .news = own};
  if (exchange_) shared = exchange_->share(own);
  auto& [window, news, is_partial] = shared;
  note_main_records(window);
  add_watched(window);
  for (const auto& [id, activity] : window) {
    Watched* const watched = watch(id, activity);
    if (!watched) continue;
    const Doubt doubt{.is_partial = is_partial, .is_repeated = !is_hot(rules_, news[id])};
    const Decision decision = decide(rules_, watched->state, activity, now, doubt);
    AUTOSHARD_CHECK(
        decision.why.empty() || (activity.least <= decision.shards && decision.shards <= activity.most),
        {"shards", decision.shards}, {"least", activity.least}, {"most", activity.most});
    watched->last = activity;
    if (!decision.why.empty() && activity.type)
      watched->last.shards = resize({id, activity.type, activity.shards, decision.shards, decision.why});
    const RuleState& state = watched->state;
    const bool is_as_new = state.quiet_since && !state.halved_at && state.shards == activity.least &&
                           watched->last.shards == state.shards;
    if (is_as_new || watched->last.shards == 0) watched_.erase(id);
  }
}

/// Adds empty windows for watched properties without any activity.
void Adaptation::add_watched(Window& window) const {
  for (const auto& [id, watched] : watched_) {
    const Activity& last = watched.last;
    const auto [found, is_new] = window.try_emplace(id);
    Activity& activity = found->second;
    if (is_new) activity = {.shards = last.shards, .least = last.least, .most = last.most};
    if (!activity.type) activity.type = last.type;
  }
}

/// Returns null if there is nothing to decide about the property.
Adaptation::Watched* Adaptation::watch(const PropertyId& id, const Activity& activity) {
  if (activity.least >= activity.most) return nullptr;  // not adaptive
  const auto found = watched_.find(id);
  if (found != watched_.end()) return &found->second;
  if (!activity.type) return nullptr;  // a property that only other processes use is left to them
  if (activity.shards == activity.least && !is_hot(rules_, activity)) return nullptr;
  AUTOSHARD_CHECK(watched_.size() <= kMostWatched, {"watched", watched_.size()});
  return watched_.size() == kMostWatched ? nullptr : &watched_[id];
}

/// Averages over windows, so that intermittent conflicts show for a while.
void Adaptation::note_main_records(const Window& window) {
  const MutexLock lock(mutex_);
  const double share = 1 / static_cast<double>(std::min(++averaged_, kAveraged));
  for (auto& [id, average] : main_records_) {
    for (const auto rate : kRates) average.*rate *= 1 - share;
  }
  for (const auto& [id, activity] : window) {
    if (activity.shards != 0) continue;
    Activity& average = main_records_[id];
    average.writers = std::max(activity.writers, average.writers);
    for (const auto rate : kRates) average.*rate += share * activity.*rate;
  }
  const double least = std::max(rules_.conflicts_per_second / kNegligible, kLeastConflicts);
  std::erase_if(main_records_, [&](const auto& entry) { return entry.second.conflicts < least; });
}

std::vector<HotSpot> Adaptation::hot_spots() const {
  const MutexLock lock(mutex_);
  return detail::hot_spots(rules_, main_records_);
}

std::size_t Adaptation::remembered() const {
  const MutexLock lock(mutex_);
  return main_records_.size();
}

}  // namespace autoshard::detail
