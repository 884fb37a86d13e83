#pragma once

#include <autoshard/detail/entity_type.h>

#include <array>
#include <cstddef>
#include <new>

namespace autoshard::detail {

/// Owns a `Shard` of any entity class, or none. Small shards need no allocation.
class ShardValue {
 public:
  ShardValue() = default;
  ~ShardValue() { reset(); }
  ShardValue(const ShardValue&) = delete;
  ShardValue& operator=(const ShardValue&) = delete;

  /// Replaces the shard by a neutral one.
  void* make_neutral(const ShardType& type) {
    return construct(type, [&](void* at) { type.construct(at); });
  }

  /// Replaces the shard by one that is moved from `shard`.
  void* take(const ShardType& type, void* shard) {
    return construct(type, [&](void* at) { type.move(shard, at); });
  }

  /// Returns the shard; null if there is none.
  void* get() { return shard_; }

  void reset() {
    if (!type_) return;
    type_->destroy(shard_);
    free(*type_, shard_);
    type_ = nullptr;
  }

 private:
  static bool fits(const ShardType& type) {
    return type.size <= kRoom && type.alignment <= alignof(std::max_align_t);
  }
  static void free(const ShardType& type, void* at) {
    if (!fits(type)) ::operator delete(at, std::align_val_t(type.alignment));
  }
  template <class Construct>
  void* construct(const ShardType& type, Construct construct_at) {
    reset();
    void* at = fits(type) ? room_.data() : ::operator new(type.size, std::align_val_t(type.alignment));
    try {
      construct_at(at);
    } catch (...) {
      free(type, at);
      throw;
    }
    type_ = &type;
    return shard_ = at;
  }

  static constexpr std::size_t kRoom = 64;
  const ShardType* type_ = nullptr;
  void* shard_ = nullptr;
  alignas(std::max_align_t) std::array<std::byte, kRoom> room_;
};

}  // namespace autoshard::detail
