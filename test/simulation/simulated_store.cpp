#include "simulated_store.h"

#include <autoshard/errors.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <utility>

#include "keys.h"
#include "number_fold.h"

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
  explicit SimulatedTransaction(SimulatedStore& store) : store_(store) {
    writes_.transaction = store.records_.begin();
    writes_.process = store.scheduler_.process();
    writes_.generation = store.generation_;
  }

  bool get(std::string_view key, std::string& value) override {
    const auto ahead = prefetched_.find(key);
    if (ahead == prefetched_.end() || is_written(key)) {
      store_.pass(store_.faults_.read_takes);
      store_.check_available(writes_.generation);
      store_.interrupt_read();
      return writes_.transaction->get(key, value);
    }
    std::string now;
    const bool is_there = writes_.transaction->get(key, now);
    if (is_there != ahead->second.has_value() || (is_there && now != *ahead->second))
      writes_.is_outdated = true;
    if (ahead->second) value = *ahead->second;
    return ahead->second.has_value();
  }
  void prefetch(std::span<const std::string> keys) override {
    if (!store_.abilities_.prefetches) return;
    store_.pass(store_.faults_.read_takes);
    store_.check_available(writes_.generation);
    const auto snapshot = store_.records_.snapshot();
    for (const std::string& key : keys) {
      std::string value;
      prefetched_[key] = snapshot->get(key, value) ? std::optional(value) : std::nullopt;
    }
  }
  void put(std::string_view key, std::string_view value) override {
    add(key, value.size());
    writes_.transaction->put(key, value);
  }
  void erase(std::string_view key) override {
    add(key, 0);
    writes_.transaction->erase(key);
  }
  void fold(std::string_view key, const NumberFold& fold) override {
    if (!store_.abilities_.folds) throw std::logic_error("this store does not fold");
    constexpr std::size_t kNumber = 10;  // bytes, at most
    add(key, fold.others.size() + kNumber);
    writes_.folds.push_back({std::string(key), std::string(fold.others), fold});
  }
  CommitOutcome commit() override { return store_.commit(std::move(writes_)); }

 private:
  void add(std::string_view key, std::size_t value) {
    writes_.keys.emplace_back(key);
    writes_.sizes[std::string(key)] = key.size() + value;
  }
  bool is_written(std::string_view key) const {
    return std::find(writes_.keys.begin(), writes_.keys.end(), key) != writes_.keys.end();
  }

  SimulatedStore& store_;
  SimulatedStore::Writes writes_;
  std::map<std::string, std::optional<std::string>, std::less<>> prefetched_;
};

class SimulatedCursor final : public Cursor {
 public:
  /// `check` throws when the connection is broken.
  SimulatedCursor(std::unique_ptr<Cursor> cursor, std::function<void()> check)
      : cursor_(std::move(cursor)), check_(std::move(check)) {}
  bool valid() const override { return cursor_->valid(); }
  std::string_view key() const override { return cursor_->key(); }
  std::string_view value() const override { return cursor_->value(); }
  void next() override {
    Scheduler::point();
    check_();
    cursor_->next();
  }

 private:
  std::unique_ptr<Cursor> cursor_;
  std::function<void()> check_;
};

class SimulatedSnapshot final : public Snapshot {
 public:
  SimulatedSnapshot(SimulatedStore& store, std::unique_ptr<Snapshot> snapshot)
      : store_(store), snapshot_(std::move(snapshot)), generation_(store.generation_) {}
  bool get(std::string_view key, std::string& value) const override {
    store_.pass(store_.faults_.read_takes);
    store_.check_available(generation_);
    return snapshot_->get(key, value);
  }
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                               Direction direction) const override {
    store_.pass(store_.faults_.read_takes);
    store_.check_available(generation_);
    return std::make_unique<SimulatedCursor>(
        snapshot_->scan(begin, end, direction),
        [&store = store_, generation = generation_] { store.check_available(generation); });
  }

 private:
  SimulatedStore& store_;
  std::unique_ptr<Snapshot> snapshot_;
  const std::uint64_t generation_;
};

SimulatedStore::SimulatedStore(Scheduler& scheduler, StoreFaults faults, StoreAbilities abilities)
    : scheduler_(scheduler), faults_(faults), abilities_(abilities) {}

StoreTraits SimulatedStore::traits() const {
  StoreTraits traits = records_.traits();
  traits.durable_acknowledgement = true;
  traits.many_writing_processes = abilities_.many_processes;
  traits.prefetches = abilities_.prefetches;
  traits.folds_sum = traits.folds_minimum = traits.folds_maximum = abilities_.folds;
  traits.acknowledgements_may_be_lost = abilities_.loses_acknowledgements;
  traits.sustained_writes_per_record = faults_.commits_per_second;
  traits.largest_commit = faults_.largest_commit;
  traits.longest_key = faults_.longest_key;
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

/// Where the store fails over often, a read of a transaction may also fail by itself.
void SimulatedStore::interrupt_read() {
  if (faults_.outage < 0.05) return;
  if (scheduler_.chance(faults_.outage / 2)) throw StoreUnavailable("the read is interrupted");
}

void SimulatedStore::check_available() const {
  if (scheduler_.time() < outage_ends_) throw StoreUnavailable("the database fails over");
}

void SimulatedStore::check_available(std::uint64_t generation) const {
  check_available();
  if (generation != generation_)
    throw StoreUnavailable("the connection is broken: the database was put back");
}

void SimulatedStore::check_size(const Writes& writes) const {
  std::size_t bytes = 0;
  for (const auto& [key, size] : writes.sizes) {
    if (faults_.longest_key != 0 && key.size() > faults_.longest_key)
      scheduler_.fail("a key of " + std::to_string(key.size()) + " bytes is written");
    bytes += size;
  }
  if ((faults_.largest_commit == 0 || bytes <= faults_.largest_commit) &&
      (faults_.most_writes == 0 || writes.sizes.size() <= faults_.most_writes))
    return;
  scheduler_.trace("too large: ", words(writes.keys));
  throw CommitTooLarge("a commit of " + std::to_string(writes.sizes.size()) + " records, " +
                       std::to_string(bytes) + " bytes");
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

CommitOutcome SimulatedStore::commit(Writes writes) {
  pass(faults_.commit_takes);
  const std::string what = words(writes.keys);
  if (scheduler_.chance(faults_.outage)) {
    scheduler_.trace("the store fails over");
    outage_ends_ = scheduler_.time() + faults_.outage_lasts;
  }
  check_available(writes.generation);
  check_size(writes);
  if (scheduler_.chance(faults_.conflict) || exceeds_limit(writes.keys)) {
    scheduler_.trace("refused: ", what);
    return CommitOutcome::kConflict;
  }
  if (!writes.folds.empty() && scheduler_.chance(abilities_.refuses_folds)) return CommitOutcome::kNotFolded;
  if (!scheduler_.chance(faults_.unknown)) {
    const CommitOutcome outcome = land(writes, what);
    pass(faults_.commit_takes);
    return writes.generation == generation_ ? outcome : CommitOutcome::kUnknown;
  }
  switch (scheduler_.below(3)) {
    case 0:
      scheduler_.trace("never takes effect, nobody knows: ", what);
      break;
    case 1:
      scheduler_.trace("nobody knows of the next one");
      land(writes, what);
      break;
    default:
      scheduler_.trace("takes effect later, nobody knows: ", what);
      late_.push_back({scheduler_.time() + upto(faults_.latest), std::move(writes), what});
  }
  pass(faults_.commit_takes);
  return CommitOutcome::kUnknown;
}

CommitOutcome SimulatedStore::land(const Writes& writes, const std::string& keys) {
  CommitOutcome refusal = CommitOutcome::kCommitted;
  for (const Fold& fold : writes.folds) {
    NumberFold number = fold.number;
    number.others = fold.others;
    std::string record;
    if (!writes.transaction->get(fold.key, record)) {
      writes.transaction->put(fold.key, detail::number_record(number));
    } else if (const auto folded = detail::fold_number(number, record)) {
      writes.transaction->put(fold.key, *folded);
    } else {
      refusal = CommitOutcome::kNotFolded;
    }
  }
  if (writes.is_outdated) refusal = CommitOutcome::kConflict;
  const CommitOutcome outcome = refusal == CommitOutcome::kCommitted ? writes.transaction->commit() : refusal;
  if (outcome == CommitOutcome::kCommitted && watch_) watch_(*records_.snapshot(), writes.process);
  scheduler_.trace(outcome == CommitOutcome::kCommitted   ? "committed: "
                   : outcome == CommitOutcome::kNotFolded ? "not folded: "
                                                          : "conflict: ",
                   keys);
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
    land(late.writes, late.keys);
  }
}

SimulatedStore::Records SimulatedStore::records() const {
  Records all;
  const auto snapshot = records_.snapshot();
  for (const auto cursor = snapshot->scan({}, kBehindAll); cursor->valid(); cursor->next())
    all.emplace(cursor->key(), cursor->value());
  return all;
}

void SimulatedStore::put_back(const Records& records) {
  ++generation_;
  late_.clear();
  const auto transaction = records_.begin();
  for (const auto& [key, value] : this->records()) {
    if (!records.contains(key)) transaction->erase(key);
  }
  for (const auto& [key, value] : records) transaction->put(key, value);
  transaction->commit();
  if (watch_) watch_(*records_.snapshot(), 0);
}

void SimulatedStore::add(const Records& records) {
  const auto transaction = records_.begin();
  for (const auto& [key, value] : records) transaction->put(key, value);
  transaction->commit();
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
