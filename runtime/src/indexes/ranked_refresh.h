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

/// Corrects the entries of dirty entities in a ranked index, in two commits. The first puts a number of its
/// own into the note that the entity is dirty. Then the entity is read, and the second commit writes the
/// entry and removes the note, if the number is still there: an update in between has made the entity dirty
/// again, by a note that it has read, so that it cannot have passed unseen. May be cut short anywhere, and
/// done by several at a time. For one thread.
class RankedRefresh {
 public:
  /// What is passed must outlive it. See `EntityIndex::refresh`.
  RankedRefresh(CommitContext& context, const RankedIndex& index, Failures* failures);

  /// Goes through the entities that are dirty when it gets to them; one that is updated again meanwhile stays
  /// dirty. `goes_on`, unless empty, is asked before each batch. Returns how many are right now.
  std::uint64_t run(const std::function<bool()>& goes_on);

 private:
  struct Dirty {
    std::string id;
    bool is_read = false;            // after the first commit
    std::shared_ptr<void> entity{};  // its value; null if there is none any more
  };

  std::uint64_t refresh(std::span<Dirty> entities);
  bool begin(std::span<const Dirty> entities);
  void read(std::span<Dirty> entities);
  std::optional<std::uint64_t> end(std::span<const Dirty> entities);
  bool commit(Transaction& transaction, std::span<const Dirty> entities);
  void note_failure(const Dirty& dirty, const char* reason) const;

  CommitContext& context_;
  const RankedIndex& index_;
  Failures* const failures_;
  std::string number_;  // of the batch, as it is stored
};

}  // namespace autoshard::detail
