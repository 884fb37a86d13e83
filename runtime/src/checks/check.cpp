#include "checks/check.h"

#include <cstdio>
#include <cstdlib>

namespace autoshard::detail {

ShownValue::ShownValue(std::string_view its_name, std::string_view value) : name(its_name) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  constexpr std::size_t kLongest = 400;
  for (const char byte : value.substr(0, kLongest)) {
    const auto code = static_cast<unsigned char>(byte);
    if (code >= 0x20 && code < 0x7F && byte != '\\') {
      text.push_back(byte);
    } else {
      text.append({'\\', 'x', kDigits[code >> 4], kDigits[code & 15]});
    }
  }
  if (value.size() > kLongest) text += "...";
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
