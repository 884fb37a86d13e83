// A store that an earlier release has written is read as that release read it, and goes on. The fixture has
// records of every kind; fixtures/write_fixture.cpp tells how it was made.

#include <autoshard/autoshard.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checked_keys.h"
#include "expired_records.h"
#include "expiring_record.h"
#include "fixtures/fixture_values.h"
#include "fixtures/stored.h"
#include "keys.h"
#include "lease.h"
#include "store_clock.h"
#include "support/index_fixture.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace fixture;
using namespace std::chrono_literals;
using detail::CheckedKey;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Lines stored_values() { return read_file("format-1.values.txt"); }

Lines without_elements(Lines lines) {
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("elements of "); });
  return lines;
}
Lines beginning_with(Lines lines, std::string_view beginning) {
  std::erase_if(lines, [&](const std::string& line) { return !line.starts_with(beginning); });
  return lines;
}

/// Shows only the lines that differ: there are many.
void expect_same(const Lines& found, const Lines& expected) {
  EXPECT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < std::min(found.size(), expected.size()); ++i) EXPECT_EQ(found[i], expected[i]);
}

class StoredFormatTest : public StoreTest {
 protected:
  /// Puts the records into the store. A store on disk is then closed and opened again.
  bool fill() {
    std::unique_ptr<Transaction> transaction = store_->begin();
    for (const auto& [key, value] : stored_records("format-1.txt")) transaction->put(key, value);
    const bool is_filled = transaction->commit() == CommitOutcome::kCommitted;
    transaction.reset();
    if (GetParam().name != "Memory") {
      store_.reset();
      store_ = GetParam().open(folder_.path());
    }
    return is_filled;
  }

  static MapperOptions options() {
    return {.choice = ShardChoice::kRandom, .compact_every = 0ms, .adaptive = {.window = 0ms}, .clock = [] {
              return kNow;
            }};
  }

  /// How many records of this kind there are.
  std::size_t count(CheckedKey::Kind kind) {
    std::size_t number = 0;
    const std::unique_ptr<Snapshot> snapshot = store_->snapshot();
    for (const auto cursor = snapshot->scan({"\0\1", 2}, "\xFF"); cursor->valid(); cursor->next())
      number += detail::parse_checked_key(cursor->key()).kind == kind ? 1 : 0;
    return number;
  }

  /// Compacts by the versions that know only the first names. A compaction by a later version would change
  /// what these versions read.
  void compact_all() {
    admin::compact<Stock>(mapper_);
    admin::compact<Specimen>(mapper_);
    admin::compact<Flight>(mapper_);
    admin::compact<OldBus>(mapper_);
    admin::compact<LogEntry>(mapper_);
    admin::compact<Talk>(mapper_);
    admin::compact<Film>(mapper_);
    admin::compact<IndexedFilm>(mapper_);
    admin::compact<Permit>(mapper_);
    admin::compact<Lock>(mapper_);
    admin::compact<FirstTally>(mapper_);
    for (const int id : kTopics) admin::compact<Topic>(mapper_, id);
    for (const int id : kTopicVersions) admin::compact<GroupedTopic>(mapper_, id);
  }

  /// Checks that a query with this condition uses the index.
  template <class E>
  void expect_found_by(std::string_view index, const Condition<E>& condition) {
    EXPECT_THAT(mapper_.query<E>(condition).explain(), HasSubstr("index " + std::string(index) + ":"));
  }

  const bool is_filled_ = fill();
  Mapper mapper_{*store_, options()};
};
INSTANTIATE_TEST_SUITE_P(Stores, StoredFormatTest, ::testing::ValuesIn(all_stores()), store_name);

TEST(StoredFormat, HasEveryKindOfRecord) {
  // All kinds that there were at that commit.
  const std::map<CheckedKey::Kind, std::string> names = {
      {CheckedKey::kMain, "main record"},
      {CheckedKey::kShard, "shard"},
      {CheckedKey::kDelta, "delta"},
      {CheckedKey::kElement, "element"},
      {CheckedKey::kMark, "mark"},
      {CheckedKey::kToken, "token"},
      {CheckedKey::kExpiry, "end of an entity"},
      {CheckedKey::kClock, "clock of the store"},
      {CheckedKey::kLease, "lease"},
      {CheckedKey::kGeneration, "generation"},
      {CheckedKey::kIndexState, "state of an index"},
      {CheckedKey::kIndexRecord, "record of an index"},
  };
  Lines comments;
  read_file("format-1.txt", &comments);
  const std::vector<Record> all = stored_records("format-1.txt");
  ASSERT_GT(comments.size(), all.size());
  std::set<int> kinds;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const CheckedKey::Kind kind = detail::parse_checked_key(all[i].key).kind;
    kinds.insert(kind);
    ASSERT_TRUE(names.contains(kind)) << detail::describe(all[i].key);
    EXPECT_EQ(comments[comments.size() - all.size() + i],
              "# " + names.at(kind) + ": " + detail::describe(all[i].key));
  }
  for (const auto& [kind, name] : names) EXPECT_TRUE(kinds.contains(kind)) << "there is no " << name;
}

TEST_P(StoredFormatTest, IsReadAsItWasWritten) {
  ASSERT_TRUE(is_filled_);
  expect_same(values(mapper_), stored_values());
}

TEST_P(StoredFormatTest, IndexesAreUsed) {
  using f = Fields<IndexedFilm>;
  using m = Fields<Member>;
  using t = Fields<Talk>;
  expect_found_by<Member>("name", m::name == "Ann");
  expect_found_by<Member>("email", m::email == "ann@x");
  expect_found_by<Member>("ByTeam", m::team == "red" && m::active == true);
  expect_found_by<IndexedFilm>("year", f::year == 1950);
  expect_found_by<IndexedFilm>("ByTitle", f::title == "V film");
  expect_found_by<IndexedFilm>("genre", f::genre == cinema::Genre::kComedy);
  expect_found_by<IndexedFilm>("viewers", f::viewers > 10);
  expect_found_by<IndexedFilm>("best", f::best > 1);
  expect_found_by<Talk>("room", t::room == "Aula");
  expect_found_by<Talk>("seats", t::seats > 10);
  expect_found_by<Talk>("likes", t::likes > 1);
  expect_found_by<Talk>("score", t::score > 10);
  expect_found_by<Talk>("best", t::best > "g");
  expect_found_by<Lock>("owner", Fields<Lock>::owner == "ann");
  expect_right_indexes<Member>(*store_->snapshot());
  expect_right_indexes<LogEntry>(*store_->snapshot());
  expect_right_indexes<Lock>(*store_->snapshot());
}

TEST_P(StoredFormatTest, IndexesAreBuiltAndRefreshed) {
  EXPECT_EQ(admin::build_indexes<Book>(mapper_), 5U);
  EXPECT_EQ(mapper_.range<library::ByAuthor<Book>>("Ann").count(), 3U);
  EXPECT_EQ(admin::build_indexes<IndexedTally>(mapper_), kTallies.size());
  EXPECT_GE(admin::refresh_indexes<Talk>(mapper_), 4U);
  EXPECT_EQ(admin::refresh_indexes<Talk>(mapper_), 0U);
  EXPECT_GE(admin::refresh_indexes<IndexedFilm>(mapper_), 2U);
  expect_right_indexes<Book>(*store_->snapshot());
  expect_same(values(mapper_), stored_values());
}

TEST_P(StoredFormatTest, TokensStillCountAsRepeated) {
  mapper_.apply<&Permit::use>("ann", token("order-7"), 100);
  mapper_.apply<&Permit::use>("bob", token("early"), 100);
  mapper_.apply<&Flight::like>(1, token(std::string("\0zero", 5)));
  mapper_.apply<&Topic::add_post>(1, token("post"), "not counted");
  expect_same(values(mapper_), stored_values());
  mapper_.apply<&Permit::use>("ann", token("order-8"), 100);
  EXPECT_EQ(mapper_.load<Permit>("ann").value().uses(), 106);
  EXPECT_EQ(detail::StoreClock::read(*store_->begin()), 45'000U);
}

TEST_P(StoredFormatTest, ErasedEntitiesStayErased) {
  EXPECT_FALSE(mapper_.exists<Flight>(kErasedFlight));
  EXPECT_THROW(mapper_.apply<&Flight::like>(kErasedFlight), NotFound);
  EXPECT_FALSE(mapper_.erase<Topic>(kErasedTopic)) << "which completes the erase";
  const detail::EntityKey topic = detail::entity_key("Topic", kErasedTopic);
  EXPECT_THAT(records(*store_, topic), IsEmpty());
  mapper_.save(Flight(kErasedFlight, 5));
  EXPECT_EQ(mapper_.load<Flight>(kErasedFlight).value().score(), 0) << "of the entity before";
  EXPECT_EQ(mapper_.load<Flight>(kErasedFlight).value().seats(), 5);
}

TEST_P(StoredFormatTest, CompactionChangesNoValue) {
  EXPECT_GT(count(CheckedKey::kDelta), 0U);
  compact_all();
  expect_same(without_elements(values(mapper_)), without_elements(stored_values()));
  const detail::EntityKey flight = detail::entity_key("Flight", kErasedFlight);
  EXPECT_THAT(records(*store_, flight), IsEmpty());

  admin::compact<NewBus>(mapper_);
  admin::compact<ThirdTally>(mapper_);
  for (const int id : kTopicVersions) admin::compact<RenamedTopic>(mapper_, id);
  const Lines after = values(mapper_);
  for (const char* of : {"bus:", "tally, by the third version:", "topic, by the version with other names:"})
    expect_same(beginning_with(after, of), beginning_with(stored_values(), of));
  EXPECT_EQ(count(CheckedKey::kDelta), 0U);
}

TEST_P(StoredFormatTest, UpdatesGoOn) {
  for (const bool is_compacted : {false, true}) {
    if (is_compacted) compact_all();
    for (int number = 1; number <= 8; ++number) {
      const Flight before = mapper_.load<Flight>(number).value();
      mapper_.apply<&Flight::book>(number, 2);
      mapper_.apply<&Flight::like>(number);
      mapper_.apply<&Flight::rate>(number, 3);
      mapper_.apply<&Flight::view>(number);
      const Flight after = mapper_.load<Flight>(number).value();
      EXPECT_EQ(after.seats(), before.seats() - 2) << number;
      EXPECT_EQ(after.likes(), before.likes() + 1) << number;
      EXPECT_EQ(after.score(), before.score() + 3) << number;
      EXPECT_EQ(after.views(), before.views() + 1) << number;
      EXPECT_THROW(mapper_.apply<&Flight::book>(number, 1'000), BoundExceeded);
      mapper_.apply<&Flight::reset_score>(number, number);
      EXPECT_EQ(mapper_.load<Flight>(number).value().score(), number);
    }
    for (int number = 1; number <= 3; ++number) {
      const int before = mapper_.load<NewBus>(number).value().free();
      mapper_.apply<&OldBus::take>(number, 1);
      mapper_.apply<&NewBus::take>(number, 1);
      EXPECT_EQ(mapper_.load<NewBus>(number).value().free(), before - 2) << number;
      EXPECT_EQ(mapper_.load<OldBus>(number).value().free(), before - 2) << number;
    }
    for (const int id : kTopics) {
      std::vector<std::string> texts = mapper_.load<Topic>(id).value().texts();
      mapper_.apply<&Topic::add_post>(id, "another");
      mapper_.apply<&Topic::rate>(id, "reader 0", 100);
      texts.emplace_back("another");
      const Topic after = mapper_.load<Topic>(id).value();
      EXPECT_THAT(after.texts(), ElementsAreArray(texts)) << id;
      EXPECT_EQ(after.stars().at("reader 0"), 100) << id;
    }
    for (const int id : kTopicVersions) {
      std::vector<std::string> posts = mapper_.load<RenamedTopic>(id).value().posts();
      mapper_.update<GroupedTopic>(id, [](auto& topic) { topic.add_post("by the version before"); });
      mapper_.update<RenamedTopic>(id, [](auto& topic) { topic.rate("reader 0", 100); });
      posts.emplace_back("by the version before");
      const RenamedTopic after = mapper_.load<RenamedTopic>(id).value();
      EXPECT_THAT(after.posts(), ElementsAreArray(posts)) << id;
      EXPECT_EQ(after.stars().at("reader 0"), 100) << id;
    }
    for (const int id : kTallies) {
      const ThirdTally before = mapper_.load<ThirdTally>(id).value();
      mapper_.update<FirstTally>(id, [](auto& tally) { tally.sell(1); });
      mapper_.update<SecondTally>(id, [](auto& tally) { tally.sell(1); });
      mapper_.update<ThirdTally>(id, [](auto& tally) { tally.vote(1), tally.view(1); });
      const ThirdTally after = mapper_.load<ThirdTally>(id).value();
      EXPECT_EQ(after.votes(), before.votes() + 1) << id;
      EXPECT_EQ(after.views(), before.views() + 1) << id;
      EXPECT_EQ(after.seats(), before.seats() - 2) << id;
    }
  }
}

TEST_P(StoredFormatTest, SavesGoOn) {
  Member member = mapper_.load<Member>(1).value();
  member.email = "ann@x";
  EXPECT_THROW(mapper_.save(member), NotUnique);
  member.email = "new@x";
  member.team = "green";
  mapper_.save(member);
  EXPECT_EQ(mapper_.range<Member::ByEmail>("new@x").count(), 1U);
  EXPECT_EQ(mapper_.range<Member::ByEmail>("bob@x").count(), 0U);
  EXPECT_TRUE(mapper_.erase<Member>(0));
  expect_right_indexes<Member>(*store_->snapshot());

  Talk talk = mapper_.load<Talk>(3).value();
  talk.room = "Attic";
  talk.rate(1'000);
  mapper_.save(talk);
  EXPECT_EQ(mapper_.query<Talk>(Fields<Talk>::room == "Attic").count(), 1U);
  EXPECT_EQ((*mapper_.query<Talk>().order_by(Fields<Talk>::score.desc()).begin()).number(), 3);

  OldLock old = mapper_.load<OldLock>(1).value();
  old.owner = "zoe";
  mapper_.save(old);
  EXPECT_EQ(mapper_.load<Lock>(1).value().until, kNow + 1h) << "which the old version does not know";

  PlainTally plain = mapper_.load<PlainTally>(1).value();
  plain.votes += 10;
  mapper_.save(plain);
  EXPECT_EQ(mapper_.load<ThirdTally>(1).value().votes(), 15);
  plain = mapper_.load<PlainTally>(2).value();
  plain.seats = 99;
  EXPECT_THROW(mapper_.save(plain), SchemaMismatch) << "its value lies in shards by now";
}

TEST_P(StoredFormatTest, EntitiesExpire) {
  const auto permits = [&](std::chrono::system_clock::time_point now) {
    MapperOptions later = options();
    later.clock = [now] { return now; };
    return Mapper(*store_, later).query<Permit>().count();
  };
  EXPECT_EQ(permits(kNow - 2h), 4U);
  EXPECT_EQ(permits(kNow), 3U);
  EXPECT_EQ(permits(kNow + 1h), 2U);
  EXPECT_EQ(permits(kNow + 2h), 1U);
  // Topics of two classes have one kind, so no class can compact all of them.
  const std::unique_ptr<Transaction> transaction = store_->begin();
  const std::string topics = detail::kind_key("Topic");
  for (const auto& [key, value] : records(*store_, topics)) transaction->erase(key);
  ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  MapperOptions last = options();
  last.clock = [] { return kNow + 24h * 365; };
  Mapper later(*store_, last);
  EXPECT_GT(admin::compact(later), 0U);
  EXPECT_EQ(count(CheckedKey::kExpiry), 0U);
  EXPECT_EQ(permits(kNow - 2h), 1U);
}

/// A lease and a mark whose holders are gone.
TEST_P(StoredFormatTest, LeasesAndMarksAreTakenOver) {
  detail::platform::Clock::time_point now{};
  detail::Lease lease(*store_, "compaction", 10s, [&] { return now; });
  EXPECT_FALSE(lease.take());
  now += 10s;
  EXPECT_TRUE(lease.take());

  EXPECT_EQ(count(CheckedKey::kMark), 1U);
  detail::StoreClock clock(*store_);
  detail::SeenMarks marks([&] { return now; });
  const detail::Now day_after = {detail::expires_after(24h, {(kNow + 1min).time_since_epoch() / 1ms})};
  for (int look = 0; look < 2; ++look, now += detail::SeenMarks::kWhile) {
    EXPECT_EQ(count(CheckedKey::kMark), 1U) << look;
    detail::ExpiredRecords expired(*store_, clock, marks, day_after);
    while (expired.remove_some()) {
    }
  }
  EXPECT_EQ(count(CheckedKey::kMark), 0U);
}

}  // namespace
}  // namespace autoshard::test
