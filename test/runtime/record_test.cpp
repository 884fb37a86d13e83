// Main records that no mapper has written are refused, and marks of elements read back.

#include <autoshard/errors.h>
#include <autoshard/messagepack.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "entities/groups/topic.autoshard.h"
#include "entities/versions/bus.h"
#include "main_record.h"
#include "shard_record.h"

namespace autoshard::detail {
namespace {

const EntityType& kBus = kEntityType<bus::SeatsBus>;

constexpr EntityKeyView kKey("key");

std::string record(const std::function<void(Encoder& out)>& encode) {
  std::string record;
  Encoder out(record);
  encode(out);
  return record;
}

MainHead head_of(const std::string& main) {
  MainHead head;
  read_head(kBus, kKey, main, head);
  return head;
}

/// The record of a bus with this entry for the property `of`.
std::string with_layout_of(std::string_view of, std::size_t elements) {
  return record([&](Encoder& out) {
    out.map(2);
    out.text("@version");
    out.natural(1);
    out.text("@sharding");
    out.map(1);
    out.text(of);
    out.array(elements);
    for (std::size_t i = 0; i < elements; ++i) out.natural(7 + i);
  });
}

TEST(Record, HasTheLayoutThatIsStored) {
  EXPECT_EQ(head_of(with_layout_of("seats", 2)).layouts.at(0), (Layout{.shards = 7, .epoch = 8}));
}

TEST(Record, KeepsTheDeclaredLayoutWhereAnothersIsStored) {
  EXPECT_EQ(head_of(with_layout_of("given up", 2)).layouts.at(0), declared_layout(kBus.sharded[0]));
}

TEST(Record, IsCorruptWithALayoutOfAnotherForm) {
  for (const std::size_t elements : {0U, 1U, 3U})
    EXPECT_THROW(head_of(with_layout_of("seats", elements)), CorruptRecord) << elements;
}

TEST(Record, IsCorruptWithoutAVersionInFront) {
  const auto entry = [](std::string_view name, std::uint64_t value) {
    return record([&](Encoder& out) {
      out.map(1);
      out.text(name);
      out.natural(value);
    });
  };
  EXPECT_EQ(head_of(entry("@version", 1)).version, 1U);
  for (const std::string& main :
       {entry("@version", 0), entry("name", 1), record([](Encoder& out) { out.map(0); })}) {
    EXPECT_THROW(head_of(main), CorruptRecord);
    EXPECT_THROW(read_version(kKey, main), CorruptRecord);
    EXPECT_THROW(read_main(kBus, kKey, main), CorruptRecord);
  }
}

TEST(Record, KeepsAGroupOfAnEarlierClassWhateverStandsBehindIt) {
  const EntityType& topic = kEntityType<forum::Topic>;
  const auto with = [](std::string_view first, std::string_view second) {
    return record([&](Encoder& out) {
      out.map(3);
      out.text("@version");
      out.natural(1);
      out.text(first);
      out.array(0);
      out.text(second);
      out.text("text");
    });
  };
  EXPECT_TRUE(has_unsharded_group(topic, kKey, with("posts", "title")));
  EXPECT_TRUE(has_unsharded_group(topic, kKey, with("comments", "title"))) << "under its former name";
  EXPECT_FALSE(has_unsharded_group(topic, kKey, with("views", "title")));
}

// What a list or a map holds may have members that this class does not know, and that a save keeps.
TEST(Record, IsExactOnlyWithoutListsAndMaps) {
  const auto is_exact = [](const std::function<void(Encoder & out)>& value) {
    return read_main(kEntityType<forum::Topic>, kKey, record([&](Encoder& out) {
                       out.map(2);
                       out.text("@version");
                       out.natural(1);
                       out.text("title");
                       value(out);
                     }))
        .is_exact;
  };
  EXPECT_TRUE(is_exact([](Encoder& out) { out.text("text"); }));
  for (const std::int64_t number : {-1'000, -32, -1, 0, 127, 1'000})
    EXPECT_TRUE(is_exact([&](Encoder& out) { out.integer(number); })) << number;
  for (const std::size_t size : {0U, 1U, 15U, 16U, 70'000U}) {
    EXPECT_FALSE(is_exact([&](Encoder& out) {
      out.array(size);
      for (std::size_t i = 0; i < size; ++i) out.natural(i);
    })) << size;
    EXPECT_FALSE(is_exact([&](Encoder& out) {
      out.map(size);
      for (std::size_t i = 0; i < 2 * size; ++i) out.natural(i);
    })) << size;
  }
}

TEST(Record, OfAnElementSaysItsEpochAndMark) {
  const std::string container = record([](Encoder& out) { out.text("element"); });
  for (const std::uint64_t epoch : {0U, 5U}) {
    for (const ElementMark mark : {ElementMark::kNone, ElementMark::kReplacing, ElementMark::kAdopted}) {
      std::string element;
      encode_element(element, container, epoch, mark);
      EXPECT_EQ(read_tail("key", element).epoch, epoch);
      EXPECT_EQ(read_mark("key", element), mark);
      EXPECT_EQ(read_container("key", element), container);
    }
  }
}

TEST(Record, OfAnElementHasNoMarkThatIsUnknown) {
  const std::string element = record([](Encoder& out) {
    out.array(3);
    out.text("element");
    out.natural(0);
    out.natural(99);
  });
  EXPECT_EQ(read_mark("key", element), ElementMark::kNone);
}

}  // namespace
}  // namespace autoshard::detail
