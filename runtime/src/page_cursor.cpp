#include "page_cursor.h"

#include <autoshard/detail/condition.h>
#include <autoshard/errors.h>

#include <cstddef>
#include <cstdint>

#include "hash.h"

namespace autoshard::detail {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr std::size_t kHashSize = 8;

/// What a cursor begins with, which tells whose it is.
std::string hash_bytes(std::string_view question, std::string_view exactly) {
  std::string bytes;
  const std::uint64_t hash = stable_hash(std::string(question).append(exactly));
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(hash >> shift));
  return bytes;
}

[[noreturn]] void fail(std::string_view question, std::string_view cursor, std::string_view what) {
  throw InvalidCursor("the cursor " + in_quotes(cursor) + " " + std::string(what) + ": " +
                      std::string(question) +
                      "; pass it to the query that gave it, unchanged, or begin without one");
}

}  // namespace

std::string write_cursor(std::string_view question, std::string_view position, std::string_view exactly) {
  return hexadecimal(hash_bytes(question, exactly).append(position)).substr(2);
}

std::string read_cursor(std::string_view question, std::string_view cursor, std::string_view exactly) {
  std::optional<std::string> bytes = read_hexadecimal(cursor);
  if (!bytes || bytes->size() < kHashSize) throw_invalid_cursor(question, cursor);
  if (!bytes->starts_with(hash_bytes(question, exactly)))
    fail(question, cursor, "is of another query than this");
  return bytes->substr(kHashSize);
}

void throw_invalid_cursor(std::string_view question, std::string_view cursor) {
  fail(question, cursor, "is none of this query");
}

std::optional<std::string> read_hexadecimal(std::string_view digits) {
  if (digits.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const std::size_t upper = kDigits.find(digits[i]), lower = kDigits.find(digits[i + 1]);
    if (upper == kDigits.npos || lower == kDigits.npos) return std::nullopt;
    bytes.push_back(static_cast<char>(upper << 4 | lower));
  }
  return bytes;
}

}  // namespace autoshard::detail
