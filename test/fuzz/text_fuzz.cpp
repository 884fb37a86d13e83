#include "text_fuzz.h"

#include <autoshard/autoshard.h>
#include <autoshard/detail/id.h>
#include <autoshard/json.h>

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

#include "continuation.h"
#include "entities/by_hand/log_entry.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/types/specimen.autoshard.h"
#include "expiring_record.h"
#include "hex.h"
#include "keys.h"
#include "require.h"

namespace autoshard::test {
namespace {

using activity::LogEntry;
using activity::Member;
using forum::Topic;
using museum::Specimen;

/// Whether `attempt` ends without the one error that it may end with.
template <class Allowed, class Attempt>
bool succeeds(Attempt&& attempt) {
  try {
    attempt();
    return true;
  } catch (const Allowed&) {
    return false;
  }
}

/// Entities to be paged through.
class Entities {
 public:
  Entities() {
    for (int i = 0; i < 3; ++i) {
      Member member(i);
      member.name = "same";
      member.email = std::to_string(i);
      mapper_.save(member);
      mapper_.save(LogEntry("user", "Acme", activity::Time(std::chrono::milliseconds(i))));
    }
    Topic topic(1);
    for (const char* text : {"a", "b", "c"}) {
      topic.add_post(text);
      topic.read_by(text);
    }
    mapper_.save(topic);
  }

  /// Calls `attempt` with each kind of what can be paged through.
  template <class Attempt>
  void for_each(Attempt&& attempt) const {
    using f = Fields<Member>;
    attempt(mapper_.query<Member>());
    attempt(mapper_.query<Member>(f::name == "same"));
    attempt(mapper_.query<Member>(f::email < "9"));
    attempt(mapper_.range<Member::ByName>("same"));
    attempt(mapper_.range<LogEntry::ByCompany>("Acme"));
    attempt(mapper_.elements<Topic>(1, Fields<Topic>::posts));
    attempt(mapper_.elements<Topic>(1, Fields<Topic>::posts).newest_first());
    attempt(mapper_.elements<Topic>(1, Fields<Topic>::readers));
  }

 private:
  MemoryStore store_;
  Mapper mapper_{store_, {.compact_every = std::chrono::milliseconds(0)}};
};

std::string hexadecimal(std::string_view bytes) {
  std::string digits;
  for (const char byte : bytes) {
    for (const int shift : {4, 0})
      digits += "0123456789abcdef"[static_cast<unsigned char>(byte) >> shift & 15];
  }
  return digits;
}

}  // namespace

void try_order(std::string_view bytes) {
  const std::size_t half = bytes.size() / 2;
  const std::string one(bytes.substr(0, half)), other(bytes.substr(half));
  std::string one_key, other_key;
  detail::append_id(one_key, one);
  detail::append_id(other_key, other);
  require((one < other) == (one_key < other_key));
  require(one == other || (!one_key.starts_with(other_key) && !other_key.starts_with(one_key)));
  const auto number = [](std::string_view from) {
    std::uint64_t bits = 0;
    for (const char byte : from.substr(0, sizeof bits)) bits = bits << 8 | static_cast<unsigned char>(byte);
    return static_cast<std::int64_t>(bits);
  };
  one_key.clear();
  other_key.clear();
  detail::append_id(one_key, number(one));
  detail::append_id(other_key, number(other));
  require((number(one) < number(other)) == (one_key < other_key));
}

void try_cursor(std::string_view bytes) {
  require(detail::read_continuation("question", detail::write_continuation("question", bytes)) == bytes);
  require(!succeeds<InvalidCursor>(
      [&] { detail::read_continuation("another question", detail::write_continuation("question", bytes)); }));
  if (const std::optional<std::string> read = detail::from_hex(bytes))
    require(2 * read->size() == bytes.size());
  static const Entities& entities = *new Entities;
  entities.for_each([&](const auto& all) {
    const std::string cursor = all.limit(1).page().cursor;
    require(!cursor.empty());
    succeeds<InvalidCursor>([&] { all.after(bytes).page(); });
    // Of this query, but of a position that it never gave.
    constexpr std::size_t kDigitsOfHash = 16;
    succeeds<InvalidCursor>([&] { all.after(cursor.substr(0, kDigitsOfHash) + hexadecimal(bytes)).page(); });
  });
}

void try_json(std::string_view bytes) {
  succeeds<InvalidJson>([&] {
    const std::string once = to_json(from_json<Specimen>(bytes));
    require(to_json(from_json<Specimen>(once)) == once);
  });
  succeeds<InvalidJson>([&] {
    const std::string once = to_json(from_json<Topic>(bytes));
    require(to_json(from_json<Topic>(once)) == once);
  });
}

void try_token(std::string_view bytes) {
  std::optional<token> given;
  const bool is_one = succeeds<InvalidUse>([&] { given.emplace(std::string(bytes)); });
  require(is_one == (!bytes.empty() && bytes.size() <= token::kLongest));
  if (is_one) {
    // No two tokens, and tokens of no two entities, have one record.
    const detail::RecordKey key = detail::token_key(detail::entity_key("Topic", 1), given->bytes());
    detail::RecordKey other;
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      other.set_token(detail::entity_key("Topic", std::string(bytes.substr(0, size))), bytes.substr(size));
      require(other != key);
      other.set_token(detail::entity_key("Topic", 1), bytes.substr(0, size));
      require(!key.bytes().starts_with(other));
    }
  }
  succeeds<CorruptRecord>([&] {
    const detail::Expiring read = detail::read_expiring("key", bytes);
    std::string record;
    detail::encode_expiring(record, read.until, read.number);
    require(detail::read_expiring("key", record).until == read.until);
  });
}

}  // namespace autoshard::test
