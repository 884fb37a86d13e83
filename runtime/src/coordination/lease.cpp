#include "lease.h"

#include <autoshard/messagepack.h>

#include <exception>
#include <memory>
#include <utility>

#include "random.h"

namespace autoshard::detail {

Lease::Lease(Store& store, std::string_view name, std::chrono::milliseconds term, Clock clock)
    : store_(store), key_(lease_key(name)), term_(term), clock_(std::move(clock)) {
  Encoder out(begin_of_mine_);
  out.array(2);
  out.natural(random_bits());  // the number of the holder
}

bool Lease::is_mine(std::string_view record) const { return record.starts_with(begin_of_mine_); }

bool Lease::take() {
  const Time now = clock_();
  if (held_ && now - since_ < term_ / 2) return true;
  held_ = false;
  const std::unique_ptr<Transaction> transaction = store_.begin();
  std::string record;
  if (transaction->get(key_, record) && !is_mine(record)) {
    if (record != others_) {
      others_ = record;
      since_ = clock_();  // after the read, because the read may take long
    }
    if (now - since_ < term_) return false;
  }
  record = begin_of_mine_;
  Encoder(record).natural(++taken_);
  transaction->put(key_, record);
  held_ = transaction->commit() == CommitOutcome::kCommitted;
  others_.clear();
  since_ = now;
  return held_;
}

void Lease::give_up() noexcept {
  if (!std::exchange(held_, false)) return;
  try {
    const std::unique_ptr<Transaction> transaction = store_.begin();
    std::string record;
    if (!transaction->get(key_, record) || !is_mine(record)) return;
    transaction->erase(key_);
    transaction->commit();
  } catch (const std::exception&) {
    // Other mappers take the lease after a term.
  }
}

}  // namespace autoshard::detail
