#include "input.h"

#include <fmt/format.h>

#include <algorithm>

namespace moderator {
namespace {

constexpr std::string_view kSpaces = " \t\r\n";

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

/// Bytes that begin a character of UTF-8.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string checked_text(const TextRule& rule, std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(kSpaces), text.size());
  text = text.substr(begin, text.find_last_not_of(kSpaces) + 1 - begin);
  if (const std::size_t size = characters(text); size > rule.characters) {
    throw WrongInput(
        400, fmt::format("{} has {} characters: shorten it to {}", rule.subject, size, rule.characters));
  }
  const auto is_wrong = [&](char c) { return is_control(c) && !(c == '\n' && rule.may_have_lines); };
  if (std::ranges::any_of(text, is_wrong)) {
    throw WrongInput(400, fmt::format("{} has control characters{}: remove them", rule.subject,
                                      rule.may_have_lines ? "" : " or several lines"));
  }
  return std::string(text);
}

}  // namespace moderator
