// Bitsets as properties: sharded ones are combined bit by bit.
#include <autoshard/autoshard.h>
#include <autoshard/json.h>
#include <autoshard/query.h>
#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <thread>
#include <vector>

#include "entities/types/stage.autoshard.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using stage::kExits;
using stage::Lamps;
using stage::Stage;

class BitsetTest : public StoreTest {
 protected:
  Stage load() { return Mapper{*store_}.load<Stage>("main").value(); }
};

TEST_P(BitsetTest, UpdatesOfSeveralMappersAreCombinedBitByBit) {
  Mapper first{*store_};
  Mapper second{*store_, {.choice = ShardChoice::kRandom, .combine = false}};
  first.save(Stage{"main", 0b1000001});
  Lamps lit;
  std::bitset<kExits> open = ~std::bitset<kExits>();
  std::bitset<3> pressed;
  std::mt19937 random(17);
  for (int round = 0; round < 100; ++round) {
    Mapper& mapper = round % 2 == 0 ? first : second;
    const std::size_t lamp = random() % lit.size();
    mapper.apply<&Stage::light>("main", lamp);
    lit.set(lamp);
    if (round % 25 == 0) {
      const Lamps more = Lamps(random()) << 40;
      mapper.apply<&Stage::light_all>("main", more);
      lit |= more;
      mapper.apply<&Stage::close>("main", lamp % kExits);
      open.reset(lamp % kExits);
      mapper.apply<&Stage::close_all_but>("main", 0b1110'1111ULL);
      open.reset(4);
    }
    mapper.apply<&Stage::press>("main", lamp % 3);
    pressed.flip(lamp % 3);
  }
  for (const Stage& loaded : {load(), first.load<Stage>("main").value()}) {
    EXPECT_EQ(loaded.days(), 0b1000001);
    EXPECT_EQ(loaded.lit(), lit);
    EXPECT_EQ(loaded.open(), open);
    EXPECT_EQ(loaded.pressed(), pressed);
  }
  EXPECT_GT(admin::compact<Stage>(first, "main"), 0U);
  EXPECT_EQ(load().pressed(), pressed);
  second.apply<&Stage::release>("main");
  EXPECT_EQ(load().pressed(), 0);
}

TEST_P(BitsetTest, ThreadsLoseNoBit) {
  Mapper mapper{*store_};
  mapper.save(Stage{"main", 0});
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t lamp = thread; lamp < Lamps().size(); lamp += 4) {
        mapper.apply<&Stage::light>("main", lamp);
        mapper.apply<&Stage::press>("main", lamp % 3);
      }
    });
  }
  threads.clear();
  EXPECT_TRUE(load().lit().all());
  EXPECT_EQ(load().pressed(), 0b110) << "70 lamps: 24 presses of key 0, 23 of each other key";
}

TEST_P(BitsetTest, AreExportedAndImportedAsJson) {
  Mapper mapper{*store_};
  mapper.save(Stage{"main", 0b1010});
  mapper.apply<&Stage::light>("main", 64U);
  mapper.apply<&Stage::press>("main", 1U);
  std::stringstream text;
  EXPECT_EQ(export_json<Stage>(mapper, text), 1U);
  EXPECT_EQ(text.str(),
            R"({"@id": "main", "days": [10], "doors": [2], "lit": [0, 1], "open": [255], "pressed": [2]})"
            "\n");
  mapper.erase<Stage>("main");
  EXPECT_EQ(import_json<Stage>(mapper, text), 1U);
  EXPECT_EQ(load().days(), 0b1010);
  EXPECT_EQ(load().doors(), std::bitset<2>(2));
  EXPECT_EQ(load().lit(), Lamps().set(64));
  EXPECT_EQ(load().open(), 0xFF);
  EXPECT_EQ(load().pressed(), 2);
  EXPECT_THROW(from_json<Stage>(R"({"@id":"main","days":[128]})"), InvalidJson);
}

TEST_P(BitsetTest, AreFoundByQueries) {
  Mapper mapper{*store_};
  mapper.save(Stage{"main", 0b11});
  mapper.save(Stage{"small", 0b100});
  std::vector<std::string> found;
  for (const Stage& one : mapper.query<Stage>(Fields<Stage>::days == std::bitset<7>(0b100)))
    found.push_back(one.days().to_string());
  EXPECT_EQ(found, std::vector<std::string>{"0000100"});
}

INSTANTIATE_TEST_SUITE_P(Stores, BitsetTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
