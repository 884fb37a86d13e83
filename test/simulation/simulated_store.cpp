#include "simulated_store.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <utility>

#include "keys.h"

namespace autoshard::simulation {
namespace {

constexpr std::string_view kFirstOfEntities("\1", 1);
constexpr std::string_view kBehindAll("\xFF", 1);

std::string words(const std::vector<std::string>& keys) {
  std::string text;
  for (const std::string& key : keys) text += (text.empty() ? "" : "; ") + detail::describe(key);
  return text;
}

}  // namespace

class SimulatedTransaction final : public Transaction {
 public:
  explicit SimulatedTransaction(SimulatedStore& store)
      : store_(store), transaction_(store.records_.begin()) {}

  bool get(std::string_view key, std::string& value) override {
    store_.pass(store_.faults_.read_takes);
    store_.check_available();
    return transaction_->get(key, value);
  }
  void put(std::string_view key, std::string_view value) override {
    keys_.emplace_back(key);
    transaction_->put(key, value);
  }
  void erase(std::string_view key) override {
    keys_.emplace_back(key);
    transaction_->erase(key);
  }
  CommitOutcome commit() override { return store_.commit(std::move(transaction_), keys_); }

 private:
  SimulatedStore& store_;
  std::unique_ptr<Transaction> transaction_;
  std::vector<std::string> keys_;
};

class SimulatedCursor final : public Cursor {
 public:
  explicit SimulatedCursor(std::unique_ptr<Cursor> cursor) : cursor_(std::move(cursor)) {}
  bool valid() const override { return cursor_->valid(); }
  std::string_view key() const override { return cursor_->key(); }
  std::string_view value() const override { return cursor_->value(); }
  void next() override {
    Scheduler::point();
    cursor_->next();
  }

 private:
  std::unique_ptr<Cursor> cursor_;
};

class SimulatedSnapshot final : public Snapshot {
 public:
  SimulatedSnapshot(SimulatedStore& store, std::unique_ptr<Snapshot> snapshot)
      : store_(store), snapshot_(std::move(snapshot)) {}
  bool get(std::string_view key, std::string& value) const override {
    store_.pass(store_.faults_.read_takes);
    store_.check_available();
    return snapshot_->get(key, value);
  }
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                               Direction direction) const override {
    store_.pass(store_.faults_.read_takes);
    store_.check_available();
    return std::make_unique<SimulatedCursor>(snapshot_->scan(begin, end, direction));
  }

 private:
  SimulatedStore& store_;
  std::unique_ptr<Snapshot> snapshot_;
};

SimulatedStore::SimulatedStore(Scheduler& scheduler, StoreFaults faults, bool many_processes)
    : scheduler_(scheduler),
      faults_(faults),
      many_processes_(many_processes),
      loses_acknowledgements_(faults.unknown > 0) {}

StoreTraits SimulatedStore::traits() const {
  StoreTraits traits = records_.traits();
  traits.durable_acknowledgement = true;
  traits.many_writing_processes = many_processes_;
  traits.acknowledgements_may_be_lost = loses_acknowledgements_;
  traits.sustained_writes_per_record = faults_.commits_per_second;
  return traits;
}

std::unique_ptr<Transaction> SimulatedStore::begin() {
  check_available();
  return std::make_unique<SimulatedTransaction>(*this);
}

std::unique_ptr<Snapshot> SimulatedStore::snapshot() {
  pass(faults_.read_takes);
  check_available();
  return std::make_unique<SimulatedSnapshot>(*this, records_.snapshot());
}

Time SimulatedStore::upto(Time most) {
  return Time(static_cast<Time::rep>(scheduler_.below(static_cast<std::uint64_t>(most.count()) + 1)));
}

/// Time goes by, or at least somebody else may go on.
void SimulatedStore::pass(Time most) {
  Time takes = upto(most);
  if (scheduler_.chance(faults_.stall)) takes += upto(faults_.stall_lasts);
  takes == Time(0) ? Scheduler::point() : scheduler_.sleep(takes);
  land_late_ones();
}

void SimulatedStore::check_available() const {
  if (scheduler_.time() < outage_ends_) throw StoreUnavailable("the database fails over");
}

bool SimulatedStore::exceeds_limit(const std::vector<std::string>& keys) {
  if (faults_.commits_per_second == 0) return false;
  bool exceeds = false;
  for (const std::string& key : keys) {
    std::deque<Time>& times = commits_[key];
    while (!times.empty() && times.front() + std::chrono::seconds(1) <= scheduler_.time()) times.pop_front();
    exceeds = exceeds || times.size() >= faults_.commits_per_second;
  }
  if (exceeds) return true;
  for (const std::string& key : keys) commits_[key].push_back(scheduler_.time());
  return false;
}

CommitOutcome SimulatedStore::commit(std::unique_ptr<Transaction> transaction,
                                     const std::vector<std::string>& keys) {
  pass(faults_.commit_takes);
  const std::string what = words(keys);
  if (scheduler_.chance(faults_.outage)) {
    scheduler_.trace("the store fails over");
    outage_ends_ = scheduler_.time() + faults_.outage_lasts;
  }
  check_available();
  if (scheduler_.chance(faults_.conflict) || exceeds_limit(keys)) {
    scheduler_.trace("refused: ", what);
    return CommitOutcome::kConflict;
  }
  if (!scheduler_.chance(faults_.unknown)) {
    const CommitOutcome outcome = land(*transaction, what);
    pass(faults_.commit_takes);
    return outcome;
  }
  switch (scheduler_.below(3)) {
    case 0:
      scheduler_.trace("never takes effect, nobody knows: ", what);
      break;
    case 1:
      scheduler_.trace("nobody knows of the next one");
      land(*transaction, what);
      break;
    default:
      scheduler_.trace("takes effect later, nobody knows: ", what);
      late_.push_back({scheduler_.time() + upto(faults_.latest), std::move(transaction), what});
  }
  pass(faults_.commit_takes);
  return CommitOutcome::kUnknown;
}

CommitOutcome SimulatedStore::land(Transaction& transaction, const std::string& keys) {
  const CommitOutcome outcome = transaction.commit();
  if (outcome == CommitOutcome::kCommitted && watch_) watch_(*records_.snapshot());
  scheduler_.trace(outcome == CommitOutcome::kCommitted ? "committed: " : "conflict: ", keys);
  return outcome;
}

void SimulatedStore::land_late_ones() {
  for (std::size_t i = 0; i < late_.size();) {
    if (late_[i].due > scheduler_.time()) {
      ++i;
      continue;
    }
    const Late late = std::move(late_[i]);
    late_.erase(late_.begin() + static_cast<std::ptrdiff_t>(i));
    scheduler_.trace("at last");
    land(*late.transaction, late.keys);
  }
}

void SimulatedStore::recover() {
  faults_ = {};
  outage_ends_ = Time(0);
  for (Late& late : late_) late.due = Time(0);
  land_late_ones();
}

std::vector<std::string> SimulatedStore::keys() const {
  std::vector<std::string> all;
  const auto snapshot = records_.snapshot();
  for (const auto cursor = snapshot->scan(kFirstOfEntities, kBehindAll); cursor->valid(); cursor->next())
    all.emplace_back(cursor->key());
  return all;
}

}  // namespace autoshard::simulation
