#pragma once

#include <autoshard/store.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "check.h"
#include "keys.h"

namespace autoshard::detail {

/// Collects the writes of a transaction until all of them are known, so that an update that fails leaves no
/// writes. Reuses its memory.
class StagedWrites {
 public:
  struct Write {
    RecordKey key;
    std::string value;
    enum Kind { kPut, kErase, kFold } kind = kPut;
    NumberFold fold;  // of a number; `value` holds the elements after it

    /// The size of the key and the value.
    std::size_t bytes() const { return key.size() + (kind == kErase ? 0 : value.size()); }
  };

  std::size_t size() const { return used_; }
  /// The size of the keys and values of the writes from `first` on.
  std::size_t bytes(std::size_t first = 0) const {
    std::size_t bytes = 0;
    for (std::size_t i = first; i < used_; ++i) bytes += writes_[i].bytes();
    return bytes;
  }
  void shrink(std::size_t size) {
    AUTOSHARD_CHECK(size <= used_, {"size", size}, {"used", used_});
    used_ = size;
  }

  /// As `bytes`, without the largest record: the bytes that could be divided among several commits.
  std::size_t divisible_bytes(std::size_t first) const {
    std::size_t largest = 0;
    for (std::size_t i = first; i < used_; ++i) largest = std::max(largest, writes_[i].bytes());
    return bytes(first) - largest;
  }

  /// Each function adds a write for the caller to fill in.
  Write& put() { return next(Write::kPut); }
  Write& erase() { return next(Write::kErase); }
  Write& fold() { return next(Write::kFold); }

  /// Returns the size of the longest key among the writes from `first` on that need room in the store. A
  /// removal needs none.
  std::size_t longest_key(std::size_t first) const {
    std::size_t longest = 0;
    for (std::size_t i = first; i < used_; ++i) {
      if (writes_[i].kind != Write::kErase) longest = std::max(longest, writes_[i].key.size());
    }
    return longest;
  }

  /// Passes the writes from `first` on to the transaction.
  void write(std::size_t first, Transaction& transaction) const {
    AUTOSHARD_CHECK(first <= used_, {"first", first}, {"used", used_});
    for (std::size_t i = first; i < used_; ++i) {
      const Write& write = writes_[i];
      if (write.kind == Write::kErase) {
        transaction.erase(write.key);
      } else if (write.kind == Write::kPut) {
        transaction.put(write.key, write.value);
      } else {
        NumberFold fold = write.fold;
        fold.others = write.value;
        transaction.fold(write.key, fold);
      }
    }
  }

 private:
  Write& next(Write::Kind kind) {
    if (used_ == writes_.size()) writes_.emplace_back();
    Write& write = writes_[used_++];
    write.kind = kind;
    return write;
  }

  std::vector<Write> writes_;
  std::size_t used_ = 0;
};

}  // namespace autoshard::detail
