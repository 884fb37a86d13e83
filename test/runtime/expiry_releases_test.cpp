// Entities that expire, in the hands of a release of their class that does not know of it.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "entities/versions/lock/lock.autoshard.h"
#include "entities/versions/lock/old.autoshard.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using locks::Lock;
using locks::OldLock;

class ExpiryReleasesTest : public StoreTest {
 protected:
  std::size_t expiry_records() {
    return records(*store_, detail::begin_of_expiries("Lock", 0),
                   detail::begin_of_expiries("Lock", 1LL << 62))
        .size();
  }

  static constexpr locks::Time kEnd{1'000s};
  std::atomic<locks::Time> now_{locks::Time(999s)};
  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, {.compact_every = 0ms, .clock = [this] { return now_.load(); }}};
};
INSTANTIATE_TEST_SUITE_P(Stores, ExpiryReleasesTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(ExpiryReleasesTest, ASaveKeepsTheEnd) {
  const std::function<void(OldLock&)> saves[] = {
      [&](OldLock& lock) { mapper_.save(lock); },
      [&](OldLock& lock) {
        std::vector<OldLock> several = {lock, OldLock(2)};
        mapper_.save(several);
        mapper_.erase<OldLock>(2);
      },
      [&](OldLock& lock) { mapper_.transact([&](EntityTransaction& with) { with.save(lock); }); },
  };
  for (const auto& save : saves) {
    now_ = locks::Time(999s);
    mapper_.save(Lock(1, "ann", kEnd));
    OldLock lock = mapper_.load<OldLock>(1).value();
    lock.owner = "bob";
    save(lock);
    EXPECT_EQ(mapper_.load<Lock>(1).value().owner, "bob");
    EXPECT_EQ(mapper_.load<Lock>(1).value().until, kEnd);
    EXPECT_EQ(expiry_records(), 1U);
    now_ = kEnd;
    EXPECT_FALSE(mapper_.exists<Lock>(1));
    EXPECT_TRUE(mapper_.exists<OldLock>(1));
    EXPECT_EQ(admin::compact(mapper_), 1U);
    EXPECT_EQ(records(*store_, "\2", "\3").size() + expiry_records(), 0U);
  }
}

TEST_P(ExpiryReleasesTest, ASaveWithoutAChangeWritesNothing) {
  mapper_.save(Lock(1, "ann", kEnd));
  OldLock lock = mapper_.load<OldLock>(1).value();
  faulty_.before_commit([](int) { return Fate::kCommits; });
  mapper_.save(lock);
  EXPECT_EQ(faulty_.commits(), 0);
  EXPECT_EQ(mapper_.load<Lock>(1).value().until, kEnd);
}

/// As of a release without the note, in which the member did not say yet when the entity expires.
TEST_P(ExpiryReleasesTest, ASaveWithoutAChangeWritesAnEndThatIsMissing) {
  mapper_.save(Lock(1, "ann", kEnd));
  const detail::RecordKey key = detail::main_key(detail::entity_key("Lock", 1));
  std::string record;
  ASSERT_TRUE(store_->snapshot()->get(key, record));
  const std::size_t end = record.find("\xA8@expires");
  ASSERT_NE(end, std::string::npos);
  record.erase(end, 9 + 5);  // the name, and 1,000,000
  const std::string note = "\xA4note\xA0";
  ASSERT_TRUE(record.ends_with(note));
  record.resize(record.size() - note.size());
  record[0] = static_cast<char>(record[0] - 2);
  const auto transaction = store_->begin();
  transaction->put(key, record);
  transaction->erase(detail::expiry_key("Lock", 1'000'000, detail::entity_key("Lock", 1)));
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  ASSERT_EQ(expiry_records(), 0U);
  Lock lock = mapper_.load<Lock>(1).value();
  EXPECT_EQ(lock.until, kEnd);
  mapper_.save(lock);
  EXPECT_EQ(expiry_records(), 1U);
  now_ = kEnd;
  EXPECT_FALSE(mapper_.exists<Lock>(1));
}

TEST_P(ExpiryReleasesTest, AnEraseTakesTheRecordOfTheEndAlong) {
  mapper_.save(Lock(1, "ann", kEnd));
  mapper_.erase<OldLock>(1);
  EXPECT_EQ(expiry_records(), 0U);
  mapper_.save(Lock(1, "ann", kEnd));
  mapper_.transact([](EntityTransaction& transaction) { transaction.erase<OldLock>(1); });
  EXPECT_EQ(expiry_records(), 0U);
}

/// Of an entity whose main record does not tell any more when it expires.
TEST_P(ExpiryReleasesTest, AnEraseOfADamagedEntityTakesTheRecordOfTheEndAlong) {
  mapper_.save(Lock(1, "ann", kEnd));
  mapper_.save(Lock(2, "ann", kEnd));
  const auto transaction = store_->begin();
  transaction->put(detail::main_key(detail::entity_key("Lock", 1)), "\x93");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  mapper_.erase<OldLock>(1);
  EXPECT_EQ(expiry_records(), 1U);
}

TEST_P(ExpiryReleasesTest, ANewEntityHasNothingOfOneThatIsSavedWhileItIsRemoved) {
  Mapper other(*store_, {.compact_every = 0ms, .clock = [this] { return now_.load(); }});
  const std::function<void(Lock&)> creations[] = {
      [&](Lock& lock) { mapper_.save(lock); },
      [&](Lock& lock) { mapper_.transact([&](EntityTransaction& with) { with.save(lock); }); },
  };
  for (const auto& create : creations) {
    now_ = locks::Time(999s);
    mapper_.save(Lock(1, "ann", kEnd));
    mapper_.apply<&OldLock::use>(1, 5);
    OldLock old = other.load<OldLock>(1).value();
    now_ = kEnd;
    faulty_.before_commit([&](int nth) {
      if (nth == 1) {
        old.owner = "bob";
        other.save(old);
      }
      return Fate::kCommits;
    });
    Lock next(1, "eve", kEnd + 1'000s);
    create(next);
    EXPECT_EQ(mapper_.load<Lock>(1).value().owner, "eve");
    EXPECT_EQ(mapper_.load<Lock>(1).value().uses(), 0);
    EXPECT_TRUE(mapper_.erase<Lock>(1));
    EXPECT_EQ(expiry_records(), 0U);
  }
}

TEST_P(ExpiryReleasesTest, UpdatesAndShardsOfTheOldReleaseKeepTheEnd) {
  mapper_.save(Lock(1, "ann", kEnd));
  mapper_.apply<&OldLock::use>(1, 5);
  admin::set_shards<OldLock>(mapper_, 1, "uses", 7);
  EXPECT_EQ(mapper_.load<Lock>(1).value().uses(), 5);
  now_ = kEnd;
  EXPECT_FALSE(mapper_.exists<Lock>(1));
}

}  // namespace
}  // namespace autoshard::test
