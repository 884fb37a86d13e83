#include "compaction.h"

#include <autoshard/autoshard.h>
#include <autoshard/elements.h>
#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "compactable_entities.h"
#include "context.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entities/versions/topic.h"
#include "keys.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using detail::entity_key;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

class CompactionTest : public StoreTest {
 protected:
  static MapperOptions options() {
    return {.combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}};
  }

  std::int64_t likes(int flight) { return mapper_.load<Flight>(flight).value().likes(); }

  Mapper mapper_{*store_, options()};
};
INSTANTIATE_TEST_SUITE_P(Stores, CompactionTest, ::testing::ValuesIn(all_stores()), store_name);

TEST(CompactableEntitiesTest, AreSoManyAtMost) {
  detail::CompactableEntities entities;
  for (std::size_t i = 0; i <= detail::CompactableEntities::kMost; ++i)
    entities.note(detail::kEntityType<Flight>, entity_key("Flight", static_cast<int>(i)));
  EXPECT_EQ(entities.take().size(), detail::CompactableEntities::kMost);
  EXPECT_TRUE(entities.take().empty());
}

TEST(CompactableEntitiesTest, AreABacklogUntilNoneIsLeft) {
  detail::CompactableEntities entities;
  EXPECT_FALSE(entities.backlog().since);
  entities.note(detail::kEntityType<Flight>, entity_key("Flight", 1));
  const auto since = entities.backlog().since;
  ASSERT_TRUE(since);
  EXPECT_EQ(entities.backlog().entities, 1u);
  entities.take();
  entities.note(detail::kEntityType<Flight>, entity_key("Flight", 1));  // it could not be compacted
  EXPECT_EQ(entities.backlog().since, since);
  entities.take();
  EXPECT_EQ(entities.backlog().since, since) << "it is being compacted";
  entities.take();
  EXPECT_FALSE(entities.backlog().since);
}

/// Elements that an earlier version of the class has left in a shard. In this version, the key of one of them
/// is too long for the store.
class LongKeysTest : public ::testing::Test {
 protected:
  using Sharded = forum::ShardedTopic;
  using Grouped = forum::GroupedTopic;

  LongKeysTest() {
    for (const int id : {1, 2}) {
      earlier_.save(Sharded(id));
      earlier_.apply<&Sharded::rate>(id, "ann", 3);
    }
    earlier_.apply<&Sharded::rate>(1, kLong, 5);
    put_shard(1, "stars", 1,
              "\x91\x81\xA3"
              "bob\x02");
    faulty_.limit_keys(150);
  }

  void put_shard(int id, std::string_view property, std::uint16_t shard, std::string_view record) {
    const auto transaction = memory_.begin();
    transaction->put(detail::shard_key(entity_key("Topic", id), property, shard), record);
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  bool has_shard(int id, std::string_view property, std::uint16_t shard = 0) {
    std::string record;
    return memory_.snapshot()->get(detail::shard_key(entity_key("Topic", id), property, shard), record);
  }

  /// Returns whether today's version has made an element of each star.
  bool is_compact(int id) { return !has_shard(id, "stars"); }

  const std::string kLong = std::string(200, 'x');
  MemoryStore memory_;
  Mapper earlier_{memory_, {.compact_every = 0ms}};
  FaultyStore faulty_{memory_};
  std::vector<std::string> logged_;
  MapperOptions options_{.compact_every = 0ms,
                         .log = [this](std::string_view line) { logged_.emplace_back(line); }};
};

TEST_F(LongKeysTest, LeaveTheShardAsItIs) {
  Mapper mapper(faulty_, options_);
  EXPECT_EQ(admin::compact<Grouped>(mapper), 1U);
  EXPECT_THAT(logged_, ElementsAre(AllOf(
                           HasSubstr("Topic 1 is not compacted: a record of Topic 1 would need a key of 2"),
                           HasSubstr(" bytes, and the store allows 150"))));
  EXPECT_FALSE(is_compact(1));
  EXPECT_TRUE(is_compact(2));
  EXPECT_EQ(mapper.load<Grouped>(1).value().stars(), (Grouped::Stars{{"ann", 3}, {"bob", 2}, {kLong, 5}}));
  const auto ann = mapper.elements(2, Fields<Grouped>::stars).begin()->id;
  EXPECT_THROW(mapper.erase_element(1, Fields<Grouped>::stars, ann), KeyTooLong);
  EXPECT_TRUE(mapper.erase_element(2, Fields<Grouped>::stars, ann));
}

TEST_F(LongKeysTest, KeepNoOtherPropertyFromBeingCompacted) {
  earlier_.save(Sharded(3));
  put_shard(3, "readers", 0, "\x91\x91\xD9\xC8" + kLong);
  put_shard(3, "readers", 1,
            "\x91\x91\xA3"
            "eve");
  put_shard(3, "stars", 0,
            "\x91\x81\xA3"
            "bob\x02");
  Mapper mapper(faulty_, options_);
  EXPECT_EQ(admin::compact<forum::Topic>(mapper, 3), 1U);
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("Topic 3 is not compacted: ")));
  EXPECT_TRUE(has_shard(3, "readers", 0));
  EXPECT_TRUE(has_shard(3, "readers", 1));
  EXPECT_FALSE(has_shard(3, "stars"));
  EXPECT_EQ(mapper.load<forum::Topic>(3).value().readers(), (std::set<std::string>{"eve", kLong}));
  EXPECT_EQ(mapper.load<forum::Topic>(3).value().stars(), (std::map<std::string, int>{{"bob", 2}}));
}

TEST_F(LongKeysTest, KeepNoEarlierShardFromBeingCompacted) {
  earlier_.save(Sharded(3));
  put_shard(3, "stars", 0,
            "\x91\x81\xA3"
            "bob\x02");
  put_shard(3, "stars", 1, "\x91\x81\xD9\xC8" + kLong + "\x05");
  Mapper mapper(faulty_, options_);
  admin::compact<Grouped>(mapper, 3);
  EXPECT_FALSE(has_shard(3, "stars", 0));
  EXPECT_TRUE(has_shard(3, "stars", 1));
  EXPECT_EQ(mapper.load<Grouped>(3).value().stars(), (Grouped::Stars{{"bob", 2}, {kLong, 5}}));
}

TEST_F(LongKeysTest, OfAnEntityWhoseNumberOfShardsDoesNotChangeStayAsTheyAre) {
  Mapper mapper(faulty_, options_);
  admin::set_shards<Sharded>(mapper, 2, "stars", 8);
  put_shard(2, "stars", 9, "\x91\x80");
  faulty_.before_commit([](int) { return Fate::kCommits; });
  admin::set_shards<Sharded>(mapper, 2, "stars", 8);
  admin::increase_shards<Sharded>(mapper, 2, "stars", 4);
  EXPECT_EQ(faulty_.commits(), 0);
  EXPECT_TRUE(has_shard(2, "stars", 9));
  admin::set_shards<Sharded>(mapper, 2, "stars", 7);
  EXPECT_FALSE(has_shard(2, "stars", 9));
}

/// Shards of a map, which are compacted in their order.
TEST_F(LongKeysTest, LeaveTheRestIfCompactionHasToEndOrTheEntityIsGone) {
  const detail::EntityKey key = entity_key("Topic", 3);
  const auto put_star = [&](std::uint16_t shard, char name) {
    put_shard(3, "stars", shard, "\x91\x81\xD9\x64" + std::string(100, name) + "\x05");
  };
  detail::MapperContext context(faulty_, options_);
  earlier_.save(Sharded(3));
  for (int shard = 0; shard < 300; ++shard) {
    put_shard(3, "stars", static_cast<std::uint16_t>(shard),
              "\x91\x81\xA3" + std::to_string(100 + shard) + "\x02");
  }
  int asked = 0;
  EXPECT_EQ(detail::compact(context, detail::kEntityType<Grouped>, key, [&] { return ++asked > 1; }), 0U);
  EXPECT_EQ(asked, 1);
  EXPECT_EQ(records(memory_, key).size(), 301U);

  earlier_.erase<Sharded>(3);
  earlier_.save(Sharded(3));
  put_star(0, 'a');
  put_star(1, 'b');
  faulty_.limit_commits(450, FaultyStore::Limit::kSecret);
  faulty_.before_begin([&] {
    if (faulty_.too_large() == 0) return;
    const auto transaction = memory_.begin();
    transaction->erase(detail::main_key(key));
    EXPECT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  });
  EXPECT_EQ(detail::compact(context, detail::kEntityType<Grouped>, key), 0U);
  EXPECT_EQ(faulty_.too_large(), 1);
  EXPECT_TRUE(has_shard(3, "stars", 0) && has_shard(3, "stars", 1));
}

TEST_F(LongKeysTest, OfTheMainRecordKeepNoOtherPropertyFromBeingCompacted) {
  forum::UnshardedTopic topic(3);
  topic.add_post("hello");
  topic.rate("ann", 4);
  topic.rate(kLong, 5);
  Mapper(memory_, {.compact_every = 0ms}).save(topic);
  const detail::EntityKey key = entity_key("Topic", 3);
  const auto main_record = [&] {
    std::string record;
    memory_.snapshot()->get(detail::main_key(key), record);
    return record;
  };
  Mapper mapper(faulty_, options_);
  admin::compact<Grouped>(mapper, 3);
  EXPECT_THAT(logged_, ElementsAre(HasSubstr("Topic 3 is not compacted: ")));
  EXPECT_THAT(main_record(), Not(HasSubstr("hello")));
  EXPECT_THAT(main_record(), HasSubstr(kLong));
  const Grouped loaded = mapper.load<Grouped>(3).value();
  EXPECT_THAT(loaded.posts(), ElementsAre("hello"));
  EXPECT_EQ(loaded.stars(), (Grouped::Stars{{"ann", 4}, {kLong, 5}}));
  faulty_.before_commit([](int) { return Fate::kCommits; });
  admin::compact<Grouped>(mapper, 3);
  EXPECT_EQ(faulty_.commits(), 0) << "nothing is left to compact but what has to stay";
}

TEST_F(LongKeysTest, KeepNoOtherEntityFromBeingCompactedInTheBackground) {
  options_.compact_every = 1ms;
  Mapper mapper(faulty_, options_);
  while (!is_compact(2)) {
    for (const int id : {1, 2}) mapper.load<Grouped>(id);
    std::this_thread::yield();
  }
  EXPECT_FALSE(is_compact(1));
}

TEST_P(CompactionTest, AnEntityThatIsDamagedKeepsNoOtherFromBeingCompacted) {
  const auto parts = [&](int id) {
    const detail::EntityKey key = entity_key("Flight", id);
    return records(*store_, key.bytes(), detail::end_key(key)).size();
  };
  for (const int id : {1, 2}) {
    mapper_.save(Flight(id));
    for (int i = 0; i < 10; ++i) mapper_.apply<&Flight::like>(id);
  }
  const std::size_t before = parts(2), likes_of_2 = 10;
  const auto damage = store_->begin();
  damage->put(detail::main_key(entity_key("Flight", 1)), "\x93");
  ASSERT_EQ(damage->commit(), CommitOutcome::kCommitted);
  EXPECT_THROW(admin::compact<Flight>(mapper_), CorruptRecord);
  EXPECT_EQ(parts(2), before - likes_of_2 + 1);
  for (int i = 0; i < 10; ++i) mapper_.apply<&Flight::like>(2);
  EXPECT_THROW(admin::compact(mapper_), CorruptRecord);
  EXPECT_EQ(parts(2), before - likes_of_2 + 1);
  EXPECT_EQ(likes(2), 20);
}

/// Of what one entity has, as long as it may.
TEST_P(CompactionTest, AsksBeforeEachBatchWhetherItGoesOn) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 1000; ++i) mapper_.apply<&Flight::like>(1);
  detail::MapperContext context(*store_, options());
  int asked = 0, allowed = 2;
  const auto compact = [&] {
    asked = 0;
    return detail::compact(context, detail::kEntityType<Flight>, entity_key("Flight", 1),
                           [&] { return ++asked <= allowed; });
  };
  const std::uint64_t removed = compact();
  EXPECT_EQ(asked, 3);
  EXPECT_GT(removed, 0u);
  EXPECT_LT(removed, 1000u);
  EXPECT_EQ(likes(1), 1000);
  allowed = 0;
  EXPECT_EQ(compact(), 0u);
  allowed = 1000;
  EXPECT_EQ(compact(), 1000 - removed);
  EXPECT_EQ(likes(1), 1000);
}

TEST_P(CompactionTest, ARecordOfSomethingElseStays) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::like>(1);
  std::string foreign = detail::shard_key(entity_key("Flight", 1), "likes", 0).bytes();
  foreign.pop_back();  // too short for a shard, among those that are looked at
  const auto transaction = store_->begin();
  transaction->put(foreign, "\xC0");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(admin::compact<Flight>(mapper_, 1), 3u);
  EXPECT_EQ(likes(1), 3);
  std::string value;
  EXPECT_TRUE(store_->snapshot()->get(foreign, value));
}

/// It is looked through a few thousand records at a time.
TEST_P(CompactionTest, OfAKindFindsWhatLiesBehindMuchThatIsCompact) {
  std::vector<Flight> flights;
  for (int number = 1; number <= 600; ++number) flights.emplace_back(number, 8);
  mapper_.save(flights);
  ASSERT_GT(records(*store_).size(), 5'000u);
  for (const int number : {1, 300, 600}) mapper_.apply<&Flight::like>(number);
  EXPECT_EQ(admin::compact<Flight>(mapper_), 3u);
  for (const int number : {1, 300, 600}) EXPECT_EQ(likes(number), 1);
  EXPECT_EQ(admin::compact<Flight>(mapper_), 0u);
}

/// What was cut short of that erase is for the next one to complete.
TEST_P(CompactionTest, AnEntityThatIsErasedMeanwhileIsLeftAlone) {
  mapper_.save(Flight(1));
  for (int i = 0; i < 3; ++i) mapper_.apply<&Flight::like>(1);
  const auto erase_and_crash = [&] {
    FaultyStore crashing(*store_);
    crashing.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
    EXPECT_TRUE(Mapper(crashing, options()).erase<Flight>(1));
  };
  FaultyStore faulty(*store_);
  detail::MapperContext context(faulty, options());
  int looks = 0;
  faulty.before_begin([&] {
    if (++looks == 2) erase_and_crash();  // it was no tombstone at the first look
  });
  const detail::EntityKey key = entity_key("Flight", 1);
  const auto compact = [&] { return detail::compact(context, detail::kEntityType<Flight>, key); };
  EXPECT_EQ(compact(), 0u);
  EXPECT_FALSE(mapper_.exists<Flight>(1));
  EXPECT_GT(records(*store_, key).size(), 3u);
  EXPECT_GT(compact(), 3u);
  EXPECT_TRUE(records(*store_, key).empty());
}

}  // namespace
}  // namespace autoshard::test
