#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "escrow.h"
#include "shard_affinity.h"
#include "updated_entity.h"

namespace autoshard::detail {

/// Decides which updates of one entity are admitted if properties have bounds: it goes through the updates in
/// their order, and admits each one for which there is room. Reuses its memory from one entity to the next.
class Admission {
 public:
  /// Begins with an entity; `add` then names the properties with bounds. `entity` must outlive the use.
  void begin(UpdatedEntity& entity, const ShardAffinity& affinity);
  void add(std::size_t place);
  bool is_needed() const { return used_ > 0; }

  /// Discards what was admitted.
  void restart();

  enum class Answer {
    kAdmitted,
    kRefused,  ///< see `why`
    /// A property has now looked at all of its shards: call `restart` and begin again.
    kLookMore,
  };
  /// Decides about one more update, the `Shard` of an entity.
  Answer admit(void* shard);
  /// Returns the `BoundExceeded` of the last refused update.
  std::exception_ptr why() const { return why_; }

  /// Returns the properties of which admitted updates change the value. The other properties only need
  /// validation of the records that a refusal has read.
  std::span<const std::size_t> changed();
  /// Stages the admitted updates.
  void stage(StagedWrites& writes);

 private:
  std::span<const std::unique_ptr<Escrow>> escrows() const { return {escrows_.data(), used_}; }

  UpdatedEntity* entity_ = nullptr;
  const ShardAffinity* affinity_ = nullptr;
  std::vector<std::unique_ptr<Escrow>> escrows_;
  std::size_t used_ = 0;
  std::vector<std::size_t> changed_;
  std::exception_ptr why_;
};

}  // namespace autoshard::detail
