#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "entities/expiry/permit.autoshard.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {

using namespace std::chrono_literals;
using permits::Clock;
using permits::Permit;

class EntityExpiryTest : public StoreTest {
 protected:
  MapperOptions options() {
    return {.retry = {.initial_backoff = 1us}, .compact_every = 0ms, .clock = [this] { return now_.load(); }};
  }
  Clock::time_point in(std::chrono::milliseconds time) const { return now_.load() + time; }
  void pass(std::chrono::milliseconds time) { now_ = in(time); }
  std::size_t expiry_records() {
    return records(*store_, detail::begin_of_expiries("Permit", 0),
                   detail::begin_of_expiries("Permit", 1LL << 62))
        .size();
  }
  static detail::EntityKey key_of(const std::string& holder) { return detail::entity_key("Permit", holder); }
  void put_raw(std::string_view key, const std::string& value) {
    const auto transaction = store_->begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  std::size_t entity_records() { return records(*store_, "\2", "\3").size(); }

  std::atomic<Clock::time_point> now_{Clock::time_point(1'000'000s)};
  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, options()};
  Mapper other_{*store_, options()};  // somebody else's
};

}  // namespace autoshard::test
