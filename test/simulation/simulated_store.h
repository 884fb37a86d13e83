#pragma once

#include <autoshard/memory_store.h>
#include <autoshard/store.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler.h"

namespace autoshard::simulation {

/// What goes wrong in a store, each with a probability, and how slow it is.
struct StoreFaults {
  Time read_takes{0};    ///< at most
  Time commit_takes{0};  ///< likewise, before it takes effect and again after it
  double stall = 0;      ///< of whatever takes time: it takes up to so long more
  Time stall_lasts{0};
  double conflict = 0;  ///< though nothing has changed
  double unknown = 0;   ///< of these some took effect, some never will, and some do so later
  Time latest{0};       ///< so much later at most
  double outage = 0;    ///< of a commit: it, and whatever comes in the next while, fails
  Time outage_lasts{0};
  std::uint32_t commits_per_second = 0;  ///< of one record; any more are conflicts; 0: no limit
  std::size_t most_writes = 0;           ///< in one commit, which no trait tells; 0: no limit
  std::size_t largest_commit = 0;        ///< in bytes of keys and values, as the traits tell; 0: no limit
  std::size_t longest_key = 0;           ///< in bytes, as the traits tell; 0: no limit

  bool any() const { return conflict > 0 || unknown > 0 || outage > 0 || commits_per_second > 0; }
};

/// What it can do beyond what a store must.
struct StoreAbilities {
  bool many_processes = false;
  bool prefetches = false;
  bool folds = false;
  double refuses_folds = 0;  ///< with this probability, as where one of several servers cannot
  bool loses_acknowledgements = false;
};

/// A database that several processes use over a network, whose trouble the scheduler's chance decides. What
/// it keeps are the records of a `MemoryStore`.
class SimulatedStore final : public Store {
 public:
  SimulatedStore(Scheduler& scheduler, StoreFaults faults, StoreAbilities abilities);

  StoreTraits traits() const override;
  std::unique_ptr<Transaction> begin() override;
  std::unique_ptr<Snapshot> snapshot() override;

  /// To be called with each state that a commit leaves, and the process whose commit it is, before anybody
  /// can see it or go on.
  using Watch = std::function<void(const Snapshot& state, int process)>;
  void watch(Watch watch) { watch_ = std::move(watch); }

  /// All records, the store's own as well.
  using Records = std::map<std::string, std::string, std::less<>>;
  Records records() const;
  /// The database is put back to what it held once: by a failover to a server that lags behind, a crash of
  /// one that does not sync, or from a backup. Every connection breaks: whatever has begun fails, and what
  /// was to take effect later never does.
  void put_back(const Records& records);
  /// Writes records that are nobody's.
  void add(const Records& records);

  /// From now on nothing goes wrong; what is still to take effect does so now.
  void recover();

  /// What there is of any entity, in the order of keys.
  std::vector<std::string> keys() const;

 private:
  friend class SimulatedTransaction;
  friend class SimulatedSnapshot;

  struct Fold {
    std::string key, others;
    NumberFold number;
  };

  /// What is to be committed.
  struct Writes {
    std::unique_ptr<Transaction> transaction;  // of the records
    std::vector<std::string> keys;
    std::map<std::string, std::size_t, std::less<>> sizes;  // of what is written, by its keys
    std::vector<Fold> folds;                                // which read what is there when they land
    bool is_outdated = false;  // what was prefetched has changed before it was read
    int process = 0;
    std::uint64_t generation = 0;
  };

  struct Late {
    Time due;
    Writes writes;
    std::string keys;
  };

  Time upto(Time most);
  void pass(Time most);
  void interrupt_read();
  void check_available() const;
  void check_available(std::uint64_t generation) const;
  void check_size(const Writes& writes) const;
  bool exceeds_limit(const std::vector<std::string>& keys);
  CommitOutcome commit(Writes writes);
  CommitOutcome land(const Writes& writes, const std::string& keys);
  void land_late_ones();

  Scheduler& scheduler_;
  StoreFaults faults_;
  const StoreAbilities abilities_;
  mutable MemoryStore records_;
  Watch watch_;
  std::deque<Late> late_;
  Time outage_ends_{0};
  std::uint64_t generation_ = 0;                                  // of connections
  std::map<std::string, std::deque<Time>, std::less<>> commits_;  // of records, in the last second
};

}  // namespace autoshard::simulation
