#pragma once

#include <autoshard/detail/entity_type.h>

#include <chrono>
#include <functional>
#include <optional>

#include "compactable_scan.h"
#include "context.h"
#include "lease.h"

namespace autoshard::detail {

/// Finds the entities of a kind with windows that compaction has work on, also those that no program loads or
/// updates any more. Walks over the kind once in each interval, a part of it in each call of `run`. Of all
/// mappers on a store, only one walks over a kind. Used by one thread at a time.
class Sweep {
 public:
  using Time = Lease::Time;

  static constexpr std::chrono::seconds kAtMostEvery = std::chrono::minutes(10);
  static constexpr std::chrono::seconds kAtLeastEvery = std::chrono::hours(1);

  /// The arguments must outlive the object.
  Sweep(MapperContext& context, const EntityType& type, Lease::Clock clock = platform::Clock::now);

  /// Returns the interval between the beginnings of two walks over the kind: the length of its shortest
  /// window, but at least `kAtMostEvery` and at most `kAtLeastEvery`.
  static std::chrono::seconds interval(const EntityType& type);

  /// Calls `compact` for some entities. Calls `goes_on` before each step, and stops if it returns false.
  /// Returns when the next call is due. The first calls do nothing, so that a program that ends soon does not
  /// begin a walk.
  Time run(const std::function<void(EntityKeyView)>& compact, const std::function<bool()>& goes_on);

 private:
  bool has_entities() const;

  MapperContext& context_;
  const EntityType& type_;
  const Lease::Clock clock_;
  const std::chrono::seconds interval_;
  Time due_;     // when the next walk begins
  Lease lease_;  // of the mapper that walks; it keeps the lease between its walks
  std::optional<CompactableScan> scan_;
};

}  // namespace autoshard::detail
