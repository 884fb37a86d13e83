#include "history.h"

#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "history_json.h"

namespace autoshard::test {
namespace {

using monitor::Cell;
using monitor::History;
using monitor::HistoryPart;
using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

PropertyActivity votes(int question, double updates, double conflicts = 0, std::uint32_t shards = 4) {
  return {.entity = "Question " + std::to_string(question),
          .property = "votes",
          .is_sharded = true,
          .shards = shards,
          .most = 4,
          .writers = 2,
          .updates = updates,
          .commits = updates,
          .conflicts = conflicts};
}

/// A history whose clock is a second further with each interval.
class HistoryTest : public testing::Test {
 protected:
  explicit HistoryTest(const monitor::HistoryBounds& bounds = {.rows = 3,
                                                               .fine_columns = 6,
                                                               .coarse_columns = 4,
                                                               .fine_in_coarse = 2,
                                                               .changes = 2})
      : history_(bounds) {}

  void add(std::vector<PropertyActivity> properties, std::vector<ShardChange> changes = {}) {
    now_ += std::chrono::seconds(1);
    history_.add({.end = now_,
                  .length = std::chrono::seconds(1),
                  .properties = std::move(properties),
                  .changes = std::move(changes)});
  }

  json ask(const HistoryPart& part = {}) { return json::parse(monitor::history_json(history_, {}, part, 0)); }

  static std::vector<float> updates(const std::deque<Cell>& cells) {
    std::vector<float> values;
    for (const Cell& cell : cells) values.push_back(cell.updates);
    return values;
  }

  std::chrono::system_clock::time_point now_{};
  History history_;
};

TEST_F(HistoryTest, KeepsTheNewestColumnsOfBothResolutions) {
  for (int second = 1; second <= 9; ++second) add({votes(1, second)});
  EXPECT_EQ(history_.fine().first, 3u);
  EXPECT_THAT(history_.fine().ends, ElementsAre(4'000, 5'000, 6'000, 7'000, 8'000, 9'000));
  ASSERT_THAT(history_.rows(), SizeIs(1));
  EXPECT_THAT(updates(history_.rows().front()->fine), ElementsAre(4, 5, 6, 7, 8, 9));
  EXPECT_THAT(history_.coarse().ends, ElementsAre(2'000, 4'000, 6'000, 8'000));
  EXPECT_THAT(updates(history_.rows().front()->coarse), ElementsAre(1.5, 3.5, 5.5, 7.5));
}

TEST_F(HistoryTest, HasZerosBeforeAndAfterTheActivityOfAProperty) {
  add({});
  add({votes(1, 5)});
  add({});
  EXPECT_THAT(updates(history_.rows().front()->fine), ElementsAre(0, 5, 0));
  EXPECT_EQ(history_.rows().front()->latest.updates, 0);
  EXPECT_EQ(history_.rows().front()->latest.shards, 4u) << "it keeps its shards without an update";
}

TEST_F(HistoryTest, GivesThePlaceOfTheLeastHotPropertyToAHotterOne) {
  add({votes(1, 10), votes(2, 1), votes(3, 5)});
  const std::uint64_t before = history_.generation();
  add({votes(1, 10), votes(2, 1), votes(3, 5), votes(4, 1)});
  EXPECT_EQ(history_.generation(), before) << "it is not hotter";
  add({votes(1, 10), votes(3, 5), votes(4, 100)});
  EXPECT_NE(history_.generation(), before);
  std::vector<std::string> entities;
  for (const History::Row* row : history_.rows()) entities.push_back(row->latest.entity);
  EXPECT_THAT(entities, ElementsAre("Question 4", "Question 1", "Question 3"));
  EXPECT_THAT(updates(history_.rows().front()->fine), ElementsAre(0, 0, 100));
}

TEST_F(HistoryTest, CountsPropertiesWithoutAPlaceInTheTotals) {
  add({votes(1, 10, 1), votes(2, 10, 2), votes(3, 10), votes(4, 10), votes(5, 10)});
  EXPECT_EQ(history_.fine().totals.back().updates, 50);
  EXPECT_EQ(history_.fine().totals.back().conflicts, 3);
}

TEST_F(HistoryTest, CountsAConflictOfASaveOnce) {
  add({{.entity = "Question 1", .property = "", .updates = 4, .conflicts = 3},
       {.entity = "Question 1", .property = "text", .conflicts = 3}});
  EXPECT_EQ(history_.fine().totals.back().conflicts, 3);
}

TEST_F(HistoryTest, KeepsTheNewestChanges) {
  for (const std::uint32_t to : {2U, 4U, 8U})
    add({}, {{.entity = "Question 1", .property = "votes", .from = to / 2, .to = to}});
  EXPECT_THAT(history_.changes(), SizeIs(2));
  EXPECT_EQ(history_.changes().back().to, 8u);
}

TEST_F(HistoryTest, GivesTheColumnsAfterThoseThatAClientHas) {
  for (int second = 1; second <= 4; ++second) add({votes(1, second)});
  json all = ask();
  EXPECT_EQ(all["first"], 0);
  EXPECT_EQ(all["times"], json({1'000, 2'000, 3'000, 4'000}));
  EXPECT_EQ(all["rows"][0]["updates"], json({1, 2, 3, 4}));
  EXPECT_EQ(all["rows"][0]["now"]["updates"], 4);
  json news = ask({.after = 3});
  EXPECT_EQ(news["first"], 3);
  EXPECT_EQ(news["rows"][0]["updates"], json({4}));
  EXPECT_EQ(ask({.after = 4})["times"], json::array());
  EXPECT_EQ(ask({.after = 1'000})["times"], json::array());
  EXPECT_EQ(ask({.columns = 2})["times"], json({3'000, 4'000}));
  EXPECT_EQ(ask({.is_coarse = true})["rows"][0]["updates"], json({1.5, 3.5}));
}

TEST_F(HistoryTest, WritesNumbersWithThreeDigits) {
  add({votes(1, 123'456.7, 0.123456)});
  EXPECT_EQ(ask()["rows"][0]["updates"], json({123'000}));
  EXPECT_EQ(ask()["rows"][0]["conflicts"].dump(), "[0.123]");
}

TEST_F(HistoryTest, WritesNamesThatAreNoText) {
  PropertyActivity odd = votes(1, 1);
  odd.entity = "User \xFF</script>";
  add({odd});
  const std::string text = monitor::history_json(history_, {}, {}, 0);
  EXPECT_EQ(json::parse(text)["rows"][0]["entity"], "User \uFFFD</script>");
  EXPECT_EQ(monitor::for_script(text).find('<'), std::string::npos);
  EXPECT_EQ(json::parse(monitor::for_script(text)), json::parse(text));
}

class LongHistoryTest : public HistoryTest {
 protected:
  LongHistoryTest() : HistoryTest({}) {}
};

TEST_F(LongHistoryTest, AdvisesByTheLastTenIntervals) {
  for (int i = 0; i < 20; ++i) add({votes(1, 100)});
  EXPECT_THAT(history_.advice({}), IsEmpty());
  for (int i = 0; i < 10; ++i) add({votes(1, 100, 100)});
  ASSERT_THAT(history_.advice({}), SizeIs(1));
  EXPECT_EQ(history_.advice({}).front().conflicts, 100);
  for (int i = 0; i < 10; ++i) add({votes(1, 100)});
  EXPECT_THAT(history_.advice({}), IsEmpty());
}

TEST_F(LongHistoryTest, CallsAPropertyQuietOnlyAfterALongTime) {
  for (int i = 0; i < 600; ++i) add({votes(1, 1)});
  EXPECT_THAT(history_.advice({}), IsEmpty());
  for (int i = 0; i < 10; ++i) add({votes(1, 1)});
  ASSERT_THAT(history_.advice({}), SizeIs(1));
  EXPECT_EQ(history_.advice({}).front().conflicts, 0);
  add({votes(1, 100)});
  for (int i = 0; i < 100; ++i) add({votes(1, 1)});
  EXPECT_THAT(history_.advice({}), IsEmpty()) << "it was busy meanwhile";
}

}  // namespace
}  // namespace autoshard::test
