#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "entities/versions/page.h"
#include "keys.h"
#include "shard_record.h"
#include "store_clock.h"
#include "support/test_store.h"

namespace autoshard::test {

using namespace std::chrono_literals;
using pages::Page;
using Time = std::chrono::system_clock::time_point;

inline constexpr std::chrono::seconds kLast = 60s, kBucket = 10s;  // of a Page
/// From when compaction finds that a bucket counts no more until its end, by the clock of the store.
inline constexpr std::chrono::milliseconds kUntilEnd = kLast + detail::StoreClock::kLongestStep;

/// Mappers with a clock that the test sets.
class WindowTest : public StoreTest {
 protected:
  MapperOptions options() {
    return {.retry = {.initial_backoff = 1us}, .compact_every = 0ms, .clock = [this] { return now_; }};
  }
  MapperOptions maintained() {
    MapperOptions options = this->options();
    options.compact_every = 1ms;
    return options;
  }
  /// A clock that has passed the end of what is counted now, but not by the minute that is left to slow ones.
  MapperOptions fast() {
    MapperOptions options = this->options();
    options.clock = [this] { return now_ + kLast + 30s; };
    return options;
  }
  /// A click that counts no more.
  void click_long_ago() {
    mapper_.save(Page(1));
    mapper_.apply<&Page::click>(1, 1, 1);
    now_ += 10 * kLast;
  }
  /// Time of the store passes.
  void pass(std::chrono::milliseconds time) {
    for (;;) {
      const std::unique_ptr<Transaction> transaction = store_->begin();
      const std::uint64_t before = detail::StoreClock::read(*transaction).value_or(0);
      std::string record;
      detail::StoreClock::encode(record, before + static_cast<std::uint64_t>(time.count()));
      transaction->put(detail::store_clock_key(), record);
      if (transaction->commit() == CommitOutcome::kCommitted) return;
    }
  }
  std::size_t buckets(int page = 1) {
    std::size_t number = 0;
    const detail::EntityKey key = detail::entity_key("Page", page);
    for (const auto& [record_key, record] : records(*store_, key)) {
      const auto shard = detail::read_shard_key(key, record_key);
      number += shard && detail::read_bucket(*shard);
    }
    return number;
  }
  /// Those that compaction has found to count no more.
  std::size_t buckets_with_end() {
    std::size_t number = 0;
    const detail::EntityKey key = detail::entity_key("Page", 1);
    for (const auto& [record_key, record] : records(*store_, key)) {
      const auto shard = detail::read_shard_key(key, record_key);
      number += shard && detail::read_bucket(*shard) && detail::read_bucket_end(record_key, record);
    }
    return number;
  }
  long clicks(int page = 1) { return mapper_.load<Page>(page).value().clicks(); }
  int slowest(int page = 1) { return mapper_.load<Page>(page).value().slowest(); }

  Time now_{1'000'000s};
  Mapper mapper_{*store_, options()};
};

}  // namespace autoshard::test
