#include "visitor.h"

#include <algorithm>
#include <cstdint>
#include <random>

namespace moderator {
namespace {

constexpr std::string_view kName = "visitor=";
constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kIdSize = 32;
constexpr int kBitsOfADigit = 4;

bool is_id(std::string_view text) {
  return text.size() == kIdSize && text.find_first_not_of(kDigits) == std::string_view::npos;
}

}  // namespace

std::string random_id() {
  std::random_device device;  // the kernel's random numbers
  std::string id;
  while (id.size() < kIdSize) {
    std::uint32_t number = device();
    for (int digit = 0; digit < 8; ++digit, number >>= kBitsOfADigit) id += kDigits[number & 15];
  }
  return id;
}

std::optional<std::string> visitor_in(std::string_view cookies) {
  while (!cookies.empty()) {
    const std::size_t end = std::min(cookies.find(';'), cookies.size());
    std::string_view cookie = cookies.substr(0, end);
    cookies.remove_prefix(std::min(end + 1, cookies.size()));
    cookie.remove_prefix(std::min(cookie.find_first_not_of(' '), cookie.size()));
    if (cookie.starts_with(kName) && is_id(cookie.substr(kName.size())))
      return std::string(cookie.substr(kName.size()));
  }
  return std::nullopt;
}

std::string cookie_for(const std::string& visitor) {
  return std::string(kName) + visitor + "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict";
}

}  // namespace moderator
