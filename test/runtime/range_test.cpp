// Ranges of indexes, next to a model.

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "support/index_fixture.h"

namespace autoshard::test {
namespace {

using activity::Time;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

class RangeTest : public IndexTest {
 protected:
  void add(const std::string& user, const std::string& company, int time) {
    LogEntry entry = log_entry(user, company, time);
    entry.text = user + " at " + std::to_string(time);
    mapper_.save(entry);
  }
  static Time at(int time) { return Time(milliseconds(time)); }
  Range<LogEntry> acme() const { return mapper_.range<LogEntry::ByCompany>("Acme"); }
  template <class Range>
  static std::vector<std::string> texts(const Range& range) {
    std::vector<std::string> texts;
    for (const LogEntry& entry : range) texts.push_back(entry.text);
    return texts;
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, RangeTest, ::testing::ValuesIn(all_stores()), store_name);

TEST_P(RangeTest, GivesAKeysEntitiesInOrder) {
  for (const int time : {5, -3, 700, 70'000, 0}) add("Ann", "Acme", time);
  add("Bob", "Acme", 700);
  add("Ann", "Acme Ltd", 6);
  add("Ann", "Acm", 6);
  EXPECT_THAT(texts(acme()),
              ElementsAre("Ann at -3", "Ann at 0", "Ann at 5", "Ann at 700", "Bob at 700", "Ann at 70000"));
  EXPECT_THAT(texts(mapper_.range<LogEntry::ByCompany>("Acm")), ElementsAre("Ann at 6"));
  EXPECT_THAT(texts(mapper_.range<LogEntry::ByCompany>("A")), IsEmpty());
  EXPECT_EQ(acme().count(), 6U);
}

TEST_P(RangeTest, EndsBelowItsEnd) {
  for (const int time : {1, 2, 3, 4}) add("Ann", "Acme", time);
  const auto range = [&](int from, int to) {
    return texts(mapper_.range<LogEntry::ByCompany>("Acme", at(from), at(to)));
  };
  EXPECT_THAT(range(2, 4), ElementsAre("Ann at 2", "Ann at 3"));
  EXPECT_THAT(range(2, 2), IsEmpty());
  EXPECT_THAT(range(4, 2), IsEmpty());
  EXPECT_THAT(range(-9, 2), ElementsAre("Ann at 1"));
}

TEST_P(RangeTest, GoesBackwards) {
  for (const int time : {1, 2, 3, 4}) add("Ann", "Acme", time);
  add("Bob", "Acme", 3);
  EXPECT_THAT(texts(acme().reverse()),
              ElementsAre("Ann at 4", "Bob at 3", "Ann at 3", "Ann at 2", "Ann at 1"));
  EXPECT_THAT(texts(acme().reverse().limit(2)), ElementsAre("Ann at 4", "Bob at 3"));
  EXPECT_THAT(texts(acme().reverse().reverse().limit(1)), ElementsAre("Ann at 1"));
  EXPECT_THAT(texts(mapper_.range<LogEntry::ByCompany>("Acme", at(2), at(4)).reverse()),
              ElementsAre("Bob at 3", "Ann at 3", "Ann at 2"));
}

TEST_P(RangeTest, GivesWholeEntities) {
  add("Ann", "Acme", 1);
  mapper_.apply<&LogEntry::see>({"Ann", "Acme", at(1)}, 3);
  for (LogEntry& entry : acme()) {
    EXPECT_EQ(entry.user(), "Ann");
    EXPECT_EQ(entry.company(), "Acme");
    EXPECT_EQ(entry.time(), at(1));
    EXPECT_EQ(entry.seen(), 3);
    entry.see(1);
    entry.text = "seen";
    mapper_.save(entry);
  }
  EXPECT_EQ((mapper_.load<LogEntry>({"Ann", "Acme", at(1)})->seen()), 4);
  EXPECT_THAT(texts(acme()), ElementsAre("seen"));
}

TEST_P(RangeTest, ShowsOneState) {
  for (const int time : {1, 2, 3}) add("Ann", "Acme", time);
  const Range<LogEntry> range = acme();
  std::vector<std::string> seen;
  for (const LogEntry& entry : range) {
    seen.push_back(entry.text);
    mapper_.erase<LogEntry>({"Ann", "Acme", at(2)});
    add("Bob", "Acme", static_cast<int>(10 + seen.size()));
  }
  EXPECT_THAT(seen, ElementsAre("Ann at 1", "Ann at 2", "Ann at 3"));
  EXPECT_EQ(range.count(), 5U);
}

TEST_P(RangeTest, KeysAndOrdersOfSeveralMembersAreTuples) {
  const auto add_member = [&](int number, const std::string& team, bool active, Level level, int day) {
    Member added = member(number, "name", std::to_string(number));
    added.team = team;
    added.active = active;
    added.level = level;
    added.joined = std::chrono::sys_days(std::chrono::days(day));
    mapper_.save(added);
  };
  add_member(1, "red", true, Level::kTrusted, 1);
  add_member(2, "red", true, Level::kKnown, 5);
  add_member(3, "red", true, Level::kKnown, 4);
  add_member(4, "red", false, Level::kKnown, 4);
  add_member(5, "blue", true, Level::kKnown, 4);
  const auto numbers = [](const Range<Member>& range) {
    std::vector<int> all;
    for (const Member& each : range) all.push_back(each.number());
    return all;
  };
  const auto day = [](int days) { return std::chrono::sys_days(std::chrono::days(days)); };
  EXPECT_THAT(numbers(mapper_.range<Member::ByTeam>({"red", true})), ElementsAre(3, 2, 1));
  EXPECT_THAT(numbers(mapper_.range<Member::ByTeam>({"red", true}, {Level::kKnown, day(5)},
                                                    {Level::kTrusted, day(1)})),
              ElementsAre(2));
  EXPECT_THAT(numbers(mapper_.range<Member::ByName>("name")), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(numbers(mapper_.range<Member::ByName>("name").reverse()), ElementsAre(5, 4, 3, 2, 1));
  EXPECT_THAT(numbers(mapper_.range<Member::ByEmail>("4")), ElementsAre(4));
  EXPECT_THAT(numbers(mapper_.range<Member::ByEmail>("6")), IsEmpty());
}

TEST_P(RangeTest, PagesGoOn) {
  for (int time = 0; time < 25; ++time) add(std::to_string(time % 3), "Acme", time / 3);
  for (const Range<LogEntry>& range : {acme(), acme().reverse()}) {
    const std::vector<std::string> all = texts(range);
    std::vector<std::string> paged;
    std::string cursor;
    do {
      const Page<LogEntry> page = range.limit(4).after(cursor).page();
      for (const LogEntry& entry : page.rows) paged.push_back(entry.text);
      cursor = page.cursor;
    } while (!cursor.empty());
    EXPECT_EQ(paged, all);
  }
}

TEST_P(RangeTest, ACursorGoesOnWhereItsEntityIsGone) {
  for (const int time : {1, 2, 3}) add("Ann", "Acme", time);
  const Page<LogEntry> page = acme().limit(2).page();
  mapper_.erase<LogEntry>({"Ann", "Acme", at(2)});
  EXPECT_THAT(texts(acme().after(page.cursor)), ElementsAre("Ann at 3"));
}

TEST_P(RangeTest, RefusesACursorOfSomethingElse) {
  for (const int time : {1, 2, 3}) add("Ann", "Acme", time);
  const std::string cursor = acme().limit(1).page().cursor;
  EXPECT_THROW(acme().reverse().after(cursor).page(), InvalidCursor);
  EXPECT_THROW(mapper_.range<LogEntry::ByCompany>("Acm").after(cursor).page(), InvalidCursor);
  EXPECT_THROW(mapper_.range<LogEntry::ByCompany>("Acme", at(0), at(9)).after(cursor).page(), InvalidCursor);
  EXPECT_THROW(mapper_.query<LogEntry>().after(cursor).page(), InvalidCursor);
  EXPECT_THROW(acme().after(mapper_.query<LogEntry>().limit(1).page().cursor).page(), InvalidCursor);
  EXPECT_THROW(acme().after(cursor + "00").page(), InvalidCursor);
  EXPECT_THROW(acme().after("x").page(), InvalidCursor);
}

TEST_P(RangeTest, Explains) {
  EXPECT_THAT(acme().limit(3).explain(),
              ::testing::AllOf(HasSubstr("index ByCompany: its entries in this range, of 4 shards, in order"),
                               HasSubstr("ends after 3 rows")));
}

TEST_P(RangeTest, AgreesWithAModel) {
  std::mt19937_64 generator = seeded_generator();
  using Row = std::tuple<std::string, int, std::string>;  // company, time, user
  std::vector<Row> model;
  const std::vector<std::string> companies = {"Acme", "", std::string("\0\1", 2), "b\xFF"};
  for (int i = 0; i < 120; ++i) {
    Row row{companies[below(generator, companies.size())], static_cast<int>(below(generator, 600)) - 300,
            std::string(below(generator, 3), '\0')};
    if (std::ranges::find(model, row) != model.end()) continue;
    const auto& [company, time, user] = row;
    add(user, company, time);
    if (below(generator, 4) == 0) {
      mapper_.erase<LogEntry>({user, company, at(time)});
    } else {
      model.push_back(std::move(row));
    }
  }
  std::ranges::sort(model);
  for (int i = 0; i < 100; ++i) {
    const std::string& of = companies[below(generator, companies.size())];
    const int from = static_cast<int>(below(generator, 700)) - 350,
              to = from + static_cast<int>(below(generator, 300));
    std::vector<Row> expected, seen;
    for (const Row& row : model) {
      if (std::get<0>(row) == of && std::get<1>(row) >= from && std::get<1>(row) < to)
        expected.push_back(row);
    }
    Range<LogEntry> range = mapper_.range<LogEntry::ByCompany>(of, at(from), at(to));
    if (below(generator, 2) == 0) {
      std::ranges::reverse(expected);
      range = range.reverse();
    }
    const std::size_t limit = 1 + below(generator, 10);
    std::string cursor;
    do {
      const Page<LogEntry> page = range.limit(limit).after(cursor).page();
      for (const LogEntry& entry : page.rows)
        seen.emplace_back(entry.company(), static_cast<int>(entry.time().time_since_epoch().count()),
                          entry.user());
      cursor = page.cursor;
    } while (!cursor.empty());
    ASSERT_EQ(seen, expected);
  }
}

class RangeThreadsTest : public RangeTest {};
INSTANTIATE_TEST_SUITE_P(Stores, RangeThreadsTest, ::testing::ValuesIn(stores_for_threads()), store_name);

// Each moves one entry at a time to another instant: any state has the same number of them.
TEST_P(RangeThreadsTest, SeesEveryEntityOfOneState) {
  constexpr int kEntries = 10, kRounds = 200;
  for (int i = 0; i < kEntries; ++i) add(std::to_string(i), "Acme", i);
  std::atomic<bool> done{false};
  std::thread writer([&, generator = seeded_generator()]() mutable {
    std::vector<int> times(kEntries);
    for (int i = 0; i < kEntries; ++i) times[static_cast<std::size_t>(i)] = i;
    for (int round = 0; round < kRounds; ++round) {
      const std::size_t moved = below(generator, kEntries);
      const std::string user = std::to_string(moved);
      const int to = static_cast<int>(below(generator, 1000)) + 1000 * (round + 1);
      other_.transact([&](EntityTransaction& transaction) {
        transaction.erase<LogEntry>({user, "Acme", at(times[moved])});
        transaction.save(log_entry(user, "Acme", to));
      });
      times[moved] = to;
    }
    done = true;
  });
  while (!done) {
    std::vector<std::string> users;
    Time before = Time::min();
    for (const LogEntry& entry : acme()) {
      EXPECT_LE(before, entry.time());
      before = entry.time();
      users.push_back(entry.user());
    }
    std::ranges::sort(users);
    ASSERT_EQ(users.size(), static_cast<std::size_t>(kEntries));
    EXPECT_EQ(std::ranges::unique(users).begin(), users.end());
  }
  writer.join();
}

}  // namespace
}  // namespace autoshard::test
