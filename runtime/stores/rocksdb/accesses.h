#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "key_locks.h"

namespace autoshard::rocksdb_store {

/// How a transaction has accessed a key.
struct Access {
  KeyLocks::Key* key = nullptr;  // which the transaction watches
  std::size_t hash = 0;          // of the name of the key
  std::uint64_t version = 0;     // of the key at the first access
  bool read = false;
  bool written = false;
  bool removed = false;  // the write is a removal
  std::string value;     // the written value, unless the write is a removal
};

/// The accesses of a transaction, in the order of the first access to each key. `clear` keeps the memory.
class Accesses {
 public:
  /// Returns null if there is no access to the key. The pointer is valid until the next `reserve`.
  Access* find(std::string_view name, std::size_t hash) {
    for (std::size_t at = place(hash); places_[at] != kFree; at = next(at)) {
      Access& access = list_[places_[at]];
      if (access.hash == hash && access.key->name() == name) return &access;
    }
    return nullptr;
  }

  /// Makes room for one more access, so that `add` does not throw.
  void reserve() {
    if (used_ == list_.size()) list_.emplace_back();
    if (2 * (used_ + 1) <= places_.size()) return;
    places_.assign(2 * places_.size(), kFree);
    for (std::size_t i = 0; i < used_; ++i) note(i);
  }

  /// Adds the access to a key that has none. To be called after `reserve`.
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
    if (used_ < places_.size() / 8) {  // an earlier transaction was larger
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
  /// Indexes of `list_`, by hash. The size is a power of two.
  std::vector<std::uint32_t> places_ = std::vector<std::uint32_t>(16, kFree);
};

}  // namespace autoshard::rocksdb_store
