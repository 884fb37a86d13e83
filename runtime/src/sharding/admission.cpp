#include "admission.h"

#include <algorithm>

namespace autoshard::detail {

void Admission::begin(UpdatedEntity& entity, const ShardAffinity& affinity) {
  entity_ = &entity;
  affinity_ = &affinity;
  used_ = 0;
  why_ = nullptr;
}

void Admission::add(std::size_t place) {
  if (used_ == escrows_.size()) escrows_.push_back(std::make_unique<Escrow>());
  Escrow& escrow = *escrows_[used_++];
  escrow.begin(*entity_, place, affinity_->pick(entity_->head.layouts[place].numbered()));
}

void Admission::restart() {
  for (const auto& escrow : escrows()) escrow->restart();
}

Admission::Answer Admission::admit(void* shard) {
  const auto full =
      std::ranges::find_if(escrows(), [&](const auto& escrow) { return !escrow->has_room(shard); });
  if (full == escrows().end()) {
    for (const auto& escrow : escrows()) escrow->admit(shard);
    return Answer::kAdmitted;
  }
  if ((*full)->looks_at_all()) {
    why_ = (*full)->exceeded();
    return Answer::kRefused;
  }
  (*full)->look_at_all();
  return Answer::kLookMore;
}

std::span<const std::size_t> Admission::changed() {
  changed_.clear();
  for (const auto& escrow : escrows()) {
    if (escrow->has_admitted()) changed_.push_back(escrow->place());
  }
  return changed_;
}

void Admission::stage(StagedWrites& writes) {
  for (const auto& escrow : escrows()) {
    if (escrow->has_admitted()) escrow->put(writes);
  }
}

}  // namespace autoshard::detail
