#pragma once

#include <autoshard/detail/entity_key.h>
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

/// The property of an entity to which an event belongs.
struct PropertyRef {
  EntityKeyView entity;
  std::string_view name{};  ///< empty: the main record as a whole
  /// The present number; 0: the property is in the main record, or each update is a record of its own.
  std::uint32_t shards = 0;
  Shards allowed{0};                 ///< by its annotation
  const EntityType* type = nullptr;  ///< null: the property is in the main record
  std::uint32_t writer = 0;          ///< a number among the concurrent writers of a process

  /// Returns whether the rules may change its number of shards.
  bool is_adaptive() const { return allowed.kind == Shards::Kind::kAdaptive && shards > 0; }
};

/// Returns the sharded property at this place of the entity.
PropertyRef sharded_property(const EntityType& type, std::size_t place, EntityKeyView entity,
                             std::uint32_t shards, std::uint32_t writer);

struct PropertyId {
  EntityKey entity;
  std::string property;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 misreads it
  auto operator<=>(const PropertyId&) const = default;
};

/// The activity of a property in one window. All numbers of events are per second.
struct Activity {
  std::uint32_t shards = 0;
  std::uint32_t least = 0, most = 0;
  std::uint32_t writers = 0;         ///< writers that committed or tried to; at most 64 of each process
  const EntityType* type = nullptr;  ///< null if the activity includes no update or load of this process
  double puts = 0;                   ///< committed updates
  double commits = 0;                ///< transactions of these updates; `puts / commits` waited together
  double conflicts = 0;              ///< transactions that failed because of others
  double retries = 0;                ///< repeated attempts of calls
  double gets = 0;                   ///< loads
  /// The seconds in which these updates, and those of conflicts, waited for their transactions. Known of this
  /// process only.
  double waited = 0;

  double attempts() const { return commits + conflicts; }
};

/// The members of `Activity` that are rates, and that processes exchange.
inline constexpr std::array kRates = {&Activity::puts, &Activity::commits, &Activity::conflicts,
                                      &Activity::retries, &Activity::gets};

/// The activity of the most active properties in one window of time; other properties are missing.
using Window = std::map<PropertyId, Activity>;

/// Adds the activity of another process at about the same time.
void merge(Activity& into, const Activity& other);
void merge(Window& into, const Window& other);

/// Encodes as MessagePack.
std::string encode(const Window& window);
/// Empty if the bytes are no encoded window.
std::optional<Window> decode_window(std::string_view bytes);

}  // namespace autoshard::detail
