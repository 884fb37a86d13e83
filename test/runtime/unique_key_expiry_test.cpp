// Unique keys of entities that expire.

#include <autoshard/autoshard.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "entities/expiry/seat.autoshard.h"
#include "entity_expiry_fixture.h"
#include "keys.h"
#include "main_record.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using theatre::Seat;

class UniqueKeyExpiryTest : public EntityExpiryTest {};
INSTANTIATE_TEST_SUITE_P(Stores, UniqueKeyExpiryTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(UniqueKeyExpiryTest, AUniqueKeyIsFreeFromTheSameInstantOn) {
  const auto at = [&](const std::string& place) {
    std::vector<int> numbers;
    for (const Seat& seat : mapper_.query<Seat>(Fields<Seat>::place == place)) numbers.push_back(seat.number);
    return numbers;
  };
  Seat first(1, "window", in(10s)), second(2, "window");
  mapper_.save(first);
  pass(9'999ms);
  EXPECT_THROW(other_.save(second), NotUnique);
  pass(1ms);
  other_.save(second);
  EXPECT_EQ(at("window"), std::vector{2});
  EXPECT_EQ(admin::compact(mapper_), 1U);
  EXPECT_EQ(at("window"), std::vector{2});
  Seat third(3, "window");
  EXPECT_THROW(mapper_.save(third), NotUnique);
}

// An owner whose own clock is behind finds that its key is another's by now.
TEST_P(UniqueKeyExpiryTest, AKeyIsNotHadTwiceWhereClocksDiffer) {
  Seat first(1, "window", in(10s)), second(2, "window");
  mapper_.save(first);
  Mapper ahead(*store_, {.compact_every = 0ms, .clock = [this] { return in(1min); }});
  ahead.save(second);
  first.until.reset();
  EXPECT_THROW(mapper_.save(first), NotUnique);
}

TEST_P(UniqueKeyExpiryTest, TheEntryOfAnEntityThatIsNotThereIsNobodys) {
  Seat first(1, "window"), second(2, "window");
  mapper_.save(first);
  const auto transaction = store_->begin();
  transaction->erase(detail::main_key(detail::entity_key("Seat", 1)));
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  mapper_.save(second);
  EXPECT_EQ(mapper_.query<Seat>(Fields<Seat>::place == "window").count(), 1U);
}

TEST_P(UniqueKeyExpiryTest, TheEntryOfAnErasedEntityIsNobodys) {
  Seat first(1, "window"), second(2, "window");
  mapper_.save(first);
  put_raw(detail::main_key(detail::entity_key("Seat", 1)), detail::tombstone());
  mapper_.save(second);
  EXPECT_EQ(mapper_.query<Seat>(Fields<Seat>::place == "window").count(), 1U);
}

TEST_P(UniqueKeyExpiryTest, ABuildGivesAUniqueKeyToNobodyWhoHasExpired) {
  Seat first(1, "window", in(10s)), second(2, "window");
  mapper_.save(first);
  pass(10s);
  mapper_.save(second);
  admin::rebuild_indexes<Seat>(mapper_);
  const auto query = mapper_.query<Seat>(Fields<Seat>::place == "window");
  EXPECT_NE(query.explain().find("index place: "), std::string::npos);
  ASSERT_EQ(query.count(), 1U);
  EXPECT_EQ((*query.begin()).number, 2);
}

}  // namespace
}  // namespace autoshard::test
