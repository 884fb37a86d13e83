#pragma once

#include <autoshard/adaptive.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "history.h"
#include "scheduler.h"

namespace autoshard::simulation {

/// The conflicts that saves through one mapper have met, and which hot spots it must name because of them.
/// From the first conflict of an entity on, the mapper remembers what it loads of it. The next conflict of an
/// object that was loaded since then tells its properties, also those that both saves changed to the same
/// value. Valid for rules by which every conflict counts, and where windows end by calls alone.
class Conflicts {
 public:
  Conflicts(Scheduler& scheduler, const History& history)
      : scheduler_(scheduler), history_(history), begin_(scheduler.time()) {}

  /// A save of the entity was refused. `loaded`: when the load of the object began; empty if it comes from
  /// another call. `changes`: the properties that the save was to change.
  void note(int entity, std::optional<History::Step> loaded, const std::vector<std::string_view>& changes);
  /// A window of statistics is about to end.
  void note_window() { ++windows_; }

  std::size_t noted() const { return noted_.size(); }
  /// Fails the run if one of the first `known` conflicts is missing, and its window ended a short time ago.
  void check(std::string_view kind, const std::vector<HotSpot>& spots, std::size_t known) const;

 private:
  struct Noted {
    int entity;
    std::string property;
    std::uint64_t windows;  // that had ended
  };

  Scheduler& scheduler_;
  const History& history_;
  const Time begin_;
  std::uint64_t windows_ = 0;
  std::map<int, History::Step> first_;  // conflicts of entities
  std::vector<Noted> noted_;
};

}  // namespace autoshard::simulation
