// What every store promises of its snapshots and walks (store.h), run on each of them.

#include <string>
#include <string_view>
#include <vector>

#include "store_contract.h"

namespace autoshard::test {
namespace {

TEST_P(StoreContract, SnapshotsDoNotChange) {
  put(*store_, "a", "1");
  put(*store_, "b", "1");
  const auto snapshot = store_->snapshot();
  const auto cursor = snapshot->scan("a", "z");
  put(*store_, "a", "2");
  erase(*store_, "b");
  put(*store_, "c", "2");
  std::string value;
  ASSERT_TRUE(snapshot->get("a", value));
  EXPECT_EQ(value, "1");
  ASSERT_TRUE(snapshot->get("b", value));
  EXPECT_FALSE(snapshot->get("c", value));
  std::string seen;
  for (; cursor->valid(); cursor->next()) seen += std::string(cursor->key()) + std::string(cursor->value());
  EXPECT_EQ(seen, "a1b1");
  EXPECT_EQ(get(*store_, "a"), "2");
}

TEST_P(StoreContract, SeveralSnapshotsLiveSideBySide) {
  std::vector<std::unique_ptr<Snapshot>> snapshots;
  for (int i = 0; i < 10; ++i) {
    put(*store_, "key", std::to_string(i));
    snapshots.push_back(store_->snapshot());
  }
  snapshots.erase(snapshots.begin() + 3);  // in no particular order
  snapshots.erase(snapshots.begin());
  erase(*store_, "key");
  std::string value;
  for (const auto& [index, expected] : {std::pair{0, "1"}, {1, "2"}, {2, "4"}, {7, "9"}}) {
    ASSERT_TRUE(snapshots[static_cast<std::size_t>(index)]->get("key", value));
    EXPECT_EQ(value, expected);
  }
}

TEST_P(StoreContract, ScansInTheOrderOfUnsignedBytes) {
  const std::vector<std::string> keys = {std::string("a\0", 2), "a", "ab", "a\x7F", "a\x80", "a\xFF", "b"};
  for (const std::string& key : keys) put(*store_, key, key);
  std::vector<std::string> sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::string> seen;
  for (const auto& [key, value] : records(*store_)) {
    seen.push_back(key);
    EXPECT_EQ(key, value);
  }
  EXPECT_EQ(seen, sorted);
}

TEST_P(StoreContract, ScansFromBeginUpToEnd) {
  for (const char* key : {"a", "b", "c", "d"}) put(*store_, key, key);
  const auto keys = [&](std::string_view begin, std::string_view end) {
    std::string seen;
    for (const auto& [key, value] : records(*store_, begin, end)) seen += key;
    return seen;
  };
  EXPECT_EQ(keys("b", "d"), "bc");
  EXPECT_EQ(keys("aa", "cc"), "bc");
  EXPECT_EQ(keys("b", "b"), "");
  EXPECT_EQ(keys("x", "z"), "");
}

TEST_P(StoreContract, ScansBackwards) {
  for (const char* key : {"a", "b", "ba", "c", "c\xFF", "d"}) put(*store_, key, std::string(key) + ",");
  const auto snapshot = store_->snapshot();
  erase(*store_, "b");
  put(*store_, "bb", "later,");
  const auto values = [&](std::string_view begin, std::string_view end) {
    std::string seen;
    for (const auto cursor = snapshot->scan(begin, end, Direction::kBackward); cursor->valid();
         cursor->next()) {
      EXPECT_EQ(std::string(cursor->key()) + ",", cursor->value());
      seen += cursor->value();
    }
    return seen;
  };
  EXPECT_EQ(values("b", "d"), "c\xFF,c,ba,b,");
  EXPECT_EQ(values("aa", "c\xFF"), "c,ba,b,");
  EXPECT_EQ(values("a", "\xFF"), "d,c\xFF,c,ba,b,a,");
  EXPECT_EQ(values("b", "b"), "");
  EXPECT_EQ(values("d", "b"), "");
  EXPECT_EQ(values("x", "z"), "");
  EXPECT_EQ(values("0", "1"), "");
}

// More than a store reads at once, whatever that is.
TEST_P(StoreContract, ScansManyRecordsInBothDirections) {
  constexpr int kRecords = 3'000;
  const auto transaction = store_->begin();
  for (int i = 0; i < kRecords; ++i) transaction->put(std::to_string(10'000 + i), std::to_string(i));
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  const auto snapshot = store_->snapshot();
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    int seen = 0;
    for (const auto cursor = snapshot->scan("1", "2", direction); cursor->valid(); cursor->next(), ++seen) {
      const int expected = direction == Direction::kForward ? seen : kRecords - 1 - seen;
      ASSERT_EQ(cursor->value(), std::to_string(expected));
    }
    EXPECT_EQ(seen, kRecords);
  }
}

TEST_P(StoreContract, ScansSeveralRangesAsOneWalk) {
  for (const char* key : {"a", "b", "b1", "c", "d", "e", "f"}) put(*store_, key, std::string(key) + "!");
  const auto snapshot = store_->snapshot();
  put(*store_, "b2", "later");
  const auto scan = [&](std::vector<KeyRange> ranges) {
    std::string found;
    for (const auto cursor = snapshot->scan_all(std::move(ranges)); cursor->valid(); cursor->next()) {
      EXPECT_EQ(cursor->value(), std::string(cursor->key()) + "!");
      found.append(cursor->key()).append(" ");
    }
    return found;
  };
  EXPECT_EQ(scan({{"b", "c"}, {"c5", "c6"}, {"d", "d5"}, {"f", "g"}, {"x", "y"}}), "b b1 d f ");
  EXPECT_EQ(scan({{"b", "c"}, {"c", "d"}}), "b b1 c ");
  EXPECT_EQ(scan({{"0", "1"}, {"e", "f"}}), "e ");
  EXPECT_EQ(scan({{"x", "y"}}), "");
  EXPECT_EQ(scan({}), "");
}

// However many records there are, and whatever happens meanwhile.
TEST_P(StoreContract, AWalkWithoutASnapshotShowsOneState) {
  for (const int records : {0, 1, 1'023, 1'024, 3'000}) {
    const auto transaction = store_->begin();
    const auto key = [](int i) { return "key " + std::to_string(100'000 + i); };
    for (int i = 0; i < records; ++i) transaction->put(key(i), "old");
    transaction->put("key 1", "before the range");
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
    const auto cursor = store_->scan(key(0), key(records));
    const auto changing = store_->begin();
    for (int i = 0; i < records; ++i) changing->put(key(i), "new");
    ASSERT_EQ(changing->commit(), CommitOutcome::kCommitted);
    for (int i = 0; i < records; ++i, cursor->next()) {
      ASSERT_TRUE(cursor->valid());
      ASSERT_EQ(cursor->key(), key(i));
      ASSERT_EQ(cursor->value(), "old");
    }
    ASSERT_FALSE(cursor->valid());
  }
}

}  // namespace
}  // namespace autoshard::test
