// Elements of groups that are removed or replaced.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "elements_fixture.h"
#include "keys.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

class ElementChangesTest : public ElementsTest {};
INSTANTIATE_TEST_SUITE_P(Stores, ElementChangesTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(ElementChangesTest, OneIsErased) {
  save(3);
  const ElementId id(id_of("1").text());  // as it comes back from somewhere else
  EXPECT_TRUE(mapper_.erase_element(1, q::posts, id));
  EXPECT_FALSE(mapper_.erase_element(1, q::posts, id));
  EXPECT_EQ(load().texts(), (Texts{"0", "2"}));
}

TEST_P(ElementChangesTest, OneIsReplacedInItsPlace) {
  save(3);
  const ElementId id = id_of("1");
  mapper_.replace_element(1, q::posts, id, Post{"changed", 7});
  EXPECT_EQ(load().texts(), (Texts{"0", "changed", "2"}));
  EXPECT_EQ(load().posts()[1].likes, 7);
  mapper_.erase_element(1, q::posts, id);
  EXPECT_THROW(mapper_.replace_element(1, q::posts, id, Post{"again"}), NotFound);
  EXPECT_EQ(load().texts(), (Texts{"0", "2"}));
}

TEST_P(ElementChangesTest, ThoseOfSetsAndMapsAreErasedAndReplaced) {
  mapper_.save(Topic(1));
  mapper_.apply<&Topic::read_by>(1, "ann");
  mapper_.apply<&Topic::rate>(1, "ann", 2);
  const auto stars = mapper_.elements(1, q::stars).page().rows;
  ASSERT_THAT(stars, SizeIs(1));
  mapper_.replace_element(1, q::stars, stars[0].id, {"ann", 5});
  EXPECT_THAT(load().stars(), ElementsAre(Pair("ann", 5)));
  EXPECT_THROW(mapper_.replace_element(1, q::stars, stars[0].id, {"bob", 5}), InvalidUse);
  EXPECT_TRUE(mapper_.erase_element(1, q::stars, stars[0].id));
  EXPECT_TRUE(mapper_.erase_element(1, q::readers, mapper_.elements(1, q::readers).begin()->id));
  EXPECT_THAT(load().stars(), IsEmpty());
  EXPECT_THAT(load().readers(), IsEmpty());
}

TEST_P(ElementChangesTest, IdsOfNothingAreNone) {
  save(1);
  mapper_.apply<&Topic::view>(1);
  const std::string there = id_of("0").text();
  const std::string upper = "F" + there.substr(1);
  for (const std::string& text : {std::string(), std::string("zz"), std::string("0"), std::string("0000"),
                                  there.substr(2), there + "00", std::string(36, 'f'), upper}) {
    EXPECT_FALSE(mapper_.erase_element(1, q::posts, ElementId(text))) << text;
    EXPECT_THROW(mapper_.replace_element(1, q::posts, ElementId(text), Post{}), NotFound) << text;
    EXPECT_FALSE(mapper_.erase_element(1, q::readers, ElementId(text))) << text;
  }
  EXPECT_FALSE(mapper_.erase_element(2, q::posts, ElementId(there)));
  EXPECT_EQ(load().texts(), Texts{"0"});
  EXPECT_EQ(load().views(), 1);
}

TEST_P(ElementChangesTest, ARecordOfSomethingElseIsNone) {
  const Texts expected = save(20);
  std::string foreign = detail::shard_key(detail::entity_key("Topic", 1), "posts", 0).bytes();
  foreign.resize(foreign.size() - 2);
  foreign += '\1';  // too short for an element, behind all of them
  const auto transaction = store_->begin();
  transaction->put(foreign, "\xC0");
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  EXPECT_EQ(texts(mapper_.elements(1, q::posts)), expected);
}

TEST_P(ElementChangesTest, NoneIsErasedOfAnErasedEntity) {
  save(2);
  const ElementId id = id_of("0");
  FaultyStore faulty(*store_);
  Mapper crashing(faulty, {.compact_every = kOnlyWhenAsked});
  faulty.before_commit([&](int) { return has_tombstone(1) ? Fate::kCrashes : Fate::kCommits; });
  crashing.erase<Topic>(1);  // leaves a tombstone, and the records
  const auto before = records(*store_);
  EXPECT_FALSE(mapper_.erase_element(1, q::posts, id));
  EXPECT_EQ(records(*store_), before);
}

TEST_P(ElementChangesTest, AFieldThatIsNoGroupIsRefused) {
  EXPECT_THROW(mapper_.elements(1, Field<Topic, std::vector<Post>>{"views", nullptr}), InvalidUse);
}

TEST_P(ElementChangesTest, AReplacementThatMeetsAnEraseOfTheEntityLeavesNothing) {
  save(2);
  const ElementId id = id_of("1");
  FaultyStore faulty(*store_);
  Mapper mapper(faulty, {.compact_every = kOnlyWhenAsked});
  faulty.before_commit([&](int) {
    mapper_.erase<Topic>(1);
    return Fate::kCommits;
  });
  EXPECT_THROW(mapper.replace_element(1, q::posts, id, Post{"late"}), NotFound);
  EXPECT_THAT(records(*store_), IsEmpty());
}

/// The next entity of the id has an element under the same id: it is another one.
TEST_P(ElementChangesTest, AChangeThatMeetsAnotherEntityOfTheIdLeavesItAlone) {
  mapper_.save(Topic(1));
  mapper_.apply<&Topic::read_by>(1, "ann");
  const ElementId id = mapper_.elements(1, q::readers).begin()->id;
  FaultyStore faulty(*store_);
  Mapper mapper(
      faulty, {.retry = {.initial_backoff = std::chrono::microseconds(1)}, .compact_every = kOnlyWhenAsked});
  faulty.before_commit([&](int nth) {
    if (nth > 1) return Fate::kCommits;
    mapper_.erase<Topic>(1);
    mapper_.save(Topic(1));
    mapper_.apply<&Topic::read_by>(1, "ann");
    return Fate::kCommits;
  });
  EXPECT_FALSE(mapper.erase_element(1, q::readers, id));
  EXPECT_THAT(load().readers(), SizeIs(1));
}

TEST_P(ElementChangesTest, OfTwoWhoRemoveOneElementOneDoes) {
  save(1);
  const ElementId id = id_of("0");
  FaultyStore faulty(*store_);
  Mapper mapper(faulty, {.compact_every = kOnlyWhenAsked});
  faulty.before_commit([&](int) {
    EXPECT_TRUE(mapper_.erase_element(1, q::posts, id));
    return Fate::kCommits;
  });
  EXPECT_FALSE(mapper.erase_element(1, q::posts, id));
}

TEST_P(ElementChangesTest, AChangeOfOneDropsACachedLoad) {
  save(2);
  const cached how(std::chrono::hours(1));
  EXPECT_THAT(mapper_.load<Topic>(1, how).value().posts(), SizeIs(2));
  mapper_.erase_element(1, q::posts, id_of("0"));
  EXPECT_THAT(mapper_.load<Topic>(1, how).value().posts(), SizeIs(1));
  mapper_.replace_element(1, q::posts, id_of("1"), Post{"other"});
  EXPECT_EQ(mapper_.load<Topic>(1, how).value().texts(), Texts{"other"});
}

}  // namespace
}  // namespace autoshard::test
