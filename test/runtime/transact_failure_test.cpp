// What a call within a transaction throws, and the application catches: that call has done nothing.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>

#include "entities/expiry/session.autoshard.h"
#include "entities/versions/lock/lock.autoshard.h"
#include "keys.h"
#include "main_record.h"
#include "support/faulty_store.h"
#include "support/index_fixture.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using locks::Lock;

class TransactFailureTest : public StoreTest {
 protected:
  void SetUp() override { other_.save(Lock(1, "ann", kEnd)); }

  std::size_t owned_by(const std::string& owner) {
    return other_.query<Lock>(Fields<Lock>::owner == owner).count();
  }
  std::size_t expiry_records() {
    return records(*store_, detail::begin_of_expiries("Lock", 0),
                   detail::begin_of_expiries("Lock", 1LL << 62))
        .size();
  }
  void expect_unchanged() {
    EXPECT_EQ(other_.load<Lock>(1).value().owner, "ann");
    EXPECT_EQ(owned_by("ann"), 1U);
    EXPECT_EQ(owned_by("bob"), 0U);
    EXPECT_EQ(expiry_records(), 1U);
    expect_right_indexes<Lock>(*store_->snapshot());
  }

  static constexpr locks::Time kEnd{2'000'000s};
  FaultyStore faulty_{*store_};
  MapperOptions options_{.retry = {.initial_backoff = 1us}, .compact_every = 0ms, .clock = [] {
                           return locks::Time(1'000'000s);
                         }};
  Mapper mapper_{faulty_, options_};
  Mapper other_{*store_, options_};
};
INSTANTIATE_TEST_SUITE_P(Stores, TransactFailureTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(TransactFailureTest, AMemberThatCannotBeWrittenLeavesTheIndexesAlone) {
  mapper_.transact([](EntityTransaction& transaction) {
    Lock lock = transaction.load<Lock>(1).value();
    lock.owner = "bob";
    lock.until = kEnd + 1h;
    lock.note = locks::kUnwritable;
    EXPECT_THROW(transaction.save(lock), std::domain_error);
    EXPECT_EQ(transaction.load<Lock>(1).value().owner, "ann");
    Lock created(2, "bob", kEnd);
    created.note = locks::kUnwritable;
    EXPECT_THROW(transaction.save(created), std::domain_error);
    EXPECT_FALSE(transaction.exists<Lock>(2));
    transaction.save(Lock(3, "cid"));
  });
  expect_unchanged();
  EXPECT_EQ(owned_by("cid"), 1U);
  EXPECT_FALSE(other_.exists<Lock>(2));
}

TEST_P(TransactFailureTest, AHookThatThrowsLeavesNothing) {
  other_.save(web::Session(7, "ann"));
  mapper_.transact([](EntityTransaction& transaction) {
    web::Session session = transaction.load<web::Session>(7).value();
    session.user = "bob";
    session.refuses = true;
    session.hit(5);
    EXPECT_THROW(transaction.save(session), std::runtime_error);
    transaction.apply<&web::Session::hit>(7, 1);
  });
  EXPECT_EQ(other_.load<web::Session>(7).value().user, "ann");
  EXPECT_EQ(other_.load<web::Session>(7).value().hits(), 1);
}

/// Folds of what a transaction has collected run before its commit.
TEST_P(TransactFailureTest, AFoldThatThrowsLeavesNothing) {
  EXPECT_THROW(mapper_.transact([](EntityTransaction& transaction) {
    transaction.apply<&Lock::use>(1, 600'000);
    Lock lock = transaction.load<Lock>(1).value();
    lock.owner = "bob";
    lock.use(600'000);
    try {
      transaction.save(lock);
    } catch (const std::out_of_range&) {
    }
  }),
               std::out_of_range);
  expect_unchanged();
  EXPECT_EQ(other_.load<Lock>(1).value().uses(), 0);
}

/// As outside of a transaction: it is a fold that refuses, not the value.
TEST_P(TransactFailureTest, AFirstValueIsNotFolded) {
  mapper_.transact([](EntityTransaction& transaction) { transaction.save(Lock(2, "bob", {}, 2'000'000)); });
  EXPECT_TRUE(other_.exists<Lock>(2));
}

/// Wherever the store's answer is missing, in each call of a transaction.
TEST_P(TransactFailureTest, AReadThatFailsLeavesNothing) {
  const auto each = [&](auto call) {
    for (int nth = 0;; ++nth) {
      bool has_failed = false;
      mapper_.transact([&](EntityTransaction& transaction) {
        faulty_.before_get([&, left = nth]() mutable {
          if (left-- == 0) throw StoreUnavailable("no answer");
        });
        try {
          call(transaction);
        } catch (const StoreUnavailable&) {
          has_failed = true;
        }
        faulty_.before_get({});
        if (!has_failed) return;
        EXPECT_TRUE(transaction.exists<Lock>(1));
        EXPECT_THROW(transaction.save(Lock(1, "bob")), StaleEntity);
        EXPECT_EQ(transaction.load<Lock>(1).value().owner, "ann");
      });
      if (!has_failed) return;
      expect_unchanged();
    }
  };
  each([](EntityTransaction& transaction) { transaction.exists<Lock>(1); });
  each([](EntityTransaction& transaction) { transaction.load<Lock>(1); });
  each([](EntityTransaction& transaction) {
    try {
      transaction.save(Lock(1, "bob"));
      ADD_FAILURE() << "there are two of them";
    } catch (const StaleEntity&) {
    }
  });
  each([](EntityTransaction& transaction) {
    Lock lock = transaction.load<Lock>(1).value();
    lock.owner = "ann";
    lock.until = kEnd + 1h;
    transaction.save(lock);
    lock = transaction.load<Lock>(1).value();
    lock.until = kEnd;
    transaction.save(lock);
  });
  each([](EntityTransaction& transaction) { transaction.erase<Lock>(1); });
  EXPECT_FALSE(other_.exists<Lock>(1));
  expect_right_indexes<Lock>(*store_->snapshot());
}

/// What a store refuses to take is not committed in part.
TEST_P(TransactFailureTest, AWriteThatFailsLeavesNothing) {
  for (int nth = 0;; ++nth) {
    bool has_failed = false;
    faulty_.before_put([&, left = nth]() mutable {
      if (left-- > 0) return;
      has_failed = true;
      throw StoreUnavailable("no room");
    });
    try {
      mapper_.transact([](EntityTransaction& transaction) {
        Lock lock = transaction.load<Lock>(1).value();
        lock.owner = "bob";
        lock.until.reset();
        try {
          transaction.save(lock);
        } catch (const StoreUnavailable&) {
        }
        try {
          transaction.save(Lock(2, "bob", kEnd, 5));
        } catch (const StoreUnavailable&) {
        }
      });
    } catch (const StoreUnavailable&) {
    }
    faulty_.before_put({});
    expect_right_indexes<Lock>(*store_->snapshot());
    if (!has_failed) break;
    expect_unchanged();
  }
  EXPECT_EQ(owned_by("bob"), 2U);
}

/// The tombstone of an earlier one of the id stays, with its shards, for the next one to remove.
TEST_P(TransactFailureTest, ACreationThatIsCutShortLeavesNothing) {
  other_.apply<&Lock::use>(1, 5);
  const auto bury = store_->begin();
  bury->put(detail::main_key(detail::entity_key("Lock", 2)), detail::tombstone());
  ASSERT_EQ(bury->commit(), CommitOutcome::kCommitted);
  mapper_.transact([&](EntityTransaction& transaction) {
    transaction.exists<Lock>(2);
    faulty_.before_begin([left = 0]() mutable {
      if (left++ > 1) throw StoreUnavailable("no answer");
    });
    EXPECT_THROW(transaction.save(Lock(2, "bob", kEnd)), StoreUnavailable);
    faulty_.before_begin({});
    EXPECT_FALSE(transaction.exists<Lock>(2));
  });
  expect_unchanged();
  EXPECT_FALSE(other_.exists<Lock>(2));
}

/// An entity that ends in a transaction leaves shards and index entries that the next one of its id must not
/// have.
TEST_P(TransactFailureTest, AnIdIsNotUsedTwice) {
  other_.apply<&Lock::use>(1, 5);
  mapper_.transact([](EntityTransaction& transaction) {
    Lock lock = transaction.load<Lock>(1).value();
    lock.owner = "bob";
    lock.until = locks::Time(1s);
    transaction.save(lock);
    EXPECT_FALSE(transaction.exists<Lock>(1));
    EXPECT_THROW(transaction.save(Lock(1, "cid")), StaleEntity);
    transaction.save(Lock(2, "bob", locks::Time(1s), 5));
    EXPECT_FALSE(transaction.exists<Lock>(2));
    EXPECT_THROW(transaction.save(Lock(2, "cid")), StaleEntity);
  });
  expect_right_indexes<Lock>(*store_->snapshot());
  EXPECT_EQ(owned_by("cid"), 0U);
  mapper_.save(Lock(1, "cid"));
  EXPECT_EQ(other_.load<Lock>(1).value().uses(), 0);
}

TEST_P(TransactFailureTest, AnIdThatIsTooLongForTheRecordOfItsEndIsSaidToBe) {
  const std::size_t size = detail::expiry_key("Lock", 0, detail::entity_key("Lock", 2)).size();
  faulty_.limit_keys(size - 1);
  Lock lock(2, "", kEnd);
  EXPECT_THROW(mapper_.save(lock), KeyTooLong);
  mapper_.transact([&](EntityTransaction& transaction) { EXPECT_THROW(transaction.save(lock), KeyTooLong); });
  lock.until.reset();
  mapper_.save(lock);
  lock.until = kEnd;
  EXPECT_THROW(mapper_.save(lock), KeyTooLong);
  EXPECT_FALSE(other_.load<Lock>(2).value().until);
  faulty_.limit_keys(size);
  mapper_.save(lock);
}

}  // namespace
}  // namespace autoshard::test
