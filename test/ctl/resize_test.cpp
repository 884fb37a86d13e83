// `autoshardctl shards --set`: without the class of the entity.

#include "resize.h"

#include <autoshard/errors.h>
#include <gmock/gmock.h>

#include <string>

#include "ctl_fixture.h"
#include "entities/groups/topic.autoshard.h"
#include "entities/versions/page.h"
#include "entities/versions/tally.h"
#include "keys.h"
#include "record_json.h"
#include "runtime/controlled_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using forum::Topic;
using pages::Page;
using poll::FirstTally;
using poll::SecondTally;
using ::testing::HasSubstr;

class ResizeWithoutClassTest : public ::testing::Test {
 protected:
  ResizeWithoutClassTest() {
    mapper_.save(Flight(7, 100));
    mapper_.apply<&Flight::like>(7);
    mapper_.apply<&Flight::rate>(7, 3);
  }

  ctl::Resized set(const std::string& property, std::uint64_t shards) {
    const ctl::Resized resized = ctl::set_shards(store_, "Flight", "7", property, shards, missing_);
    EXPECT_EQ(missing_, "");
    return resized;
  }
  std::string refusal(const std::string& kind, const std::string& property, std::uint64_t shards) {
    try {
      ctl::set_shards(store_, kind, "7", property, shards, missing_);
    } catch (const InvalidUse& error) {
      return error.what();
    }
    return "changed";
  }

  MemoryStore store_;
  Mapper mapper_{store_, {.combine = false, .compact_every = 0ms}};
  ctl::Missing missing_;
};

TEST_F(ResizeWithoutClassTest, ProgramsUseTheNumber) {
  EXPECT_FALSE(set("likes", 16).has_entry);
  EXPECT_EQ(admin::shards<Flight>(mapper_, 7, "likes"), 16U);
  for (int i = 0; i < 10; ++i) mapper_.apply<&Flight::like>(7);
  EXPECT_EQ(mapper_.load<Flight>(7).value().likes(), 11);

  const ctl::Resized fewer = set("likes", 2);
  EXPECT_TRUE(fewer.has_entry);
  EXPECT_EQ(fewer.before, 16U);
  EXPECT_EQ(mapper_.load<Flight>(7).value().likes(), 11);
  admin::compact<Flight>(mapper_, 7);  // folds the records of the other shards
  EXPECT_EQ(mapper_.load<Flight>(7).value().likes(), 11);

  set("likes", 0);
  EXPECT_EQ(admin::shards<Flight>(mapper_, 7, "likes"), 0U);
  mapper_.apply<&Flight::like>(7);
  EXPECT_EQ(mapper_.load<Flight>(7).value().likes(), 12);
  set("score", 64);  // the annotation says 4
  mapper_.apply<&Flight::rate>(7, 4);
  EXPECT_EQ(mapper_.load<Flight>(7).value().score(), 7);
}

TEST_F(ResizeWithoutClassTest, KeepsTheEpochAndEverythingElse) {
  Flight flight = mapper_.load<Flight>(7).value();
  flight.reset_score(50);  // raises the epoch
  flight.set_to("Rome");
  mapper_.save(flight);
  set("score", 8);
  mapper_.apply<&Flight::rate>(7, 1);
  EXPECT_EQ(mapper_.load<Flight>(7).value().score(), 51);
  EXPECT_EQ(mapper_.load<Flight>(7).value().to(), "Rome");
  EXPECT_EQ(admin::shards<Flight>(mapper_, 7, "score"), 8U);
}

TEST_F(ResizeWithoutClassTest, RefusesWhatTakesTheClass) {
  EXPECT_THAT(refusal("Flight", "seats", 16), HasSubstr("it has bounds, whose shares would have to change"));
  EXPECT_THAT(refusal("Flight", "likes", 4097), HasSubstr("choose at most 4096"));
  mapper_.save(Topic(7));
  mapper_.apply<&Topic::add_post>(7, "a post");
  EXPECT_THAT(refusal("Topic", "posts", 16), HasSubstr("it is a group"));
  mapper_.save(Page(7));
  mapper_.apply<&Page::click>(7, 1, 1);
  EXPECT_THAT(refusal("Page", "clicks", 0), HasSubstr("it may be a window, which has at least 1 shard"));
  EXPECT_EQ(refusal("Page", "clicks", 4), "changed");
  EXPECT_EQ(admin::shards<Page>(mapper_, 7, "clicks"), 4U);
  const auto transaction = store_.begin();
  transaction->put(detail::shard_key(detail::entity_key("Flight", 7), "hearts", 0), "\x92\x01\x01");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_THAT(refusal("Flight", "hearts", 4), HasSubstr("The class has or had another name for it"));
}

TEST_F(ResizeWithoutClassTest, AllVersionsOfAClassKeepTheirValues) {
  Mapper later(store_, {.combine = false, .compact_every = 0ms});
  mapper_.save(FirstTally(7, 5));         // calls them votes
  later.apply<&SecondTally::vote>(7, 2);  // calls them likes
  ctl::set_shards(store_, "Tally", "7", "likes", 16, missing_);
  EXPECT_EQ(admin::shards<SecondTally>(later, 7, "likes"), 16U);
  later.apply<&SecondTally::vote>(7, 3);
  EXPECT_EQ(later.load<SecondTally>(7).value().votes(), 10);
  EXPECT_EQ(mapper_.load<FirstTally>(7).value().votes(), 5);

  FirstTally tally = mapper_.load<FirstTally>(7).value();
  tally.set_votes(100);  // raises the epoch, under the name that this version knows
  mapper_.save(tally);
  later.apply<&SecondTally::vote>(7, 1);
  EXPECT_THAT(refusal("Tally", "likes", 8), HasSubstr("The class has or had another name for it"));
  EXPECT_EQ(later.load<SecondTally>(7).value().votes(), 101);
}

TEST_F(ResizeWithoutClassTest, SaysWhatIsMissing) {
  ctl::set_shards(store_, "Flight", "8", "likes", 4, missing_);
  EXPECT_EQ(missing_, "there is no Flight 8");
  ctl::set_shards(store_, "Flight", "7", "to", 4, missing_);
  EXPECT_THAT(missing_, HasSubstr("'to' of Flight 7 is in the main record alone"));
  ctl::set_shards(store_, "Flight", "7", "views", 4, missing_);
  EXPECT_THAT(missing_, HasSubstr("nothing is stored of a property 'views'"));
  mapper_.erase<Flight>(7);
  ctl::set_shards(store_, "Flight", "7", "likes", 4, missing_);
  EXPECT_EQ(missing_, "there is no entity of kind Flight, nor of any other");
}

TEST_F(ResizeWithoutClassTest, LooksAgainAfterASaveBetweenLookingAndCommitting) {
  ControlledStore controlled(store_);
  int commits = 0;
  controlled.open([&](Transaction& transaction, const ControlledStore::Keys&) {
    if (++commits == 1) {
      Flight flight = mapper_.load<Flight>(7).value();
      flight.set_to("Rome");
      mapper_.save(flight);
    }
    return transaction.commit();
  });
  ctl::set_shards(controlled, "Flight", "7", "likes", 16, missing_);
  EXPECT_GT(commits, 1);
  EXPECT_EQ(mapper_.load<Flight>(7).value().to(), "Rome");
  EXPECT_EQ(admin::shards<Flight>(mapper_, 7, "likes"), 16U);
}

TEST_F(CtlTest, SetsTheNumberOfShards) {
  const std::string copy = copy_to("copy");
  const auto shards_of = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"autoshardctl", copy, "shards", "Flight", "7"});
    return run_words(words);
  };
  EXPECT_EQ(shards_of({"likes", "--set", "16"}).out,
            "likes of Flight 7: updates go to 16 shards; before: as the annotation says\n");
  EXPECT_EQ(shards_of({"likes", "--set", "0"}).out,
            "likes of Flight 7: updates go to a record of their own each; before: 16 shards\n");
  EXPECT_EQ(shards_of({"likes", "--set", "1", "--json"}).out,
            "{\"kind\":\"Flight\",\"id\":7,\"property\":\"likes\",\"before\":0,\"after\":1}\n");
  EXPECT_EQ(shards_of({"views", "--set", "1"}).code, 1);
  EXPECT_EQ(shards_of({"likes", "--set", "many"}).code, 2);
  EXPECT_EQ(shards_of({"seats", "--set", "16"}).code, 2);
  EXPECT_THAT(run({"shards", "Flight", "7", "likes", "--set", "16"}).errors, HasSubstr("another"));
}

}  // namespace
}  // namespace autoshard::test
