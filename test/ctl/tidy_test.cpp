// `autoshardctl compact`: what can go without the classes.

#include "tidy.h"

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "ctl_fixture.h"
#include "entities/versions/page.h"
#include "keys.h"
#include "verify_fixture.h"

namespace autoshard::test {
namespace {

using pages::Page;
using ::testing::Contains;
using ::testing::Pair;

class TidyTest : public VerifyTest {
 protected:
  ctl::Tidied tidy(const std::string& kind = "", const std::string& id = "") {
    ctl::Missing missing;
    const ctl::Tidied tidied = ctl::tidy(store_, kind, id, missing);
    EXPECT_EQ(missing, "");
    return tidied;
  }
  bool has(std::string_view key) {
    std::string value;
    return store_.snapshot()->get(key, value);
  }
  void set_clock(std::uint64_t hours) {
    std::string record;
    Encoder(record).natural(hours * 3'600'000);
    put(detail::store_clock_key(), record);
  }
};

TEST_F(TidyTest, CompletesErases) {
  const auto main = detail::main_key(detail::entity_key("Flight", 3)),
             shard = detail::shard_key(detail::entity_key("Flight", 3), "likes", 0);
  put(main, "\xC0");
  put(shard, "\x91\x05");
  const ctl::Tidied tidied = tidy();
  EXPECT_EQ(tidied.erased, 1U);
  EXPECT_EQ(tidied.records, 1U);
  EXPECT_FALSE(has(main) || has(shard));
  EXPECT_EQ(verified().first, 0U);
}

TEST_F(TidyTest, LeavesDeltasToPrograms) {
  const ctl::Tidied tidied = tidy();
  EXPECT_THAT(tidied.deltas, Contains(Pair("Flight", 3)));
  EXPECT_EQ(Mapper(store_).load<Flight>(1).value().likes(), 3);
}

TEST_F(TidyTest, RemovesTokensThatHaveEndedByTheClockOfTheStore) {
  const auto token = detail::token_key(detail::entity_key("Permit", std::string("ann")), "order 7");
  EXPECT_EQ(tidy().tokens, 0U);
  set_clock(24 * 365 * 200);
  EXPECT_EQ(tidy("Flight").tokens, 0U);
  EXPECT_EQ(tidy("Permit", "bob").tokens, 0U);
  EXPECT_TRUE(has(token));
  EXPECT_EQ(tidy("Permit", "ann").tokens, 1U);
  EXPECT_FALSE(has(token));
}

TEST_F(TidyTest, RemovesBucketsThatHaveEndedByTheClockOfTheStore) {
  const detail::EntityKey page = detail::entity_key("Page", 1);
  Mapper(store_, {.compact_every = 0ms}).save(Page(1));
  detail::RecordKey ended, ends_later, counts;
  ended.set_bucket(page, "clicks", 0, 1'000);
  ends_later.set_bucket(page, "clicks", 0, 2'000);
  counts.set_bucket(page, "clicks", 0, 3'000);
  set_clock(1);  // 3,600,000 ms
  put(ended, std::string("\x93\x05\x00\xCE\x00\x36\xEE\x80", 8));
  put(ends_later, std::string("\x93\x05\x00\xCE\x00\x36\xEE\x81", 8));
  put(counts, "\x91\x05");
  EXPECT_EQ(tidy().buckets, 1U);
  EXPECT_FALSE(has(ended));
  EXPECT_TRUE(has(ends_later) && has(counts));
}

TEST_F(TidyTest, NothingEndsWithoutAClock) {
  erase(detail::store_clock_key());
  EXPECT_EQ(tidy().tokens, 0U);
}

TEST_F(TidyTest, SaysWhatIsMissing) {
  ctl::Missing missing;
  ctl::tidy(store_, "Fligth", "", missing);
  EXPECT_THAT(missing, HasSubstr("there is no entity of kind Fligth"));
  ctl::tidy(store_, "Flight", "99", missing);
  EXPECT_EQ(missing, "there is no Flight 99");
}

TEST_F(CtlTest, CompactsWithoutTheClasses) {
  const std::string copy = copy_to("copy");
  EXPECT_EQ(run_words({"autoshardctl", copy, "compact"}).out,
            "removed: 0 records of 0 erased entities, 0 ended buckets, 0 ended tokens\n"
            "Flight: 3 deltas left. Folding takes the class: call admin::compact<Flight>(mapper)\n");
  EXPECT_EQ(run_words({"autoshardctl", copy, "compact", "--json"}).out,
            "{\"erased\":0,\"records\":0,\"buckets\":0,\"tokens\":0,\"deltas\":{\"Flight\":3}}\n");
  EXPECT_EQ(run_words({"autoshardctl", copy, "compact", "Fligth"}).code, 1);
  EXPECT_EQ(run({"compact"}).code, 2);  // the test has the store open
}

}  // namespace
}  // namespace autoshard::test
