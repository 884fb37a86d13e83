#pragma once

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "controlled_store.h"
#include "entities/forms/question.autoshard.h"
#include "entities/strategies/quota.autoshard.h"
#include "keys.h"
#include "support/test_store.h"

namespace autoshard::test {

inline constexpr std::chrono::hours kNotInThisTest(1);

class BufferedTest : public StoreTest {
 protected:
  void SetUp() override {
    for (int id = 1; id <= 3; ++id) other_.save(moderator::Question{id, "How?", "Phil R"});
    other_.save(shop::Quota(1));
  }
  void TearDown() override { store_control_.open(); }

  MapperOptions options(std::chrono::milliseconds within = kNotInThisTest) {
    return {.durability = durability::buffered{within}, .log = [this](std::string_view line) {
              const std::lock_guard lock(log_mutex_);
              logged_.emplace_back(line);
            }};
  }
  MapperOptions with_short_backoff() {
    MapperOptions options = this->options();
    options.retry.initial_backoff = std::chrono::microseconds(1);
    return options;
  }
  MapperOptions without_compaction() {
    MapperOptions options = this->options();
    options.compact_every = std::chrono::milliseconds(0);
    return options;
  }
  /// Some commits meet conflicts, and then one does not.
  void let_through_after_conflicts() {
    store_control_.close();
    for (int i = 0; i < 3; ++i) store_control_.let_through(ControlledStore::conflicts);
    store_control_.let_through();
  }
  int committed(int id = 1) { return other_.load<moderator::Question>(id).value().votes(); }
  static detail::EntityKey key(int id) { return detail::entity_key("Question", id); }

  std::mutex log_mutex_;
  std::vector<std::string> logged_;
  Mapper other_{*store_};
  ControlledStore store_control_{*store_};
};

}  // namespace autoshard::test
