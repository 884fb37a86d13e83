#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "entities/forms/question.autoshard.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {

/// A mapper whose commits can be interfered with, and somebody else's on the same store.
class MapperTest : public StoreTest {
 protected:
  std::string raw(std::string_view key) {
    std::string value;
    return store_->snapshot()->get(key, value) ? value : "absent";
  }
  void put_raw(std::string_view key, const std::string& value) {
    const auto transaction = store_->begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  int votes(int id) { return mapper_.load<moderator::Question>(id).value().votes(); }

  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, {.retry = {.initial_backoff = std::chrono::microseconds(1)}}};
  Mapper other_{*store_};  // somebody else's
};

inline moderator::Question question(int id) { return moderator::Question{id, "How?", "Phil R"}; }

}  // namespace autoshard::test
