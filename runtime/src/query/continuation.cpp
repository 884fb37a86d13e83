#include "continuation.h"

#include <autoshard/detail/condition.h>
#include <autoshard/errors.h>

#include <cstddef>
#include <cstdint>

#include "hash.h"
#include "hex.h"

namespace autoshard::detail {
namespace {

constexpr std::size_t kHashSize = 8;

/// Returns the beginning of a cursor, which identifies its query.
std::string hash_bytes(std::string_view question, std::string_view exactly) {
  std::string bytes;
  const std::uint64_t hash = stable_hash(std::string(question).append(exactly));
  for (int shift = 56; shift >= 0; shift -= 8) bytes.push_back(static_cast<char>(hash >> shift));
  return bytes;
}

[[noreturn]] void fail(std::string_view question, std::string_view cursor, std::string_view what) {
  throw InvalidCursor("the cursor " + in_quotes(cursor) + " " + std::string(what) + ": " +
                      std::string(question) +
                      "; pass a cursor unchanged to the query that returned it, or begin without a cursor");
}

}  // namespace

std::string write_continuation(std::string_view question, std::string_view position,
                               std::string_view exactly) {
  return to_hex(hash_bytes(question, exactly).append(position));
}

std::string read_continuation(std::string_view question, std::string_view cursor, std::string_view exactly) {
  std::optional<std::string> bytes = from_hex(cursor);
  if (!bytes || bytes->size() < kHashSize) throw_invalid_cursor(question, cursor);
  if (!bytes->starts_with(hash_bytes(question, exactly)))
    fail(question, cursor, "belongs to another query than this");
  return bytes->substr(kHashSize);
}

void throw_invalid_cursor(std::string_view question, std::string_view cursor) {
  fail(question, cursor, "is not a cursor of this query");
}

}  // namespace autoshard::detail
