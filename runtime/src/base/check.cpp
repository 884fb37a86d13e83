#include "check.h"

#include <cstdio>
#include <cstdlib>

#include "hex.h"

namespace autoshard::detail {

ShownValue::ShownValue(std::string_view its_name, std::string_view value) : name(its_name) {
  constexpr std::size_t kLongest = 400;
  text = printable(value, kLongest);
}

void fail_check(const char* expression, const std::source_location& place,
                std::initializer_list<ShownValue> values) noexcept {
  std::fprintf(stderr, "AutoShard: check failed: %s\n  at %s:%u, %s\n", expression, place.file_name(),
               static_cast<unsigned>(place.line()), place.function_name());
  for (const ShownValue& value : values)
    std::fprintf(stderr, "  %.*s = %s\n", static_cast<int>(value.name.size()), value.name.data(),
                 value.text.c_str());
  std::fflush(stderr);
  std::abort();
}

}  // namespace autoshard::detail
