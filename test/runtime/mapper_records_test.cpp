// What the mapper writes and reads (runtime/FORMAT.md), and what it makes of other records.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "entities/expiry/session.autoshard.h"
#include "entities/strategies/stock.autoshard.h"
#include "entities/types/cart.autoshard.h"
#include "entities/versions/lock/lock.autoshard.h"
#include "entities/versions/profile/profile.autoshard.h"
#include "keys.h"
#include "mapper_fixture.h"

namespace autoshard::test {
namespace {

using detail::entity_key;
using detail::main_key;
using detail::shard_key;
using forum::Profile;
using moderator::Question;
using shop::Cart;
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
  const detail::RecordKey key = main_key(entity_key("Stock", std::string("x")));
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

/// What a program with another version of a class may have written of an entity: names, and values as
/// encoded.
struct OtherVersion {
  std::string about;
  std::vector<std::pair<std::string, std::string>> entries;

  std::string record() const {
    std::string record;
    Encoder out(record);
    out.map(1 + entries.size());
    out.text("@version");
    out.natural(std::uint64_t{1} << 32);
    for (const auto& [name, value] : entries) {
      out.text(name);
      out.encoded(value);
    }
    return record;
  }
};

std::string text(const std::string& value) {
  std::string encoded;
  Encoder(encoded).text(value);
  return encoded;
}

class OtherVersions : public MapperTest {
 protected:
  /// Puts it, and loads it twice: both change what is sharded only.
  template <class E, class Id>
  void expect_no_rewrite(const OtherVersion& version, const Id& id, const std::function<void(E&)>& update) {
    const detail::RecordKey key = main_key(entity_key(detail::kEntityType<E>.kind, id));
    const std::string record = version.record();
    put_raw(key, record);
    E one = mapper_.load<E>(id).value(), other = mapper_.load<E>(id).value();
    update(one);
    mapper_.save(one);
    std::vector<E> several;
    several.push_back(std::move(other));
    update(several.front());
    EXPECT_NO_THROW(mapper_.save(several)) << version.about;
    EXPECT_EQ(raw(key), record) << version.about;
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, OtherVersions, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(OtherVersions, AreNotRewrittenForWhatIsSharded) {
  const std::string why = text("Why?"), ann = text("Ann"), red = text("red");
  int votes = 0;
  for (const OtherVersion& version : {
           OtherVersion{"without a member", {{"question", why}}},
           OtherVersion{"without any member", {}},
           OtherVersion{"in another order", {{"author", ann}, {"question", why}}},
           OtherVersion{"with a later member between", {{"question", why}, {"colour", red}, {"author", ann}}},
           OtherVersion{"with a later member before", {{"colour", red}, {"question", why}, {"author", ann}}},
       }) {
    expect_no_rewrite<Question>(version, 1, [](Question& question) { question.voteUp(); });
    votes += 2;
    EXPECT_EQ(mapper_.load<Question>(1).value().votes(), votes) << version.about;
  }
}

TEST_P(OtherVersions, OfFormerNamesAreNotRewrittenForWhatIsSharded) {
  for (const OtherVersion& version : {
           OtherVersion{"under a former name", {{"nick", text("Ann")}}},
           OtherVersion{"under both names", {{"display_name", text("Ann")}, {"nick", text("Bob")}}},
       }) {
    expect_no_rewrite<Profile>(version, 1, [](Profile& profile) { profile.like(); });
    Profile profile = mapper_.load<Profile>(1).value();
    profile.rename("Cleo");
    profile.like();
    mapper_.save(profile);
    EXPECT_EQ(mapper_.load<Profile>(1).value().name(), "Cleo") << version.about;
  }
}

TEST_P(OtherVersions, OfAStructAreNotRewrittenForWhatIsSharded) {
  for (const bool is_later : {false, true}) {
    std::string gift_for;
    Encoder out(gift_for);
    out.map(is_later ? 2 : 0);
    for (const char* member : {"text", "title"}) {
      if (!is_later) continue;
      out.text(member);
      out.text("Ann");
    }
    expect_no_rewrite<Cart>({is_later ? "a later one" : "an earlier one", {{"gift_for", gift_for}}},
                            Traits<Cart>::Id({"ann"}, 1, shop::Country{}), [](Cart& cart) { cart.add(1); });
  }
}

/// What the hook sets is no change.
TEST_P(OtherVersions, WithAHookAreNotRewrittenForWhatIsSharded) {
  expect_no_rewrite<web::Session>({"without a member", {{"user", text("ann")}}}, 1L,
                                  [](web::Session& session) { session.hit(1); });
}

/// The class begins with a number that is not neutral, and folding that with what was left would throw.
TEST_P(OtherVersions, InWhichAMemberIsNotShardedAreNotRewritten) {
  std::string uses;
  Encoder(uses).integer(locks::kFirstUses);
  expect_no_rewrite<locks::Lock>({"with uses", {{"owner", text("ann")}, {"uses", uses}}}, 1,
                                 [](locks::Lock& lock) { lock.use(1); });
  EXPECT_EQ(mapper_.load<locks::Lock>(1).value().uses(), locks::kFirstUses + 2);
}

TEST_P(MapperRecords, CountsShardsBeyondTheNumberOfToday) {
  mapper_.save(question(42));
  mapper_.apply<&Question::voteUp>(42);
  put_raw(shard_key(entity_key("Question", 42), "votes", 4095), "\x91\x05");
  for (const char* gone : {"stars", "v"})  // properties that are gone
    put_raw(shard_key(entity_key("Question", 42), gone, 0), "\x91\x05");
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
  admin::compact<Question>(mapper_, 42);
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
  EXPECT_EQ(raw(main_key(entity_key("Question", 42))), record) << "nothing of it has changed";
  mapper_.transact([&](EntityTransaction& transaction) { transaction.save(loaded); });  // writes it anyway
  const std::string rewritten = raw(main_key(entity_key("Question", 42)));
  EXPECT_NE(rewritten, record);
  EXPECT_THAT(rewritten, AllOf(HasSubstr("\xA6"
                                         "colour\x81\xA3red\xC3"),
                               HasSubstr("responses")));
  mapper_.save(mapper_.load<Question>(42).value());
  EXPECT_EQ(raw(main_key(entity_key("Question", 42))), rewritten);
}

TEST_P(MapperRecords, ReadsFormerNamesBeforeThoseOfToday) {
  const detail::EntityKey key = entity_key("Profile", 1);
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
  EXPECT_EQ(raw(main_key(key)), record) << "nothing of it has changed";
  profile.rename("later");
  mapper_.save(profile);
  EXPECT_EQ(mapper_.load<Profile>(1).value().name(), "later");
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
  for (const auto& [bytes, problem] : {std::pair("\xC1", "shard 3 of votes"), {"\x90", "an empty shard"}}) {
    put_raw(shard_key(entity_key("Question", 42), "votes", 3), bytes);
    EXPECT_THAT(
        [&] { mapper_.load<Question>(42); },
        ThrowsMessage<CorruptRecord>(AllOf(HasSubstr("Question 42, shard 3 of votes"), HasSubstr(problem))));
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
  const detail::RecordKey key = main_key(entity_key("Question", 42));
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
