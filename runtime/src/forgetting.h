#pragma once

#include <string_view>

#include "notes.h"

namespace autoshard::detail {

/// Drops the cached state of an entity when the scope ends, also by an exception.
class Forgetting {
 public:
  Forgetting(Notes& notes, std::string_view key) : notes_(notes), key_(key) {}
  ~Forgetting() { notes_.note_change(key_); }
  Forgetting(const Forgetting&) = delete;
  Forgetting& operator=(const Forgetting&) = delete;

 private:
  Notes& notes_;
  std::string_view key_;
};

}  // namespace autoshard::detail
