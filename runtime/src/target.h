#pragma once

#include <autoshard/detail/entity_type.h>
#include <autoshard/store.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "record.h"

namespace autoshard::detail {

/// Writes that are put into a transaction when all of them are known, so that one that cannot be made leaves
/// no others. Keeps its memory.
class StagedWrites {
 public:
  struct Write {
    std::string key, value;
    bool erases = false;
  };

  std::size_t size() const { return used_; }
  void shrink(std::size_t size) { used_ = size; }

  /// To be filled in.
  Write& put() { return next(false); }
  Write& erase() { return next(true); }

  /// Those from the `first` on.
  void write(std::size_t first, Transaction& transaction) const {
    for (std::size_t i = first; i < used_; ++i) {
      const Write& write = writes_[i];
      write.erases ? transaction.erase(write.key) : transaction.put(write.key, write.value);
    }
  }

 private:
  Write& next(bool erases) {
    if (used_ == writes_.size()) writes_.emplace_back();
    Write& write = writes_[used_++];
    write.erases = erases;
    return write;
  }

  std::vector<Write> writes_;
  std::size_t used_ = 0;
};

/// The entity that a transaction is about to update. Keeps its memory from one to the next.
struct Target {
  /// Reads the main record; `NotFound` if there is none.
  void read(Store& its_store, Transaction& its_transaction, const EntityType& its_type,
            std::string_view its_key);

  /// The property's records lie so from this transaction on.
  void set_layout(std::size_t place, const Layout& layout, StagedWrites& writes);

  Store* store = nullptr;
  Transaction* transaction = nullptr;
  const EntityType* type = nullptr;
  std::string_view key;
  std::string main_key, main_record;
  MainHead head;
};

}  // namespace autoshard::detail
