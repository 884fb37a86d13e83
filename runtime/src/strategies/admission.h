#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "escrow.h"
#include "lane.h"
#include "updated_entity.h"

namespace autoshard::detail {

/// Decides which of the updates of one entity are made, where properties have bounds: in their order, those
/// for which there is room. Keeps its memory from one entity to the next.
class Admission {
 public:
  /// Begins with an entity and the properties whose updates are to be admitted. `entity` must outlive the
  /// use.
  void begin(UpdatedEntity& entity, const Lane& lane);
  void add(std::size_t place);
  bool is_needed() const { return used_ > 0; }

  /// Forgets what was admitted.
  void restart();

  enum class Answer {
    kAdmitted,
    kRefused,   ///< see `why`
    kLookMore,  ///< a property has looked at all of its shards only now: begin again with `restart`
  };
  /// Asks for one more update, the `Shard` of an entity.
  Answer admit(void* shard);
  /// `BoundExceeded`, of the update that was refused last.
  std::exception_ptr why() const { return why_; }

  /// The places of the properties of which updates were admitted that change the value. What is refused needs
  /// validating, and no more.
  std::span<const std::size_t> changed();
  /// Stages what was admitted.
  void stage(StagedWrites& writes);

 private:
  std::span<const std::unique_ptr<Escrow>> escrows() const { return {escrows_.data(), used_}; }

  UpdatedEntity* entity_ = nullptr;
  const Lane* lane_ = nullptr;
  std::vector<std::unique_ptr<Escrow>> escrows_;
  std::size_t used_ = 0;
  std::vector<std::size_t> changed_;
  std::exception_ptr why_;
};

}  // namespace autoshard::detail
