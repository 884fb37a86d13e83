#pragma once

#include <string_view>

#include "context.h"

namespace autoshard::detail {

/// Drops the cached state of an entity when the scope ends, also by an exception.
class Forgetting {
 public:
  Forgetting(MapperContext& context, std::string_view key) : context_(context), key_(key) {}
  ~Forgetting() { context_.note_change(key_); }
  Forgetting(const Forgetting&) = delete;
  Forgetting& operator=(const Forgetting&) = delete;

 private:
  MapperContext& context_;
  std::string_view key_;
};

}  // namespace autoshard::detail
