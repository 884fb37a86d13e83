#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/generated.h>

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace autoshard::detail {

/// What something happened to: a property of an entity.
struct PropertyRef {
  std::string_view entity;           ///< its key
  std::string_view name{};           ///< empty: the main record as a whole
  std::uint32_t shards = 0;          ///< that it has now; 0: it is in the main record
  Shards allowed{0};                 ///< by its annotation
  const EntityType* type = nullptr;  ///< whoever is to resize it needs that
  std::uint32_t writer = 0;          ///< a number, of those in a process that commit at the same time
};

/// The property of this entity at this place, if it is one that adapts to what happens to it.
std::optional<PropertyRef> adaptive_property(const EntityType& type, std::size_t place,
                                             std::string_view entity, std::uint32_t shards,
                                             std::uint32_t writer);

struct PropertyId {
  std::string entity;
  std::string property;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads it
  auto operator<=>(const PropertyId&) const = default;
};

/// What happened to a property in one window. All numbers of events are a second.
struct Activity {
  std::uint32_t shards = 0;
  std::uint32_t least = 0, most = 0;
  std::uint32_t writers = 0;         ///< that committed, or tried to; up to 64 of a process
  const EntityType* type = nullptr;  ///< null if no update or load of this process was among them
  double puts = 0;                   ///< updates that were committed
  double commits = 0;                ///< transactions that did it: so many puts each had waited together
  double conflicts = 0;              ///< transactions that did nothing, because of others
  double retries = 0;                ///< further attempts of calls
  double gets = 0;                   ///< loads

  double attempts() const { return commits + conflicts; }
};

/// Its rates.
inline constexpr std::array kRates = {&Activity::puts, &Activity::commits, &Activity::conflicts,
                                      &Activity::retries, &Activity::gets};

/// What happened in one window of time to those properties to which most happened; others are missing.
using Window = std::map<PropertyId, Activity>;

/// Adds what happened elsewhere, at about the same time.
void merge(Activity& into, const Activity& other);
void merge(Window& into, const Window& other);

/// As MessagePack.
std::string encode(const Window& window);
/// Empty if nobody could have encoded that.
std::optional<Window> decode_window(std::string_view bytes);

}  // namespace autoshard::detail
