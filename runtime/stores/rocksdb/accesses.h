#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "key_locks.h"

namespace autoshard::rocksdb_store {

/// What a transaction did with a key.
struct Access {
  KeyLocks::Key* key = nullptr;  // watched
  std::size_t hash = 0;          // of its name
  std::uint64_t version = 0;     // when it was watched first
  bool read = false;             // since then
  bool written = false;
  bool removed = false;  // if it is written
  std::string value;     // that is written, unless it is removed
};

/// What a transaction did with which keys, in the order in which it came to them. Keeps its memory.
class Accesses {
 public:
  /// Null if it has not come to this key. Good until the next `add`.
  Access* find(std::string_view name, std::size_t hash) {
    for (std::size_t at = place(hash); places_[at] != kFree; at = next(at)) {
      Access& access = list_[places_[at]];
      if (access.hash == hash && access.key->name() == name) return &access;
    }
    return nullptr;
  }

  /// Room for one more: afterwards `add` does not throw.
  void reserve() {
    if (used_ == list_.size()) list_.emplace_back();
    if (2 * (used_ + 1) <= places_.size()) return;
    places_.assign(2 * places_.size(), kFree);
    for (std::size_t i = 0; i < used_; ++i) note(i);
  }

  /// Of a key that it has not come to; after `reserve`.
  Access& add(KeyLocks::Key* key, std::size_t hash, std::uint64_t version) noexcept {
    Access& access = list_[used_];
    access.key = key;
    access.hash = hash;
    access.version = version;
    access.read = access.written = access.removed = false;
    note(used_++);
    return access;
  }

  void clear() {
    if (used_ < places_.size() / 8) {  // there was a larger one
      for (std::size_t i = 0; i < used_; ++i) {
        std::size_t at = place(list_[i].hash);
        while (places_[at] != i) at = next(at);
        places_[at] = kFree;
      }
    } else {
      std::fill(places_.begin(), places_.end(), kFree);
    }
    used_ = 0;
  }

  std::size_t size() const { return used_; }
  Access* begin() { return list_.data(); }
  Access* end() { return list_.data() + used_; }

 private:
  static constexpr std::uint32_t kFree = ~std::uint32_t{0};

  std::size_t place(std::size_t hash) const { return hash & (places_.size() - 1); }
  std::size_t next(std::size_t at) const { return (at + 1) & (places_.size() - 1); }
  void note(std::size_t index) noexcept {
    std::size_t at = place(list_[index].hash);
    while (places_[at] != kFree) at = next(at);
    places_[at] = static_cast<std::uint32_t>(index);
  }

  std::vector<Access> list_;
  std::size_t used_ = 0;
  std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(16, kFree);  // by hash; a power of two
};

}  // namespace autoshard::rocksdb_store
