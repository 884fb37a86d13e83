#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "attempts.h"
#include "failures.h"
#include "ranked_index.h"

namespace autoshard::detail {

/// Corrects the entries of dirty entities in a ranked index, in two commits. The first commit writes a unique
/// number into the dirty record. Then the entity is read. The second commit writes the entry and removes the
/// dirty record, if the number is still there. An update in between has made the entity dirty again by
/// overwriting the record, so it is never missed. May be interrupted anywhere, and may run several times
/// concurrently. Used by one thread at a time.
class RankedRefresh {
 public:
  /// The arguments must outlive the object. See `EntityIndex::refresh`.
  RankedRefresh(CommitContext& context, const RankedIndex& index, Failures* failures);

  /// Refreshes the entities that are dirty when the walk reaches them; an entity that is updated meanwhile
  /// stays dirty. `goes_on`, unless empty, is called before each batch. Returns the number of corrected
  /// entities.
  std::uint64_t run(const std::function<bool()>& goes_on);

 private:
  struct Dirty {
    std::string id;
    bool is_read = false;            // after the first commit
    std::shared_ptr<void> entity{};  // its value; null if the entity is gone
  };

  std::uint64_t refresh(std::span<Dirty> entities);
  bool begin(std::span<const Dirty> entities);
  void read(std::span<Dirty> entities);
  std::optional<std::uint64_t> end(std::span<const Dirty> entities);
  bool commit(Transaction& transaction, std::span<const Dirty> entities);
  void note_failure(const Dirty& dirty, const std::string& reason) const;

  CommitContext& context_;
  const RankedIndex& index_;
  Failures* const failures_;
  std::string number_;  // of the batch, as stored
};

}  // namespace autoshard::detail
