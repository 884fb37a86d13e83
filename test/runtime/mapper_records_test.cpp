// What the mapper writes and reads (runtime/FORMAT.md), and what it makes of other records.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include "keys.h"
#include "mapper_fixture.h"
#include "profile.autoshard.h"
#include "stock.h"

namespace autoshard::test {
namespace {

using detail::entity_key;
using detail::main_key;
using detail::shard_key;
using forum::Profile;
using moderator::Question;
using shop::Stock;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

using MapperRecords = MapperTest;
INSTANTIATE_TEST_SUITE_P(Stores, MapperRecords, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(MapperRecords, PutsTheFirstValuesIntoTheFirstShard) {
  Stock stock("x", 100);
  stock.sell(1, "A");
  mapper_.save(stock);
  EXPECT_EQ(raw(shard_key(entity_key("Stock", std::string("x")), "pieces", 0)), "\x91\x63");
  EXPECT_EQ(mapper_.load<Stock>("x").value().pieces(), 99);
  EXPECT_THAT(mapper_.load<Stock>("x").value().buyers(), ElementsAre("A"));
  EXPECT_EQ(records(*store_).size(), 3u);
  mapper_.save(stock);  // nothing pending any more
  EXPECT_EQ(mapper_.load<Stock>("x").value().pieces(), 99);
}

TEST_P(MapperRecords, MakesNoShardsBeforeTheyAreNeeded) {
  mapper_.save(question(42));
  EXPECT_EQ(records(*store_).size(), 1u);
  mapper_.apply<&Question::voteUp>(42);
  EXPECT_EQ(records(*store_).size(), 2u);
}

TEST_P(MapperRecords, WritesTheMainRecordOnlyIfItChanged) {
  mapper_.save(Stock("x", 100));
  const std::string key = main_key(entity_key("Stock", std::string("x")));
  const std::string before = raw(key);
  Stock stock = mapper_.load<Stock>("x").value();
  stock.sell(1, "A");
  mapper_.save(stock);
  EXPECT_EQ(raw(key), before);
  stock.set_price(2);
  stock.sell(1, "B");
  faulty_.before_commit([](int) { return Fate::kCommits; });
  mapper_.save(stock);
  EXPECT_EQ(faulty_.commits(), 2);  // the main record, and then a shard
  EXPECT_NE(raw(key), before);
  const Stock loaded = mapper_.load<Stock>("x").value();
  EXPECT_EQ(loaded.price(), 2);
  EXPECT_EQ(loaded.pieces(), 98);
  EXPECT_THAT(loaded.buyers(), ElementsAre("A", "B"));
}

TEST_P(MapperRecords, CountsShardsBeyondTheNumberOfToday) {
  mapper_.save(question(42));
  mapper_.apply<&Question::voteUp>(42);
  put_raw(shard_key(entity_key("Question", 42), "votes", 4095), "\x91\x05");
  put_raw(shard_key(entity_key("Question", 42), "stars", 0), "\x91\x05");  // of a property that is gone
  EXPECT_EQ(votes(42), 6);
}

TEST_P(MapperRecords, IgnoresWhatFollowsTheValueOfAShard) {
  mapper_.save(question(42));
  put_raw(shard_key(entity_key("Question", 42), "votes", 9), std::string("\x93\x05\x00\xC0", 4));
  EXPECT_EQ(votes(42), 5);
}

TEST_P(MapperRecords, CountsWhatAnUnshardedClassLeft) {
  std::string record;
  Encoder out(record);
  out.map(3);
  out.text("@version");
  out.natural(std::uint64_t{1} << 32);
  out.text("votes");
  out.integer(5);
  out.text("question");
  out.text("Why?");
  put_raw(main_key(entity_key("Question", 42)), record);
  mapper_.apply<&Question::voteUp>(42);
  EXPECT_EQ(votes(42), 6);
  mapper_.compact<Question>(42);
  EXPECT_EQ(votes(42), 6);
  Question loaded = mapper_.load<Question>(42).value();
  loaded.voteUp();
  mapper_.save(loaded);
  EXPECT_EQ(votes(42), 7);
  mapper_.save(loaded);
  EXPECT_EQ(votes(42), 7);
}

TEST_P(MapperRecords, ToleratesADifferentSchema) {
  std::string record;
  Encoder out(record);
  out.map(4);
  out.text("colour");  // not known any more
  out.map(1);
  out.text("red");
  out.boolean(true);
  out.text("author");
  out.text("Ann");
  out.text("@version");
  out.natural(std::uint64_t{1} << 32);
  out.text("question");  // "responses" not known yet
  out.text("Why?");
  put_raw(main_key(entity_key("Question", 42)), record);
  Question loaded = mapper_.load<Question>(42).value();
  EXPECT_EQ(loaded.question(), "Why?");
  mapper_.save(loaded);
  const std::string rewritten = raw(main_key(entity_key("Question", 42)));
  EXPECT_NE(rewritten, record);
  EXPECT_THAT(rewritten, AllOf(HasSubstr("\xA6"
                                         "colour\x81\xA3red\xC3"),
                               HasSubstr("responses")));
  mapper_.save(loaded);
  EXPECT_EQ(raw(main_key(entity_key("Question", 42))), rewritten);
}

TEST_P(MapperRecords, ReadsFormerNamesBeforeThoseOfToday) {
  const std::string key = entity_key("Profile", 1);
  std::string record;
  Encoder out(record);
  out.map(4);
  out.text("@version");
  out.natural(std::uint64_t{1} << 32);
  out.text("display_name");
  out.text("today");
  out.text("nick");
  out.text("former");
  out.text("thumbs");  // of a property that is sharded by now
  out.integer(7);
  put_raw(main_key(key), record);
  put_raw(shard_key(key, "likes", 3), "\x91\x05");
  put_raw(shard_key(key, "praise", 3), "\x91\x01");
  Profile profile = mapper_.load<Profile>(1).value();
  EXPECT_EQ(profile.name(), "today");
  EXPECT_EQ(profile.praise(), 13);
  EXPECT_EQ(mapper_.query<Profile>(Fields<Profile>::praise == 13).count(), 1U) << "without the name";
  mapper_.save(profile);
  EXPECT_THAT(raw(main_key(key)), AllOf(HasSubstr("thumbs"), Not(HasSubstr("nick"))));
  EXPECT_EQ(mapper_.load<Profile>(1).value().praise(), 13);

  put_raw(shard_key(key, "likes", 3), "\x91\xA1x");
  EXPECT_THAT([&] { mapper_.load<Profile>(1); },
              ThrowsMessage<CorruptRecord>(HasSubstr("Profile 1, shard 3 of likes")));
  EXPECT_TRUE(mapper_.erase<Profile>(1));
  EXPECT_TRUE(records(*store_).empty());
}

TEST_P(MapperRecords, NamesTheRecordThatIsCorrupt) {
  mapper_.save(question(42));
  Question loaded = mapper_.load<Question>(42).value();
  for (const char* bytes : {"\xC1", "\x90"}) {
    put_raw(shard_key(entity_key("Question", 42), "votes", 3), bytes);
    EXPECT_THAT([&] { mapper_.load<Question>(42); },
                ThrowsMessage<CorruptRecord>(HasSubstr("Question 42, shard 3 of votes")));
  }
  for (const std::string bytes :
       {"", "\xC1", "\x80", "text", "\x07", "\x81\x01\x01", "\x81\xA8@version\xC0"}) {
    put_raw(main_key(entity_key("Question", 42)), bytes);
    EXPECT_THAT([&] { mapper_.load<Question>(42); }, ThrowsMessage<CorruptRecord>(HasSubstr("Question 42")));
    EXPECT_THROW(mapper_.save(loaded), CorruptRecord);
  }
  EXPECT_TRUE(mapper_.erase<Question>(42));  // gets rid of it
  EXPECT_TRUE(records(*store_).empty());
}

TEST_P(MapperRecords, NamesThePropertyThatIsCorrupt) {
  const std::string key = main_key(entity_key("Question", 42));
  for (const std::string bytes : {"\x83\xA8@version\x07\xA8question\x07\xA6"
                                  "author\xA1x",
                                  "\x83\xA8@version\x07\xA6"
                                  "author\xA1x\xA8question\x07"}) {
    put_raw(key, bytes);
    EXPECT_THAT([&] { mapper_.load<Question>(42); },
                ThrowsMessage<CorruptRecord>(AllOf(HasSubstr("Question 42"), HasSubstr(" in 'question'"))));
  }
}

}  // namespace
}  // namespace autoshard::test
