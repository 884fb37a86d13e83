#include "expiry.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "keys.h"
#include "platform.h"
#include "room.h"

namespace autoshard::detail {
namespace {

// In a batch, at most.
constexpr std::size_t kSeen = 4096, kRemoved = 256;

constexpr std::chrono::hours kLongest(24 * 365 * 100);

/// False of a record that something else has left there.
bool is_expired(std::string_view key, std::string_view record, std::int64_t now) {
  try {
    return read_expiring(key, record).until <= now;
  } catch (const CorruptRecord&) {
    return false;
  }
}

}  // namespace

void encode_expiring(std::string& record, std::int64_t until, std::optional<std::uint64_t> number) {
  record.clear();
  Encoder out(record);
  out.array(number ? 2 : 1);
  out.integer(until);
  if (number) out.natural(*number);
}

Expiring read_expiring(std::string_view key, std::string_view record) {
  Decoder in(key, record);
  const std::size_t elements = in.array();
  if (elements == 0) in.fail("no time from which on it may be removed");
  Expiring read{in.integer(), 0};
  if (elements > 1) read.number = in.natural();
  return read;
}

std::int64_t expires_after(std::chrono::milliseconds lifetime) {
  const auto now = platform::SystemClock::now().time_since_epoch();
  return (std::chrono::duration_cast<std::chrono::milliseconds>(now) +
          std::min<std::chrono::milliseconds>(lifetime, kLongest))
      .count();
}

Expiry::Expiry(Store& store, std::int64_t now) : store_(store), now_(now), next_(begin_of_expiring()) {}

bool Expiry::remove_some() {
  std::vector<std::string> expired;
  bool is_last = true;
  {
    const std::unique_ptr<Snapshot> snapshot = store_.snapshot();
    std::size_t seen = 0;
    Room room(store_.traits(), kRemoved);
    for (const std::unique_ptr<Cursor> cursor = snapshot->scan(next_, end_of_expiring()); cursor->valid();
         cursor->next()) {
      if (seen++ == kSeen || !room.is_left()) {
        next_ = cursor->key();
        is_last = false;
        break;
      }
      if (!is_expired(cursor->key(), cursor->value(), now_)) continue;
      expired.emplace_back(cursor->key());
      room.take(expired.back().size());
    }
  }
  if (!expired.empty()) commit_in_parts(std::span(std::as_const(expired)), [&](auto keys) { remove(keys); });
  return !is_last;
}

/// A conflict leaves them for the next time.
void Expiry::remove(std::span<const std::string> expired) {
  const std::unique_ptr<Transaction> transaction = store_.begin();
  std::string record;
  std::uint64_t removed = 0;
  for (const std::string& key : expired) {
    if (!transaction->get(key, record) || !is_expired(key, record, now_)) continue;  // used since
    transaction->erase(key);
    ++removed;
  }
  if (transaction->commit() == CommitOutcome::kCommitted) removed_ += removed;
}

}  // namespace autoshard::detail
