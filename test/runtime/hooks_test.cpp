#include <autoshard/autoshard.h>
#include <autoshard/json.h>
#include <autoshard/memory_cache.h>

#include <chrono>
#include <cstddef>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "entities/expiry/session.autoshard.h"
#include "entities/expiry/visit.autoshard.h"
#include "support/faulty_store.h"
#include "support/test_store.h"

namespace autoshard::test {
namespace {

using namespace std::chrono_literals;
using web::Session;
using q = Fields<Session>;

class HooksTest : public StoreTest {
 protected:
  /// What is stored, past all hooks.
  int stored_saves(long number) { return stored_saves(mapper_, number); }
  static int stored_saves(const Mapper& mapper, long number) {
    for (const auto& [saves] : mapper.query<Session>(q::number == number).select(q::saves)) return saves;
    return -1;
  }

  /// Saves a session, and returns it as it was before another user changed it.
  Session stale_session(long number) {
    mapper_.save(Session(number, "bob"));
    Session stale = mapper_.load<Session>(number).value(), other = stale;
    other.user = "eve";
    mapper_.save(other);
    return stale;
  }

  FaultyStore faulty_{*store_};
  Mapper mapper_{faulty_, {.retry = {.initial_backoff = 1us}, .compact_every = 0ms}};
};

TEST_P(HooksTest, BeforeSaveRunsBeforeTheEntityIsEncoded) {
  Session session(1, "ann");
  mapper_.save(session);
  EXPECT_EQ(session.saves(), 1);
  EXPECT_EQ(stored_saves(1), 1);
  mapper_.save(session);
  EXPECT_EQ(session.saves(), 2);
  EXPECT_EQ(stored_saves(1), 2);
}

TEST_P(HooksTest, AnExportAndAnImportRunNone) {
  Session session(1, "ann"), cursed(2, "cursed");
  mapper_.save(session);
  mapper_.save(cursed);
  std::stringstream text;
  EXPECT_EQ(export_json<Session>(mapper_, text), 2U);
  MemoryStore another;
  Mapper importer(another);
  EXPECT_EQ(import_json<Session>(importer, text), 2U);
  EXPECT_EQ(stored_saves(importer, 1), 1);
  EXPECT_EQ(stored_saves(importer, 2), 1);
}

TEST_P(HooksTest, BeforeSaveRunsOnceHoweverOftenTheCommitIsAttempted) {
  faulty_.before_commit([](int nth) { return nth < 4 ? Fate::kConflicts : Fate::kCommits; });
  Session session(1);
  mapper_.save(session);
  EXPECT_EQ(session.saves(), 1);
  EXPECT_EQ(stored_saves(1), 1);
}

TEST_P(HooksTest, WhatBeforeSaveThrowsPassesThroughAndNothingIsWritten) {
  Session session(1);
  session.refuses = true;
  session.hit(3);
  EXPECT_THROW(mapper_.save(session), std::runtime_error);
  EXPECT_FALSE(mapper_.exists<Session>(1));
  session.refuses = false;
  mapper_.save(session);
  session.hit(4);
  session.refuses = true;
  EXPECT_THROW(mapper_.save(session), std::runtime_error);
  EXPECT_EQ(mapper_.load<Session>(1)->hits(), 3);
  session.refuses = false;
  mapper_.save(session);
  EXPECT_EQ(mapper_.load<Session>(1)->hits(), 7);
}

TEST_P(HooksTest, ATransactionSavesWhatBeforeSaveMakesOfACopy) {
  const Session session(1, "ann");
  mapper_.transact([&](EntityTransaction& transaction) { transaction.save(session); });
  EXPECT_EQ(session.saves(), 0);
  EXPECT_EQ(stored_saves(1), 1);
  mapper_.transact([](EntityTransaction& transaction) {
    auto loaded = transaction.load<Session>(1).value();
    EXPECT_EQ(loaded.loads(), 1);
    loaded.hit(2);
    transaction.save(loaded);
  });
  EXPECT_EQ(stored_saves(1), 2);
  EXPECT_EQ(mapper_.load<Session>(1)->hits(), 2);
  Session refusing(2);
  refusing.refuses = true;
  EXPECT_THROW(mapper_.transact([&](EntityTransaction& transaction) {
    transaction.save(Session(3));
    transaction.save(refusing);
  }),
               std::runtime_error);
  EXPECT_FALSE(mapper_.exists<Session>(2) || mapper_.exists<Session>(3));
}

// Each voter would meet the others otherwise, by what the hook sets alone.
TEST_P(HooksTest, WhatBeforeSaveSetsIsNoChangeBesideUpdates) {
  mapper_.save(Session(1, "ann"));
  Session one = mapper_.load<Session>(1).value(), other = mapper_.load<Session>(1).value();
  for (int round = 0; round < 3; ++round) {
    for (Session* session : {&one, &other}) {
      session->hit(1);
      mapper_.save(*session);
      EXPECT_EQ(session->saves(), 1) << "as it is stored";
    }
  }
  EXPECT_EQ(mapper_.load<Session>(1)->hits(), 6);
  EXPECT_EQ(stored_saves(1), 1);
  one.hit(1);
  one.user = "bob";  // a change
  mapper_.save(one);
  EXPECT_EQ(stored_saves(1), 2);
  EXPECT_EQ(mapper_.load<Session>(1)->hits(), 7);
  mapper_.save(one);  // no update
  EXPECT_EQ(stored_saves(1), 3);
  other.hit(1);
  EXPECT_THROW(mapper_.save(other), StaleEntity);
}

// The object can be saved again. That save conflicts with no vote of others.
TEST_P(HooksTest, WhatBeforeSaveSetsInASaveThatFailsIsTakenBack) {
  mapper_.save(Session(1, "ann"));
  Session session = mapper_.load<Session>(1).value();
  session.hit(1);
  faulty_.before_get([] { throw StoreUnavailable("the read fails"); });
  EXPECT_THROW(mapper_.save(session), StoreUnavailable);
  EXPECT_EQ(session.saves(), 1);
  std::vector<Session> sessions = {session, mapper_.load<Session>(1).value()};
  EXPECT_THROW(mapper_.save(sessions), BatchFailed);
  EXPECT_EQ(sessions.front().saves(), 1);
  sessions.back().refuses = true;
  EXPECT_THROW(mapper_.save(sessions), std::runtime_error);
  EXPECT_EQ(sessions.front().saves(), 1);
  faulty_.before_get(nullptr);
  mapper_.save(session);
  EXPECT_EQ(stored_saves(1), 1);
  EXPECT_EQ(mapper_.load<Session>(1)->hits(), 1);
}

TEST_P(HooksTest, WhatBeforeSaveSetsInACreationThatFailsIsTakenBack) {
  Session session(1, "ann");
  faulty_.before_get([] { throw StoreUnavailable("the read fails"); });
  EXPECT_THROW(mapper_.save(session), StoreUnavailable);
  EXPECT_EQ(session.saves(), 0);
  faulty_.before_get(nullptr);
  mapper_.save(session);
  EXPECT_EQ(stored_saves(1), 1);
}

TEST_P(HooksTest, OfABatchOnlyTheHooksOfFailedEntitiesAreTakenBack) {
  mapper_.save(Session(1, "ann"));
  Session ann = mapper_.load<Session>(1).value(), stale = stale_session(2);
  ann.user = "amy";
  stale.user = "rob";
  std::vector<Session*> both = {&ann, &stale};
  EXPECT_THROW(mapper_.save(both), BatchFailed);
  EXPECT_EQ(ann.saves(), 2);
  EXPECT_EQ(stored_saves(1), 2);
  EXPECT_EQ(stale.saves(), 1);
}

TEST_P(HooksTest, OfAnObjectThatIsTwiceInABatchAllHooksAreTakenBack) {
  mapper_.save(Session(1, "ann"));
  Session ann = mapper_.load<Session>(1).value(), stale = stale_session(2);
  ann.hit(1);
  stale.user = "rob";
  std::vector<Session*> all = {&ann, &ann, &stale};
  EXPECT_THROW(mapper_.save(all), BatchFailed);
  EXPECT_EQ(ann.saves(), 1);
  faulty_.before_get([] { throw StoreUnavailable("the read fails"); });
  EXPECT_THROW(mapper_.save(all), BatchFailed);
  EXPECT_EQ(ann.saves(), 1);
}

TEST_P(HooksTest, WhatBeforeSaveSetsStaysOnceTheMainRecordIsSaved) {
  mapper_.save(Session(1, "ann"));
  Session session = mapper_.load<Session>(1).value();
  session.user = "bob";
  session.hit(1);
  faulty_.before_commit([](int nth) { return nth == 1 ? Fate::kCommits : Fate::kUnknownLost; });
  EXPECT_THROW(mapper_.save(session), Error);
  EXPECT_EQ(session.saves(), 2);
  EXPECT_EQ(stored_saves(1), 2);
}

// Else a session that is used would end.
TEST_P(HooksTest, AnEndThatBeforeSaveMovesIsAChangeBesideUpdates) {
  using web::Visit;
  std::chrono::system_clock::time_point now(1'000'000s);
  Mapper mapper(*store_, {.compact_every = 0ms, .clock = [&] { return now; }});
  Visit visit(1, "ann");
  visit.next_until = now + 60min;
  mapper.save(visit);
  for (int use = 1; use <= 5; ++use) {
    now += 40min;
    visit = mapper.load<Visit>(1).value();
    visit.hit(1);
    visit.next_until = now + 60min;
    use % 2 == 0 ? mapper.save(std::vector{visit}) : mapper.save(visit);
    EXPECT_EQ(mapper.load<Visit>(1)->hits(), use);
    EXPECT_EQ(mapper.load<Visit>(1)->until, now + 60min);
  }
  now += 60min;
  EXPECT_FALSE(mapper.exists<Visit>(1));
}

TEST_P(HooksTest, NorInASaveOfSeveral) {
  for (const long number : {1, 2, 3}) mapper_.save(Session(number, "ann"));
  auto one = mapper_.load<Session>(std::vector{1L, 2L, 3L}), other = one;
  for (auto* sessions : {&one, &other}) {
    for (auto& session : *sessions) session->hit(1);
  }
  other[1]->user = "bob";
  mapper_.save(other);
  one[1].reset();
  mapper_.save(one);
  for (const long number : {1, 2, 3}) {
    EXPECT_EQ(mapper_.load<Session>(number)->hits(), number == 2 ? 1 : 2);
    EXPECT_EQ(stored_saves(number), number == 2 ? 2 : 1);
  }
}

TEST_P(HooksTest, RandomSavesMeetOnlyWhereMembersChanged) {
  struct Copy {
    Session session;
    int seen;  // changes of members until it was loaded
  };
  std::mt19937_64 generator = seeded_generator();
  mapper_.save(Session(1, "ann"));
  std::vector<Copy> copies;
  long hits = 0;
  int changes = 0;
  for (int step = 0; step < 400; ++step) {
    if (copies.size() < 4) copies.push_back({mapper_.load<Session>(1).value(), changes});
    const std::size_t place = below(generator, copies.size());
    auto& [session, seen] = copies[place];
    const bool updates = below(generator, 4) != 0, changes_member = below(generator, 6) == 0;
    if (updates) session.hit(1);
    if (changes_member) session.user = "user " + std::to_string(step);
    const bool is_stale = seen != changes;
    try {
      mapper_.save(session);
      ASSERT_FALSE(is_stale);
      hits += updates ? 1 : 0;
      if (changes_member || !updates) seen = ++changes;  // without an update the hook's is a change
    } catch (const StaleEntity&) {
      ASSERT_TRUE(is_stale) << "step " << step;
      copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(place));
    }
    const Session stored = mapper_.load<Session>(1).value();
    ASSERT_EQ(stored.hits(), hits);
    ASSERT_EQ(stored.saves(), changes + 1);
  }
}

TEST_P(HooksTest, AfterLoadRunsOnWhatALoadHasFilledIn) {
  mapper_.save(Session(1, "ann"));
  EXPECT_EQ(mapper_.load<Session>(1)->loads(), 1);
  EXPECT_FALSE(mapper_.load<Session>(2));
  mapper_.save(Session(3, "cursed"));
  EXPECT_THROW(mapper_.load<Session>(3), std::runtime_error);
}

TEST_P(HooksTest, AfterLoadRunsOnceOnACachedEntity) {
  mapper_.save(Session(1, "ann"));
  for (int read = 0; read < 3; ++read) EXPECT_EQ(mapper_.load<Session>(1, cached{1h})->loads(), 1);
  mapper_.save(Session(2, "cursed"));
  for (int read = 0; read < 2; ++read) EXPECT_THROW(mapper_.load<Session>(2, cached{1h}), std::runtime_error);
}

TEST_P(HooksTest, ASharedCacheHoldsWhatTheStoreDoes) {
  MemoryCache cache;
  Mapper one(*store_, {.cache = &cache}), other(*store_, {.cache = &cache});
  one.save(Session(1, "ann"));
  const cached how{1h, cached::where::shared};
  Mapper reader(*store_, {.cache = &cache});
  EXPECT_EQ(reader.load<Session>(1, how)->loads(), 1);
  EXPECT_EQ(other.load<Session>(1, how)->loads(), 1);
  EXPECT_EQ(other.load<Session>(1, how)->user, "ann");
}

TEST_P(HooksTest, AfterLoadRunsOnWholeRowsOfAQuery) {
  mapper_.save(Session(1, "ann"));
  mapper_.save(Session(2, "bob"));
  int rows = 0;
  for (const Session& session : mapper_.query<Session>(q::user == "ann")) {
    EXPECT_EQ(session.loads(), 1);
    ++rows;
  }
  for (const Session& session : mapper_.query<Session>().order_by(q::user.desc())) {
    EXPECT_EQ(session.loads(), 1);
    ++rows;
  }
  EXPECT_EQ(rows, 3);
  mapper_.save(Session(3, "cursed"));
  EXPECT_EQ(mapper_.query<Session>().count(), 3U);
  EXPECT_EQ(mapper_.query<Session>(q::user == "cursed").erase(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Stores, HooksTest, ::testing::ValuesIn(all_stores()), store_name);

}  // namespace
}  // namespace autoshard::test
