// What each operation of the mapper promises (mapper.h), on each store.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <chrono>
#include <limits>
#include <string>

#include "entities/strategies/stock.autoshard.h"
#include "entities/types/note.autoshard.h"
#include "mapper_fixture.h"

namespace autoshard::test {
namespace {

using moderator::Question;
using shop::Note;
using shop::Stock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using MapperOperations = MapperTest;
INSTANTIATE_TEST_SUITE_P(Stores, MapperOperations, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(MapperOperations, LoadsWhatWasSaved) {
  mapper_.save(question(42));
  const std::optional<Question> loaded = mapper_.load<Question>(42);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->id(), 42);
  EXPECT_EQ(loaded->question(), "How?");
  EXPECT_EQ(loaded->votes(), 0);
}

TEST_P(MapperOperations, FindsNothingWhereNothingWasSaved) {
  EXPECT_FALSE(mapper_.load<Question>(42));
  EXPECT_FALSE(mapper_.exists<Question>(42));
  EXPECT_FALSE(mapper_.erase<Question>(42));
  mapper_.save(question(42));
  EXPECT_TRUE(mapper_.exists<Question>(42));
  EXPECT_FALSE(mapper_.exists<Question>(43));
  EXPECT_FALSE(mapper_.load<Question>(4));
}

TEST_P(MapperOperations, KeepsEntitiesOfAnyIdApart) {
  std::vector<std::string> ids = {
      "",     std::string(1, '\0'),      std::string(2, '\0'),      "a", std::string("a\0", 2),
      "\xFF", std::string(1 << 16, 'x'), std::string(1 << 16, '\0')};
  for (std::size_t i = 0; i < ids.size(); ++i) {
    mapper_.save(Stock(ids[i], 1));
    mapper_.apply<&Stock::sell>(ids[i], static_cast<int>(i), "buyer");
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_EQ(mapper_.load<Stock>(ids[i]).value().pieces(), 1 - static_cast<int>(i));
    EXPECT_EQ(mapper_.load<Stock>(ids[i]).value().article(), ids[i]);
  }
  for (const int id : {0, -1, 1, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    mapper_.save(question(id));
    EXPECT_EQ(mapper_.load<Question>(id).value().id(), id);
  }
}

TEST_P(MapperOperations, RefusesANewEntityWhoseIdIsTaken) {
  mapper_.save(question(42));
  EXPECT_THAT([&] { mapper_.save(question(42)); }, ThrowsMessage<StaleEntity>(HasSubstr("Question 42")));
}

TEST_P(MapperOperations, SavesWhatShardMethodsDid) {
  mapper_.save(question(42));
  std::optional<Question> loaded = mapper_.load<Question>(42);
  loaded->voteUp();
  loaded->voteUp();
  loaded->voteDown();
  loaded->voteUp();
  faulty_.before_commit([](int) { return Fate::kCommits; });
  mapper_.save(*loaded);
  EXPECT_EQ(faulty_.commits(), 1);
  EXPECT_EQ(votes(42), 2);
  mapper_.save(*loaded);
  EXPECT_EQ(faulty_.commits(), 1);
  EXPECT_EQ(votes(42), 2);
}

TEST_P(MapperOperations, RefusesToSaveOverSomebodyElsesSave) {
  mapper_.save(Stock("x"));
  Stock mine = mapper_.load<Stock>("x").value();
  Stock theirs = other_.load<Stock>("x").value();
  theirs.set_price(2);
  other_.save(theirs);
  mine.set_price(3);
  mine.refill(5);
  EXPECT_THAT([&] { mapper_.save(mine); }, ThrowsMessage<StaleEntity>(HasSubstr("Stock \"x\"")));
  EXPECT_EQ(mapper_.load<Stock>("x").value().price(), 2);
  EXPECT_EQ(mapper_.load<Stock>("x").value().pieces(), 0);
  theirs.set_price(4);
  other_.save(theirs);  // the one who saved may go on
  EXPECT_EQ(mapper_.load<Stock>("x").value().price(), 4);
}

TEST_P(MapperOperations, IsNotStaleForUpdatesOfShards) {
  mapper_.save(Stock("x"));
  Stock mine = mapper_.load<Stock>("x").value();
  other_.apply<&Stock::refill>("x", 7);
  mine.set_price(3);
  mine.refill(5);
  mapper_.save(mine);
  EXPECT_EQ(mapper_.load<Stock>("x").value().pieces(), 12);
}

TEST_P(MapperOperations, AppliesShardMethods) {
  mapper_.save(question(42));
  mapper_.apply<&Question::voteUp>(42);
  mapper_.apply<&Question::voteUp>(42);
  mapper_.apply<&Question::voteDown>(42);
  EXPECT_EQ(votes(42), 1);
  mapper_.save(Stock("x", 10));
  std::string buyer = "a buyer with quite a long name";
  mapper_.apply<&Stock::sell>("x", 3, std::move(buyer));
  EXPECT_EQ(mapper_.load<Stock>("x").value().pieces(), 7);
  EXPECT_THAT(mapper_.load<Stock>("x").value().buyers(), ElementsAre("a buyer with quite a long name"));
}

TEST_P(MapperOperations, CommitsSeveralUpdatesAtOnce) {
  mapper_.save(Stock("x", 10));
  faulty_.before_commit([](int) { return Fate::kCommits; });
  mapper_.update<Stock>("x", [](auto& stock) {
    stock.sell(1, "A");
    stock.sell(2, "B");
    stock.refill(100);
  });
  EXPECT_EQ(faulty_.commits(), 1);
  EXPECT_EQ(mapper_.load<Stock>("x").value().pieces(), 107);
  EXPECT_THAT(mapper_.load<Stock>("x").value().buyers(), ElementsAre("A", "B"));
}

TEST_P(MapperOperations, WritesNothingWhenTheLambdaThrows) {
  mapper_.save(question(42));
  EXPECT_THROW(mapper_.update<Question>(42,
                                        [](auto& shard) {
                                          shard.voteUp();
                                          throw std::domain_error("no");
                                        }),
               std::domain_error);
  EXPECT_EQ(votes(42), 0);
}

TEST_P(MapperOperations, WritesNothingForUpdatesThatCancelOut) {
  mapper_.save(question(42));
  faulty_.before_commit([](int) { return Fate::kCommits; });
  mapper_.update<Question>(42, [](auto& shard) {
    shard.voteUp();
    shard.voteDown();
  });
  EXPECT_EQ(faulty_.commits(), 0);
}

TEST_P(MapperOperations, UpdatesOfWhatIsAbsentAreNotFound) {
  EXPECT_THAT([&] { mapper_.apply<&Question::voteUp>(42); },
              ThrowsMessage<NotFound>(HasSubstr("Question 42")));
  EXPECT_THROW(mapper_.update<Question>(42, [](auto&) {}), NotFound);
  mapper_.save(question(42));
  Question loaded = mapper_.load<Question>(42).value();
  mapper_.erase<Question>(42);
  EXPECT_THROW(mapper_.apply<&Question::voteUp>(42), NotFound);
  loaded.voteUp();
  EXPECT_THROW(mapper_.save(loaded), NotFound);
  EXPECT_TRUE(records(*store_).empty());
}

TEST_P(MapperOperations, AnEntityIsNotTheNextOneOfItsId) {
  mapper_.save(question(42));
  Question old = mapper_.load<Question>(42).value();
  mapper_.erase<Question>(42);
  mapper_.save(question(42));
  old.voteUp();
  EXPECT_THROW(mapper_.save(old), NotFound);
  EXPECT_EQ(votes(42), 0);
}

TEST_P(MapperOperations, ServesEntitiesWithoutShardedProperties) {
  mapper_.save(Note(7));
  Note note = mapper_.load<Note>(7).value();
  note.set_text("text");
  mapper_.save(note);
  mapper_.transact([](EntityTransaction& transaction) {
    Note again = transaction.load<Note>(7).value();
    again.set_text(again.text() + "!");
    transaction.save(again);
  });
  mapper_.update<Note>(7, [](auto&) {});
  EXPECT_EQ(mapper_.load<Note>(7).value().text(), "text!");
  EXPECT_EQ(records(*store_).size(), 1u);
  EXPECT_TRUE(mapper_.erase<Note>(7));
  EXPECT_FALSE(mapper_.load<Note>(7));
}

TEST(MapperOptions, ThatMakeNoSenseAreRefused) {
  using namespace std::chrono_literals;
  MemoryStore store;
  const auto expect_refused = [&](const MapperOptions& options, const std::string& name) {
    EXPECT_THAT([&] { Mapper(store, options); },
                ThrowsMessage<InvalidUse>(HasSubstr("MapperOptions::" + name)));
  };
  expect_refused({.retry = {.initial_backoff = -1us}}, "retry.initial_backoff");
  expect_refused({.retry = {.max_backoff = -1us}}, "retry.max_backoff");
  expect_refused({.retry = {.deadline = -1us}}, "retry.deadline");
  expect_refused({.retry = {.resolve_within = -1us}}, "retry.resolve_within");
  expect_refused({.durability = durability::buffered{-1ms}}, "durability");
  expect_refused({.max_in_flight = 0}, "max_in_flight");
  expect_refused({.compact_every = -1ms}, "compact_every");
  Mapper(store,
         {.retry = {.initial_backoff = 0us, .max_backoff = 0us, .deadline = 0us, .resolve_within = 0us},
          .durability = durability::buffered{std::chrono::milliseconds::max()},
          .max_in_flight = 1,
          .compact_every = 0ms});
  Mapper(store, {.durability = durability::buffered{0ms}});
}

}  // namespace
}  // namespace autoshard::test
