// Several ranges walked as one (merged_cursor.h).

#include "merged_cursor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "support/test_store.h"

namespace autoshard::test {
namespace {

using detail::MergedCursor;

class MergedCursorTest : public StoreTest {
 protected:
  void put(const std::vector<std::string>& keys) {
    const auto transaction = store_->begin();
    for (const std::string& key : keys) transaction->put(key, "value of " + key);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  std::vector<std::string> keys(const std::vector<std::string>& prefixes, std::string_view begin,
                                std::string_view end, Direction direction = Direction::kForward) {
    std::vector<std::string> keys;
    const auto snapshot = store_->snapshot();
    for (MergedCursor cursor(*snapshot, prefixes, begin, end, direction); cursor.valid(); cursor.next()) {
      keys.emplace_back(cursor.key());
      EXPECT_EQ(cursor.value(), "value of " + keys.back());
      EXPECT_EQ(prefixes[cursor.range()] + std::string(cursor.suffix()), keys.back());
    }
    return keys;
  }
};

using Keys = std::vector<std::string>;

TEST_P(MergedCursorTest, GoesByWhatFollowsThePrefixes) {
  put({"aa1", "aa4", "b2", "b3", "b4", "c0", "d1"});
  EXPECT_EQ(keys({"aa", "b", "c"}, "", "\xFF"), (Keys{"c0", "aa1", "b2", "b3", "aa4", "b4"}));
  EXPECT_EQ(keys({"b", "aa"}, "", "\xFF"), (Keys{"aa1", "b2", "b3", "b4", "aa4"}));
  EXPECT_EQ(keys({"aa", "b", "c"}, "1", "4"), (Keys{"aa1", "b2", "b3"}));
}

TEST_P(MergedCursorTest, GoesBackwards) {
  put({"aa1", "aa4", "b2", "b3", "b4", "c0", "d1"});
  EXPECT_EQ(keys({"aa", "b", "c"}, "", "\xFF", Direction::kBackward),
            (Keys{"aa4", "b4", "b3", "b2", "aa1", "c0"}));
  EXPECT_EQ(keys({"aa", "b", "c"}, "1", "4", Direction::kBackward), (Keys{"b3", "b2", "aa1"}));
}

TEST_P(MergedCursorTest, IsAtItsEndAtOnceWhereThereIsNothing) {
  put({"b1"});
  EXPECT_EQ(keys({"a", "c"}, "", "\xFF"), Keys());
  EXPECT_EQ(keys({"b"}, "2", "9"), Keys());
  EXPECT_EQ(keys({}, "", "\xFF"), Keys());
}

TEST_P(MergedCursorTest, AgreesWithSorting) {
  std::mt19937_64 generator = seeded_generator();
  const std::vector<std::string> prefixes = {"a", "b", "ba", "c", "d"};
  std::vector<std::tuple<std::string, std::size_t, std::string>> model;  // suffix, range, key
  std::vector<std::string> all;
  for (int i = 0; i < 200; ++i) {
    const std::size_t range = below(generator, prefixes.size());
    std::string suffix = "x" + std::to_string(below(generator, 60));
    all.push_back(prefixes[range] + suffix);
    model.emplace_back(suffix, range, all.back());
  }
  put(all);
  std::ranges::sort(model);
  model.erase(std::ranges::unique(model).begin(), model.end());
  Keys forward, backward;
  for (const auto& [suffix, range, key] : model) forward.push_back(key);
  std::ranges::stable_sort(model, std::greater<>(), [](const auto& entry) { return std::get<0>(entry); });
  for (const auto& [suffix, range, key] : model) backward.push_back(key);
  EXPECT_EQ(keys(prefixes, "x", "y"), forward);
  EXPECT_EQ(keys(prefixes, "x", "y", Direction::kBackward), backward);
}

INSTANTIATE_TEST_SUITE_P(Stores, MergedCursorTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
