#include "lease.h"

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>

#include <exception>

#include "keys.h"
#include "platform.h"
#include "random.h"

namespace autoshard::detail {
namespace {

struct Holding {
  std::uint64_t holder;
  std::int64_t until;
};

/// What nobody could have written counts as nobody's.
Holding read(std::string_view key, std::string_view record) {
  try {
    Decoder in(key, record);
    if (in.array() < 2) return {};
    const std::uint64_t holder = in.natural();
    return {holder, in.integer()};
  } catch (const CorruptRecord&) {
    return {};
  }
}

}  // namespace

std::int64_t Lease::system_time() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             platform::SystemClock::now().time_since_epoch())
      .count();
}

Lease::Lease(Store& store, std::string_view name, std::chrono::milliseconds term, Clock clock)
    : store_(store),
      key_(lease_key(name)),
      term_(term.count()),
      clock_(std::move(clock)),
      holder_(random_bits()) {}

bool Lease::take() {
  const std::int64_t now = clock_();
  if (held_ && now >= taken_ && now < taken_ + term_ / 2) return true;
  held_ = false;
  taken_ = now;
  const std::unique_ptr<Transaction> transaction = store_.begin();
  std::string record;
  if (transaction->get(key_, record)) {
    const Holding holding = read(key_, record);
    // One that lasts longer than a term was given by a clock that was wrong.
    if (holding.holder != holder_ && holding.until > now && holding.until <= now + term_) return false;
  }
  record.clear();
  Encoder out(record);
  out.array(2);
  out.natural(holder_);
  out.integer(now + term_);
  transaction->put(key_, record);
  return held_ = transaction->commit() == CommitOutcome::kCommitted;
}

void Lease::give_up() noexcept {
  if (!held_) return;
  held_ = false;
  try {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    std::string record;
    if (!transaction->get(key_, record) || read(key_, record).holder != holder_) return;
    transaction->erase(key_);
    transaction->commit();
  } catch (const std::exception&) {
    // It ends by itself.
  }
}

}  // namespace autoshard::detail
