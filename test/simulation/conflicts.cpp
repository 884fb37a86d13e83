#include "conflicts.h"

#include <algorithm>

#include "recent_records.h"

namespace autoshard::simulation {
namespace {

/// So long after the begin of the mapper, and so many windows later, one conflict is far above the least
/// number for each second that the mapper keeps.
constexpr std::chrono::seconds kSoon(20);
constexpr std::uint64_t kWindows = 8;

}  // namespace

void Conflicts::note(int entity, std::optional<History::Step> loaded,
                     const std::vector<std::string_view>& changes) {
  const auto [first, is_first] = first_.try_emplace(entity, history_.step());
  if (is_first || !loaded || *loaded <= first->second) return;
  if (history_.saves_since(entity, *loaded) >= detail::RecentRecords::kMostVersions) return;
  for (const std::string_view property : changes) noted_.push_back({entity, std::string(property), windows_});
}

void Conflicts::check(std::string_view kind, const std::vector<HotSpot>& spots, std::size_t known) const {
  if (scheduler_.time() - begin_ > kSoon) return;
  for (std::size_t i = 0; i < known; ++i) {
    const auto& [entity, property, windows] = noted_[i];
    const std::string name = std::string(kind) + ' ' + std::to_string(entity);
    const bool is_named = std::ranges::any_of(
        spots, [&](const HotSpot& spot) { return spot.entity == name && spot.property == property; });
    if (!is_named && windows_ - windows <= kWindows)
      scheduler_.fail("no hot spot is the property \"" + property + "\" of " + name +
                      ", which a refused save was to change");
  }
}

}  // namespace autoshard::simulation
