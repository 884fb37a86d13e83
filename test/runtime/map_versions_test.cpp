// Maps whose elements are records, and that an earlier version of the class keeps in shards: of each key the
// last value counts, whichever version wrote it.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <type_traits>

#include "group_versions_fixture.h"
#include "keys.h"
#include "support/faulty_store.h"

namespace autoshard::test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

class MapVersionsTest : public GroupVersionsTest {
 protected:
  /// Of several ratings by Ann, which an earlier version writes: before and after a compaction.
  template <class Rate>
  void expect_that_each_counts(const Rate& rate) {
    for (int stars = 1; stars < 4; ++stars) {
      rate(stars);
      EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", stars)));
      admin::compact<Grouped>(mapper_, 1);
      EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", stars)));
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, MapVersionsTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(MapVersionsTest, OfAMapsKeyWhatAnEarlierVersionWritesLaterCounts) {
  mapper_.save(Sharded(1));
  expect_that_each_counts([&](int stars) { mapper_.apply<&Sharded::rate>(1, "ann", stars); });
  mapper_.apply<&Grouped::rate>(1, "ann", 4);
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 4)));
}

TEST_P(MapVersionsTest, OfAMapsKeyWhatAnEarlierVersionReplacesIsVoid) {
  mapper_.save(Replacing(1));
  mapper_.update<Grouped>(1, [](auto& topic) { topic.rate("ann", 5); });
  mapper_.update<Replacing>(1, [](auto& topic) { topic.rate_anew("ann", 3); });
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 3)));
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_THAT(load<Grouped>().stars(), ElementsAre(Pair("ann", 3)));
}

/// The reader's key has an element, and then also a part that an earlier version writes.
TEST_P(MapVersionsTest, AnErasedElementOfAMapStaysErased) {
  const auto expect_erased = [&]<class Later>(std::type_identity<Later>, const char* version, auto rate) {
    const auto stars = forum::stars_of<Later>();
    mapper_.save(Later(1));
    const auto expect_erased_after = [&](auto begin) {
      begin();
      rate();
      EXPECT_TRUE(mapper_.erase_element(1, stars, (*mapper_.elements(1, stars).begin()).id)) << version;
      EXPECT_THAT(load<Later>().stars(), IsEmpty()) << version;
      admin::compact<Later>(mapper_, 1);
      EXPECT_THAT(load<Later>().stars(), IsEmpty()) << version;
    };
    expect_erased_after([&] { mapper_.apply<&Later::rate>(1, "Ann", 1); });
    expect_erased_after([&] {
      rate();
      admin::compact<Later>(mapper_, 1);
    });
    mapper_.erase<Later>(1);
  };
  constexpr std::type_identity<Grouped> kGrouped;
  constexpr std::type_identity<RenamedEarlier> kRenamed;
  const auto by_sharded = [&] { mapper_.apply<&Sharded::rate>(1, "Ann", 2); };
  expect_erased(kGrouped, "one shard", by_sharded);
  expect_erased(kRenamed, "one shard, under a former name", by_sharded);
  expect_erased(kGrouped, "shards", [&] { mapper_.apply<&forum::SpreadTopic::rate>(1, "Ann", 2); });
  expect_erased(kGrouped, "deltas", [&] { mapper_.apply<&Dynamic::rate>(1, "Ann", 2); });
  expect_erased(kGrouped, "no shards",
                [&] { save_unsharded([](UnshardedTopic& topic) { topic.rate("Ann", 2); }); });
}

TEST_P(MapVersionsTest, OfAMapsKeyWhatADynamicVersionWritesLaterCounts) {
  mapper_.save(Dynamic(1));
  expect_that_each_counts([&](int stars) { mapper_.apply<&Dynamic::rate>(1, "ann", stars); });
}

TEST_P(MapVersionsTest, OfAMapsKeyWhatAnUnshardedVersionSavesLaterCounts) {
  mapper_.save(UnshardedTopic(1));
  expect_that_each_counts(
      [&](int stars) { save_unsharded([&](UnshardedTopic& topic) { topic.rate("ann", stars); }); });
}

TEST_P(MapVersionsTest, OfAMapNothingIsAdoptedBeforeAPartThatIsTooLarge) {
  mapper_.save(Dynamic(1));
  mapper_.update<Dynamic>(1, [](auto& topic) {
    topic.rate("ann", 1);
    for (int i = 0; i < 100; ++i) topic.rate("reader " + std::to_string(i), i);
  });
  mapper_.apply<&Dynamic::rate>(1, "ann", 2);
  FaultyStore faulty(*store_);
  faulty.limit_commits(1000, FaultyStore::Limit::kTold);
  Mapper limited(faulty, {.compact_every = std::chrono::milliseconds(0)});
  admin::compact<Grouped>(limited, 1);
  EXPECT_EQ(load<Grouped>().stars().at("ann"), 2);
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_EQ(load<Grouped>().stars().at("ann"), 2);
}

/// Both orders of the names of a group that was renamed.
template <class Renamed>
void expect_that_the_last_value_counts(Mapper& mapper) {
  const auto expect_stars = [&](int stars) {
    EXPECT_THAT(mapper.load<Renamed>(1).value().stars(), ElementsAre(Pair("ann", stars)));
    for (const Renamed& topic : mapper.query<Renamed>())
      EXPECT_THAT(topic.stars(), ElementsAre(Pair("ann", stars)));
  };
  mapper.save(Grouped(1));
  int stars = 0;
  for (const bool compacts : {false, true, false, true}) {
    mapper.apply<&Grouped::rate>(1, "ann", ++stars);
    expect_stars(stars);
    if (compacts) admin::compact<Renamed>(mapper, 1);
    expect_stars(stars);
    mapper.apply<&Renamed::rate>(1, "ann", ++stars);
    expect_stars(stars);
    if (compacts) admin::compact<Renamed>(mapper, 1);
    expect_stars(stars);
  }
  mapper.apply<&Grouped::rate>(1, "ann", ++stars);
  const auto elements = mapper.elements(1, forum::stars_of<Renamed>());
  const ElementId id = (*elements.begin()).id;
  mapper.replace_element(1, forum::stars_of<Renamed>(), id, {"ann", ++stars});
  expect_stars(stars);
  mapper.apply<&Grouped::rate>(1, "ann", ++stars);
  expect_stars(stars);
  EXPECT_TRUE(mapper.erase_element(1, forum::stars_of<Renamed>(), id));
  EXPECT_THAT(mapper.load<Renamed>(1).value().stars(), IsEmpty());
  mapper.erase<Renamed>(1);
}

TEST_P(MapVersionsTest, OfAMapsKeyTheLastValueCountsAfterARename) {
  expect_that_the_last_value_counts<RenamedEarlier>(mapper_);
  expect_that_the_last_value_counts<RenamedLater>(mapper_);
}

// What FORMAT.md says of marks. They stand behind the epoch.
TEST_P(MapVersionsTest, TheRecordOfAnElementSaysHowOldItIs) {
  const auto mark_of_ann = [&](std::string_view property) {
    detail::RecordKey element;
    std::string record;
    element.set_equal_element(detail::entity_key("Topic", 1), property,
                              "\xA3"
                              "ann");
    EXPECT_TRUE(store_->snapshot()->get(element, record));
    const std::string container =
        "\x81\xA3"
        "ann\x01";
    return record.substr(record.find(container) + container.size());
  };
  mapper_.save(Sharded(1));
  mapper_.apply<&Sharded::rate>(1, "ann", 1);
  admin::compact<Grouped>(mapper_, 1);
  EXPECT_EQ(mark_of_ann("stars"), std::string("\0\0", 2));
  admin::compact<RenamedEarlier>(mapper_, 1);
  EXPECT_EQ(mark_of_ann("marks"), std::string("\0\0", 2));
  mapper_.apply<&RenamedEarlier::rate>(1, "ann", 1);
  EXPECT_EQ(mark_of_ann("marks"), std::string("\0\1", 2));
  mapper_.apply<&Grouped::rate>(1, "ann", 1);
  EXPECT_EQ(mark_of_ann("stars"), "");
  admin::compact<RenamedEarlier>(mapper_, 1);
  EXPECT_EQ(mark_of_ann("marks"), std::string("\0\1", 2));
}

// Records of a release that did not note which element is the last.
TEST_P(MapVersionsTest, OfAMapsKeyAnElementThatSaysNothingCountsBeforeAFormerOne) {
  mapper_.save(Grouped(1));
  mapper_.apply<&Grouped::rate>(1, "ann", 1);
  const detail::EntityKey key = detail::entity_key("Topic", 1);
  detail::RecordKey element;
  std::string record;
  element.set_equal_element(key, "marks",
                            "\xA3"
                            "ann");
  Encoder out(record);
  out.array(1);
  out.map(1);
  out.text("ann");
  out.integer(2);
  const auto transaction = store_->begin();
  transaction->put(element, record);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  for (const bool compacts : {false, true}) {
    if (compacts) admin::compact<RenamedEarlier>(mapper_, 1);
    EXPECT_THAT(load<RenamedEarlier>().stars(), ElementsAre(Pair("ann", 2)));
  }
}

}  // namespace
}  // namespace autoshard::test
