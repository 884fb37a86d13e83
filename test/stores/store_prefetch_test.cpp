// What every store promises of records that are read ahead (store.h).

#include <string>
#include <vector>

#include "store_contract.h"

namespace autoshard::test {
namespace {

TEST_P(StorePrefetch, ChangesNothingThatIsSeen) {
  std::vector<std::string> keys;
  for (int i = 0; i < 600; ++i) {
    keys.push_back("key " + std::to_string(i));
    if (i % 3 == 0) continue;
    ASSERT_EQ(put(*store_, keys.back(), "value " + std::to_string(i)), CommitOutcome::kCommitted);
  }
  keys.emplace_back(1'000'000, 'x');
  const auto transaction = store_->begin();
  transaction->put("key 0", "its own");
  transaction->erase("key 1");
  transaction->prefetch(keys);
  transaction->prefetch({});
  std::string value;
  for (std::size_t i = 2; i < 600; ++i) {
    ASSERT_EQ(transaction->get(keys[i], value), i % 3 != 0);
    ASSERT_EQ(value, "value " + std::to_string(i % 3 != 0 ? i : i - 1));
  }
  ASSERT_TRUE(transaction->get("key 0", value));
  EXPECT_EQ(value, "its own");
  EXPECT_FALSE(transaction->get("key 1", value));
  EXPECT_FALSE(transaction->get(keys.back(), value));
  transaction->put("key 2", "new");
  ASSERT_TRUE(transaction->get("key 2", value));
  EXPECT_EQ(value, "new");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

// Whether it shows what was there then, or what is there now.
TEST_P(StorePrefetch, WhatHasChangedSinceIsValidated) {
  for (const bool is_there : {false, true}) {
    const std::string key = is_there ? "there" : "not there";
    if (is_there) put(*store_, key, "old");
    const auto transaction = store_->begin();
    transaction->prefetch(std::vector<std::string>{key});
    put(*store_, key, "new");
    std::string value = "absent";
    transaction->get(key, value);
    transaction->put("beside " + key, "written");
    const bool is_new = value == "new";
    EXPECT_EQ(transaction->commit(), is_new ? CommitOutcome::kCommitted : CommitOutcome::kConflict);
    EXPECT_EQ(store_->snapshot()->get("beside " + key, value), is_new);
  }
}

TEST_P(StorePrefetch, WhatIsNotReadThenIsNotValidated) {
  put(*store_, "one", "old");
  const auto transaction = store_->begin();
  transaction->prefetch(std::vector<std::string>{"one", "other", "third"});
  put(*store_, "one", "new");
  put(*store_, "other", "new");
  std::string value;
  EXPECT_FALSE(transaction->get("third", value));
  transaction->put("beside", "written");
  EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
}

}  // namespace
}  // namespace autoshard::test
