// Entities of very many records are erased bit by bit, and stay erased wherever that ends; damaged ones too.

#include "finish_erase.h"

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "context.h"
#include "controlled_store.h"
#include "entities/expiry/permit.autoshard.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/indexes/indexed_film.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "entity_index.h"
#include "keys.h"
#include "marked_writer.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using cinema::IndexedFilm;
using detail::entity_key;
using forum::Post;
using forum::Topic;
using permits::Permit;
using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using namespace std::chrono_literals;

MapperOptions by_hand() {
  return {.retry = {.initial_backoff = 1us}, .compact_every = 0ms, .adaptive = {.window = 0ms}};
}

class RemainsTest : public StoreTest {
 protected:
  /// A flight with so many records of likes, each a copy of one that was made by an update.
  void make_flight(std::size_t likes) {
    mapper_.save(Flight(1));
    mapper_.apply<&Flight::like>(1);
    const detail::EntityKey key = entity_key("Flight", 1);
    const auto deltas =
        records(*store_, detail::shard_key(key, "likes", 0), detail::end_of_property(key, "likes"));
    ASSERT_EQ(deltas.size(), 1U);
    const std::unique_ptr<Transaction> transaction = store_->begin();
    detail::RecordKey delta;
    for (std::size_t i = 1; i < likes; ++i) {
      delta.set_delta(key, "likes");
      transaction->put(delta, deltas.front().second);
    }
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  std::size_t entity_records() { return records(*store_, "\2", "\3").size(); }

  /// Of its indexes, without those of their states.
  template <class E>
  std::size_t index_records() {
    const detail::EntityType& type = detail::kEntityType<E>;
    std::size_t entries = 0;
    for (const detail::IndexType& index : type.indexes) {
      for (const std::string& prefix : detail::find_index(type, index).entry_prefixes())
        entries += records(*store_, prefix + '\0', detail::end_key(prefix)).size();
    }
    return entries;
  }
  void damage_main_record(detail::EntityKeyView key) {
    const std::unique_ptr<Transaction> transaction = store_->begin();
    transaction->put(detail::main_key(key), "\xC1");
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  Mapper mapper_{*store_, by_hand()};
  FaultyStore faulty_{*store_};
  Mapper erasing_{faulty_, by_hand()};
};
INSTANTIATE_TEST_SUITE_P(Stores, RemainsTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(RemainsTest, NoTransactionRemovesMoreThanABatch) {
  constexpr std::size_t kMany = 50'000;
  make_flight(kMany);
  EXPECT_TRUE(erasing_.erase<Flight>(1));
  mapper_.save(Topic(1, std::vector<Post>(kMany, Post{"me too"})));
  EXPECT_TRUE(erasing_.erase<Topic>(1));
  EXPECT_EQ(entity_records(), 0U);
  EXPECT_LE(faulty_.most_writes(), detail::kErasedAtOnce);
}

TEST_P(RemainsTest, NorWhereManyEntitiesAreErased) {
  std::vector<int> ids;
  for (int id = 1; id <= 5; ++id) {
    mapper_.save(Topic(id, std::vector<Post>(id == 3 ? 2'000 : 200, Post{"me too"})));
    ids.push_back(id);
  }
  EXPECT_EQ(erasing_.erase<Topic>(ids), 5U);
  EXPECT_EQ(entity_records(), 0U);
  EXPECT_LE(faulty_.most_writes(), 2 * detail::kErasedAtOnce);
}

/// Then they are removed one after the other.
TEST_P(RemainsTest, OfManyEntitiesAreRemovedThoughThatMeetsAConflict) {
  std::vector<int> ids;
  for (int id = 1; id <= 3; ++id) {
    mapper_.save(Topic(id, std::vector<Post>(200, Post{"me too"})));
    ids.push_back(id);
  }
  ControlledStore controlled(*store_);
  bool has_met = false;
  controlled.open([&](Transaction& transaction, const ControlledStore::Keys& keys) {
    const bool is_of_several = keys.size() > detail::kErasedAtOnce;
    return is_of_several && !std::exchange(has_met, true) ? CommitOutcome::kConflict : transaction.commit();
  });
  EXPECT_EQ(Mapper(controlled, by_hand()).erase<Topic>(ids), 3U);
  EXPECT_TRUE(has_met);
  EXPECT_EQ(entity_records(), 0U);
}

/// Whoever meets tombstones completes the erase.
TEST_P(RemainsTest, OfManyEntitiesMayBeRemovedByAnotherMeanwhile) {
  std::vector<int> ids;
  for (int id = 1; id <= 3; ++id) {
    mapper_.save(Topic(id, {Post{"one"}, Post{"two"}}));
    ids.push_back(id);
  }
  bool is_committed = false;
  faulty_.before_commit([&](int) {
    is_committed = true;
    return Fate::kCommits;
  });
  faulty_.before_begin([&] {
    if (!std::exchange(is_committed, false)) return;
    for (const int id : ids) EXPECT_FALSE(mapper_.erase<Topic>(id));
    EXPECT_EQ(entity_records(), 0U);
    mapper_.save(Topic(2));  // another one
  });
  EXPECT_EQ(erasing_.erase<Topic>(ids), 3U);
  EXPECT_EQ(faulty_.commits(), 1) << "there was nothing left to do";
  EXPECT_TRUE(mapper_.exists<Topic>(2));
}

TEST_P(RemainsTest, NorWhereTheNextEntityIsCreated) {
  make_flight(2'000);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  EXPECT_TRUE(erasing_.erase<Flight>(1));
  faulty_.before_commit(nullptr);
  ASSERT_GT(entity_records(), 2'000U);
  erasing_.save(Flight(1));
  EXPECT_EQ(mapper_.load<Flight>(1).value().likes(), 0);
  EXPECT_LE(faulty_.most_writes(), 2 * detail::kErasedAtOnce);
}

TEST_P(RemainsTest, ACrashBetweenAnyTwoBatchesLeavesItErasedAndIsCompleted) {
  const std::vector<std::pair<const char*, std::function<void(Mapper&)>>> ways = {
      {"another erase", [](Mapper& mapper) { EXPECT_FALSE(mapper.erase<Flight>(1)); }},
      {"another entity",
       [](Mapper& mapper) {
         mapper.save(Flight(1));
         EXPECT_EQ(mapper.load<Flight>(1).value().likes(), 0);
         EXPECT_TRUE(mapper.erase<Flight>(1));
       }},
      {"compaction of it", [](Mapper& mapper) { EXPECT_GT(admin::compact<Flight>(mapper, 1), 0U); }},
      {"compaction of all", [](Mapper& mapper) { EXPECT_GT(admin::compact<Flight>(mapper), 0U); }},
  };
  constexpr int kBatches = 4;
  for (const auto& [what, complete] : ways) {
    SCOPED_TRACE(what);
    for (int last = 1; last <= kBatches; ++last) {
      make_flight(kBatches * detail::kErasedAtOnce - 10);
      faulty_.before_commit([&](int nth) { return nth <= last ? Fate::kCommits : Fate::kCrashes; });
      EXPECT_TRUE(erasing_.erase<Flight>(1));
      ASSERT_GT(entity_records(), 1U) << "nothing was cut short";
      EXPECT_FALSE(mapper_.load<Flight>(1));
      EXPECT_THROW(mapper_.apply<&Flight::like>(1), NotFound);
      complete(mapper_);
      ASSERT_EQ(entity_records(), 0U);
    }
  }
}

TEST_P(RemainsTest, ALoadHasWhatACrashLeftCompacted) {
  make_flight(600);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  EXPECT_TRUE(erasing_.erase<Flight>(1));
  Mapper reader(*store_, {.compact_every = 1ms});
  EXPECT_FALSE(reader.load<Flight>(1));
  while (entity_records() > 0) std::this_thread::yield();
}

/// As where the mapper ends.
TEST_P(RemainsTest, AreRemovedAsLongAsThatGoesOn) {
  make_flight(300);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  EXPECT_TRUE(erasing_.erase<Flight>(1));
  faulty_.before_commit(nullptr);
  const MapperOptions options = by_hand();
  detail::MapperContext context(*store_, options);
  const auto remove = [&](int times) {
    return detail::finish_erase(context, entity_key("Flight", 1), [&] { return times-- > 0; });
  };
  const std::size_t before = entity_records();
  EXPECT_EQ(remove(0), 0U);
  EXPECT_EQ(entity_records(), before);
  EXPECT_EQ(remove(2), detail::kErasedAtOnce) << "a batch";
  EXPECT_EQ(entity_records(), before - detail::kErasedAtOnce);
  EXPECT_EQ(remove(1), 0U) << "the tombstone stays as long as its shards";
  EXPECT_EQ(remove(2), before - detail::kErasedAtOnce - 1);
  EXPECT_EQ(entity_records(), 0U);
}

/// Whatever it is divided into.
TEST_P(RemainsTest, ThatAreTooLargeAloneSaySo) {
  const MapperOptions options = by_hand();
  detail::MapperContext context(faulty_, options);
  const auto remove = [&] { return detail::finish_erase(context, entity_key("Flight", 1), {}); };
  make_flight(5);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kCrashes; });
  EXPECT_TRUE(erasing_.erase<Flight>(1));
  faulty_.before_commit(nullptr);
  const std::size_t before = entity_records();
  faulty_.limit_commits(1, FaultyStore::Limit::kSecret);
  EXPECT_THROW(remove(), CommitTooLarge);
  EXPECT_EQ(entity_records(), before);
  const auto transaction = store_->begin();
  for (const auto& [key, value] : records(*store_, "\2", "\3")) {
    if (key != detail::main_key(entity_key("Flight", 1))) transaction->erase(key);
  }
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_THROW(remove(), CommitTooLarge) << "the tombstone alone";
  faulty_.limit_commits(0, FaultyStore::Limit::kSecret);
  remove();
  EXPECT_EQ(entity_records(), 0U);
}

/// The store can be reached, so each failure has a cause of its own. Of an outage only the first is logged.
TEST_P(RemainsTest, EachEraseThatCannotBeCompletedIsLogged) {
  std::vector<std::string> logged;
  MapperOptions options = by_hand();
  options.retry = RetryPolicy::none();
  options.log = [&](std::string_view line) { logged.emplace_back(line); };
  Mapper mapper(faulty_, options);
  for (const Fate fate : {Fate::kConflicts, Fate::kCrashes}) {
    logged.clear();
    for (int number = 1; number <= 2; ++number) {
      mapper_.save(Topic(number, {Post{"one"}}));
      faulty_.before_commit([&](int nth) { return nth == 1 ? Fate::kCommits : fate; });
      EXPECT_TRUE(mapper.erase<Topic>(number));
      EXPECT_FALSE(mapper_.exists<Topic>(number));
    }
    std::erase_if(logged, [](const std::string& line) { return !line.starts_with("Topic "); });
    EXPECT_THAT(logged, SizeIs(fate == Fate::kCrashes ? 1 : 2));
    EXPECT_THAT(logged, Each(HasSubstr("is erased, but its shards are not removed yet")));
  }
}

TEST_P(RemainsTest, UpdatesBeforeTheTombstoneGoWithItAndLaterOnesFindNothing) {
  make_flight(600);
  faulty_.before_commit([&](int nth) {
    if (nth == 1) {
      mapper_.apply<&Flight::like>(1);
    } else {
      EXPECT_THROW(mapper_.apply<&Flight::like>(1), NotFound);
    }
    return Fate::kCommits;
  });
  EXPECT_TRUE(erasing_.erase<Flight>(1));
  EXPECT_GT(faulty_.commits(), 3);
  EXPECT_EQ(entity_records(), 0U);
}

TEST_P(RemainsTest, AnEntityThatIsCreatedBetweenTwoBatchesIsLeftAlone) {
  make_flight(600);
  faulty_.before_commit([&](int nth) {
    if (nth == 3) {
      mapper_.save(Flight(1));
      mapper_.apply<&Flight::like>(1);
    }
    return Fate::kCommits;
  });
  EXPECT_TRUE(erasing_.erase<Flight>(1));
  EXPECT_GE(faulty_.commits(), 3);
  EXPECT_EQ(mapper_.load<Flight>(1).value().likes(), 1);
}

TEST_P(RemainsTest, ADamagedEntityIsErasedWithWhatLeadsToIt) {
  std::string logged;
  MapperOptions options = by_hand();
  options.log = [&](std::string_view line) { logged += line; };
  Mapper mapper(*store_, options);
  mapper.save(IndexedFilm("vertigo"));
  mapper.save(IndexedFilm("psycho"));
  const std::size_t of_two = index_records<IndexedFilm>();
  damage_main_record(entity_key("IndexedFilm", std::string("vertigo")));
  EXPECT_TRUE(mapper.erase<IndexedFilm>("vertigo"));
  EXPECT_EQ(index_records<IndexedFilm>(), of_two / 2);
  EXPECT_THAT(logged, HasSubstr("IndexedFilm \"vertigo\" has a damaged main record and is erased"));
  damage_main_record(entity_key("IndexedFilm", std::string("psycho")));
  EXPECT_TRUE(mapper.transact(
      [](EntityTransaction& transaction) { return transaction.erase<IndexedFilm>("psycho"); }));
  EXPECT_EQ(index_records<IndexedFilm>(), 0U);
  EXPECT_EQ(entity_records(), 0U);
}

TEST_P(RemainsTest, ADamagedEntityNeverExpiresAndKeepsNoOtherFromIt) {
  const auto now = permits::Clock::now();
  const auto ends = [&] {
    return records(*store_, detail::begin_of_expiries("Permit", 0),
                   detail::begin_of_expiries("Permit", 1LL << 62))
        .size();
  };
  mapper_.save(Permit("ann", now - 1s));
  mapper_.save(Permit("bob", now - 1s));
  damage_main_record(entity_key("Permit", std::string("ann")));
  ASSERT_EQ(ends(), 2U);
  std::string logged;
  {
    MapperOptions options = by_hand();
    options.compact_every = 1ms;
    options.log = [&](std::string_view line) { logged += line; };
    const Mapper expiring(*store_, options);
    while (ends() > 1) std::this_thread::yield();
  }
  EXPECT_THAT(logged, HasSubstr("Permit \"ann\" may have expired"));
  EXPECT_TRUE(mapper_.erase<Permit>("ann"));
  EXPECT_EQ(ends(), 0U);
  EXPECT_EQ(entity_records(), 0U);
}

}  // namespace
}  // namespace autoshard::test
