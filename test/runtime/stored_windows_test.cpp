// Windows of an earlier release, whose buckets have no ends, are read as that release read them, are
// compacted, and go on. fixtures/write_windows.cpp tells how the fixture was made.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "checked_keys.h"
#include "fixtures/stored.h"
#include "fixtures/windows.h"
#include "keys.h"
#include "store_clock.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace fixture;
using namespace std::chrono_literals;
using ::testing::ElementsAreArray;

class StoredWindowsTest : public StoreTest {
 protected:
  StoredWindowsTest() {
    for (const auto& [key, value] : stored_records("windows.txt")) put(key, value);
  }
  void put(const std::string& key, const std::string& value) {
    const std::unique_ptr<Transaction> transaction = store_->begin();
    transaction->put(key, value);
    if (transaction->commit() != CommitOutcome::kCommitted) throw std::logic_error("a conflict");
  }
  void set_store_clock(std::chrono::milliseconds time) {
    std::string record;
    detail::StoreClock::encode(record, static_cast<std::uint64_t>(time.count()));
    put(std::string(detail::store_clock_key()), record);
  }
  /// Compacts all pages at that time.
  std::uint64_t compact(std::chrono::system_clock::time_point now) {
    Mapper mapper(*store_, {.compact_every = 0ms, .clock = [&] { return now; }});
    return admin::compact<Page>(mapper);
  }
  std::size_t buckets() {
    std::size_t number = 0;
    const std::unique_ptr<Snapshot> snapshot = store_->snapshot();
    for (const auto cursor = snapshot->scan({"\0\1", 2}, "\xFF"); cursor->valid(); cursor->next())
      number += detail::parse_checked_key(cursor->key()).kind == detail::CheckedKey::kBucket ? 1 : 0;
    return number;
  }

  const Lines values_ = read_file("windows.values.txt");
};
INSTANTIATE_TEST_SUITE_P(Stores, StoredWindowsTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(StoredWindowsTest, AreReadAsThen) { EXPECT_THAT(read_windows(*store_), ElementsAreArray(values_)); }

TEST_P(StoredWindowsTest, AreCompacted) {
  Lines values = values_;
  // Compaction moves what stands under the former name.
  for (std::string& line : values) line = line.substr(0, line.find("former: ")) + "former: 0";
  const std::size_t before = buckets();
  EXPECT_GT(compact(kWindowsNow), 0U);  // by the clock of the mapper, some buckets count no more
  EXPECT_THAT(read_windows(*store_), ElementsAreArray(values));
  const std::size_t after = buckets();
  EXPECT_LT(after, before);
  // Later, buckets that have an end by now are removed, and all others get one.
  set_store_clock(2min);
  EXPECT_GT(compact(kWindowsNow + 5min), 0U);
  EXPECT_LT(buckets(), after);
  EXPECT_GT(buckets(), 0U);
  set_store_clock(4min);
  compact(kWindowsNow + 10min);
  EXPECT_EQ(buckets(), 0U);
}

TEST_P(StoredWindowsTest, GoOn) {
  Mapper mapper(*store_, {.compact_every = 0ms, .clock = [] { return kWindowsNow; }});
  const long before = mapper.load<Page>(1).value().clicks();
  mapper.apply<&Page::click>(1, 5, 300);
  EXPECT_EQ(mapper.load<Page>(1).value().clicks(), before + 5);
  EXPECT_EQ(mapper.load<Page>(1).value().slowest(), 300);
}

}  // namespace
}  // namespace autoshard::test
