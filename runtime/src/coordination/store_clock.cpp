#include "store_clock.h"

#include <autoshard/messagepack.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "expiring_record.h"
#include "keys.h"

namespace autoshard::detail {
namespace {

/// No store is open for so many milliseconds: 285,000 years. Sums of a time and a lifetime stay far below
/// 2^64.
constexpr std::uint64_t kLatest = std::uint64_t{1} << 53;

/// Returns 0 for a negative duration.
std::uint64_t in_milliseconds(platform::Clock::duration time) {
  if (time.count() < 0) return 0;
  return static_cast<std::uint64_t>(std::chrono::floor<std::chrono::milliseconds>(time).count());
}

}  // namespace

StoreClock::StoreClock(Store& store, Clock clock) : store_(store), clock_(std::move(clock)) {}

std::optional<std::uint64_t> StoreClock::read(Transaction& transaction) {
  const RecordKey key = store_clock_key();
  std::string record;
  if (!transaction.get(key, record)) return std::nullopt;
  Decoder in(key, record);
  const std::uint64_t time = in.natural();
  if (time > kLatest) in.fail("a time of the store beyond 2^53 ms");
  return time;
}

void StoreClock::encode(std::string& record, std::uint64_t time) {
  record.clear();
  Encoder(record).natural(time);
}

std::uint64_t StoreClock::end(std::uint64_t begin, std::chrono::milliseconds lifetime) {
  const auto span = std::clamp(lifetime, std::chrono::milliseconds(0), kLongestLifetime) + kLongestStep;
  return begin + static_cast<std::uint64_t>(span.count());
}

std::uint64_t StoreClock::advance() {
  const std::unique_ptr<Transaction> transaction = store_.begin();
  const std::uint64_t time = read(*transaction).value_or(0);
  // The commit validates that the store still has this time, so no other mapper has added the same time.
  const platform::Clock::time_point now = clock_();
  const std::uint64_t passed = take_passed(time, now);
  if (passed == 0) return time;
  std::string record;
  encode(record, time + passed);
  transaction->put(store_clock_key(), record);
  if (transaction->commit() != CommitOutcome::kCommitted) return time;
  const MutexLock lock(mutex_);
  seen_ = Seen{time + passed, now};
  return time + passed;
}

/// Returns the time to add to the store's time. Clears `seen_`, so that no other caller adds the same time:
/// unless the commit is known to have taken effect, later callers have to read the store's time first.
std::uint64_t StoreClock::take_passed(std::uint64_t time, platform::Clock::time_point now) {
  const MutexLock lock(mutex_);
  due_ = std::max(due_, now + kLongestStep / 2);
  if (!seen_ || seen_->time != time) seen_ = Seen{time, now};
  const std::uint64_t passed =
      in_milliseconds(std::min<platform::Clock::duration>(now - seen_->moment, kLongestStep));
  if (passed > 0) seen_.reset();
  return passed;
}

void StoreClock::advance_when_due() {
  {
    const MutexLock lock(mutex_);
    const platform::Clock::time_point now = clock_();
    if (now < due_) return;
    due_ = now + kLongestStep / 2;
  }
  advance();
}

}  // namespace autoshard::detail
