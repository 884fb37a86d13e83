#pragma once

#include <autoshard/mapper.h>
#include <autoshard/store.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "adaptive/usage.h"
#include "loose_entities.h"
#include "platform.h"
#include "read_cache.h"
#include "shared_reads.h"
#include "writer.h"

namespace autoshard::detail {

struct Statistics {
  explicit Statistics(const MapperOptions& options) : shared(options.cache, options.log) {}

  /// To be called once this mapper has changed the entity.
  void note_change(std::string_view key) {
    loaded.drop(key);
    shared.note_change(key);
  }

  std::atomic<std::uint64_t> commits{0};
  std::atomic<std::uint64_t> conflicts{0};
  std::atomic<std::uint64_t> retries{0};
  Usage usage;          // what happened to which property
  LooseEntities loose;  // to be compacted
  std::atomic<bool> leaves_tokens{false};
  ReadCache loaded;
  SharedReads shared;
};

inline void count(std::atomic<std::uint64_t>& counter) { counter.fetch_add(1, std::memory_order_relaxed); }

/// The message for a commit with an unknown outcome; `doing` is as "saving Question 42".
std::string unknown_outcome(std::string_view doing);

/// The attempts at one commit, by the retry policy. What it refers to must outlive it.
class Attempts {
 public:
  /// `doing` and `key` say in messages what is attempted: "saving", the key of an entity. The key may be
  /// empty: "committing a transaction".
  Attempts(const MapperOptions& options, Statistics& statistics, std::string_view doing,
           std::string_view key);

  /// Has a writer commit the transaction; whether it took effect. After false, time has passed: build it
  /// anew, from what is committed now. Throws `Contention` when the policy allows no further attempt, and
  /// `OutcomeUnknown`.
  bool commit(Writers& writers, Transaction& transaction);

  /// To be called after a conflict, by those who commit themselves: how long to wait until the next attempt.
  /// Throws `Contention`.
  std::chrono::microseconds pause();

  /// Waits that long.
  void wait();

 private:
  using Clock = platform::Clock;

  std::string doing() const;

  const MapperOptions& options_;
  Statistics& statistics_;
  std::string_view doing_;
  std::string_view key_;
  Clock::time_point begin_ = Clock::now();
  std::uint32_t attempts_ = 0;
};

}  // namespace autoshard::detail
