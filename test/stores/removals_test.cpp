// Scans do not pass records that were removed long ago.

#include "removals.h"

#include <autoshard/autoshard.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "context.h"
#include "database.h"
#include "entity_expiry.h"
#include "expired_entities.h"
#include "film.h"
#include "flight.h"
#include "rocksdb_fixture.h"
#include "session.h"
#include "talk.h"

namespace autoshard::test {
namespace {

using airline::Flight;
using cinema::Film;
using conference::Talk;
using rocksdb_store::Database;
using rocksdb_store::Removals;
using rocksdb_store::slice;
using web::Visit;
using namespace std::chrono_literals;

/// So many tombstones a scan may pass once the store has tidied up.
constexpr std::uint64_t kFew = Removals::kWorthNoting;
constexpr int kMany = 3'000;

/// A store on a database whose counters the test reads.
class RemovalsTest : public RocksDbStoreTest {
 protected:
  RemovalsTest() {
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    open(kFast);
  }

  void open(const RocksDbOptions& options) {
    store_ = nullptr;
    auto database = std::make_unique<Database>(path_, options);
    database_ = database.get();
    store_ = rocksdb_store::make_store(std::move(database));
  }

  /// Keys that consist of a prefix and a number of five digits.
  static std::string key(std::string_view prefix, int number) {
    const std::string digits = std::to_string(number);
    return std::string(prefix) + std::string(5 - digits.size(), '0') + digits;
  }
  void put_many(std::string_view prefix) {
    const auto transaction = store_->begin();
    for (int i = 0; i < kMany; ++i) transaction->put(key(prefix, i), "");
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  void erase_many(std::string_view prefix, int from = 0, int step = 1) {
    const auto transaction = store_->begin();
    for (int i = from; i < kMany; i += step) transaction->erase(key(prefix, i));
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }
  void add_and_remove_many(std::string_view prefix) {
    put_many(prefix);
    erase_many(prefix);
  }
  /// The tombstones are in a file that has nothing else.
  void add_and_remove_in_file(std::string_view prefix) {
    ASSERT_TRUE(database_->db().Flush({}).ok());
    add_and_remove_many(prefix);
    ASSERT_TRUE(database_->db().Flush({}).ok());
  }

  /// How many tombstones there are between two keys, as an iterator that notes nothing passes them.
  std::uint64_t tombstones(std::string_view begin, std::string_view end) {
    return passed([&] {
      rocksdb::ReadOptions options;
      const rocksdb::Slice upper = slice(end);
      options.iterate_upper_bound = &upper;
      const std::unique_ptr<rocksdb::Iterator> iterator(database_->db().NewIterator(options));
      for (iterator->Seek(slice(begin)); iterator->Valid(); iterator->Next()) {
      }
    });
  }

  /// How many tombstones the scans of this thread pass meanwhile.
  static std::uint64_t passed(const std::function<void()>& scan) {
    const std::uint64_t& counter = rocksdb::get_perf_context()->internal_delete_skipped_count;
    const std::uint64_t before = counter;
    scan();
    return counter - before;
  }

  /// How many tombstones one scan passes after some more, each of which is given up on only once the store
  /// has nothing to do.
  std::uint64_t passed_at_last(const std::function<void()>& scan) {
    std::uint64_t last = 0;
    for (int scans = 0; scans < 2'000; ++scans) {
      last = passed(scan);
      if (last <= kFew) return last;
      database_->removals().wait();
    }
    return last;
  }

  void scan(std::string_view begin, std::string_view end) {
    for (const auto cursor = store_->scan(begin, end); cursor->valid(); cursor->next()) {
    }
  }
  /// Scans until these scans have passed so many tombstones that they are worth a compaction.
  void scan_enough(std::string_view begin, std::string_view end) {
    for (std::uint64_t sum = 0; sum < Removals::kWorthCompacting;) {
      const std::uint64_t some = passed([&] { scan(begin, end); });
      if (some == 0) return;
      sum += some;
    }
    database_->removals().wait();
  }

  Database* database_ = nullptr;
  std::unique_ptr<RocksDbStore> store_;
};

/// What removes many records, and then a read that comes upon them.
struct Removing {
  std::string name;
  std::function<void(Mapper&, detail::MapperContext&)> remove;
  std::function<void(Mapper&)> read;

  friend void PrintTo(const Removing& kind, std::ostream* out) { *out << kind.name; }
};

std::vector<std::string> codes() {
  std::vector<std::string> codes;
  for (int i = 0; i < kMany; ++i) codes.push_back(std::to_string(i));
  return codes;
}

const std::vector<Removing> kRemovings = {
    {"Compaction",
     [](Mapper& mapper, detail::MapperContext&) {
       mapper.save(Flight(1));
       for (int i = 0; i < kMany; ++i) mapper.apply<&Flight::like>(1);
       ASSERT_EQ(admin::compact<Flight>(mapper, 1), kMany);
     },
     [](Mapper& mapper) { ASSERT_EQ(mapper.load<Flight>(1).value().likes(), kMany); }},
    {"Erase",
     [](Mapper& mapper, detail::MapperContext&) {
       std::vector<Film> films;
       for (const std::string& code : codes()) films.emplace_back(code);
       mapper.save(films);
       ASSERT_EQ(mapper.erase<Film>(codes()), kMany);
     },
     [](Mapper& mapper) { ASSERT_EQ(mapper.query<Film>().count(), 0U); }},
    {"EraseOfOne",
     [](Mapper& mapper, detail::MapperContext&) {
       mapper.save(Flight(1));
       for (int i = 0; i < kMany; ++i) mapper.apply<&Flight::like>(1);
       ASSERT_TRUE(mapper.erase<Flight>(1));
       mapper.save(Flight(1));
     },
     [](Mapper& mapper) { ASSERT_EQ(mapper.load<Flight>(1).value().likes(), 0); }},
    {"Expiry",
     [](Mapper& mapper, detail::MapperContext& context) {
       std::vector<Visit> visits;
       for (int i = 0; i < kMany; ++i) visits.emplace_back(i).next_until = std::chrono::system_clock::now();
       mapper.save(visits);
       const auto now = detail::ask_clock(context.options);
       ASSERT_EQ(detail::remove_expired_entities(context, detail::entity_type<Visit>(), now, nullptr), kMany);
     },
     [](Mapper& mapper) { ASSERT_EQ(mapper.query<Visit>().count(), 0U); }},
    {"Refresh",
     [](Mapper& mapper, detail::MapperContext&) {
       std::vector<Talk> talks;
       for (int i = 0; i < kMany; ++i) talks.emplace_back(i).rate(i);
       mapper.save(talks);
       for (int i = 0; i < kMany; ++i) mapper.apply<&Talk::rate>(i, 1);
       ASSERT_EQ(admin::refresh_indexes<Talk>(mapper), kMany);
     },
     [](Mapper& mapper) {
       std::vector<int> best;
       for (const Talk& talk : mapper.query<Talk>().order_by(Fields<Talk>::score.desc()).limit(2))
         best.push_back(talk.number());
       ASSERT_EQ(best, (std::vector{kMany - 1, kMany - 2}));
     }},
};

class RemovalsOfMapperTest : public RemovalsTest, public ::testing::WithParamInterface<Removing> {};
INSTANTIATE_TEST_SUITE_P(All, RemovalsOfMapperTest, ::testing::ValuesIn(kRemovings),
                         [](const auto& kind) { return kind.param.name; });

TEST_P(RemovalsOfMapperTest, DoNotStayInTheWayOfReads) {
  const MapperOptions options{.combine = false, .compact_every = 0ms, .adaptive = {.window = 0ms}};
  Mapper mapper(*store_, options);
  detail::MapperContext context(*store_, options);
  GetParam().remove(mapper, context);
  ASSERT_FALSE(HasFatalFailure());
  const auto read = [&] { GetParam().read(mapper); };
  ASSERT_GE(passed(read), kMany);
  EXPECT_LE(passed_at_last(read), kFew);
}

/// Where reads and removals take turns, as they do in an application.
TEST_F(RemovalsTest, DoNotPileUp) {
  std::uint64_t most = 0;
  for (int round = 0; round < 30; ++round) {
    add_and_remove_many("b");
    const auto read = [&] { scan("b", "c"); };
    most = std::max(most, passed(read));
    ASSERT_LE(passed_at_last(read), kFew);
  }
  EXPECT_EQ(most, kMany);
}

TEST_F(RemovalsTest, AreTidiedUpInFilesAsWellAsInMemory) {
  for (const bool has_reader : {false, true}) {
    put_many("b");
    ASSERT_TRUE(database_->db().Flush({}).ok());
    erase_many("b");
    std::unique_ptr<Snapshot> reader;
    if (has_reader) reader = store_->snapshot();
    ASSERT_TRUE(database_->db().Flush({}).ok());
    EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U) << has_reader;
    EXPECT_EQ(tombstones("", "\xFF"), 0U);
  }
}

TEST_F(RemovalsTest, StayWhereASnapshotNeedsThem) {
  put_many("b");
  auto snapshot = store_->snapshot();
  erase_many("b");
  scan_enough("b", "c");
  EXPECT_EQ(tombstones("b", "c"), kMany);
  EXPECT_EQ(records(*store_, "b", "c").size(), 0U);
  int there = 0;
  for (const auto cursor = snapshot->scan("b", "c"); cursor->valid(); cursor->next()) ++there;
  EXPECT_EQ(there, kMany);
  snapshot = nullptr;
  EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U);
}

/// A scan that finds more records than it passes tombstones takes at most twice as long as it has to.
TEST_F(RemovalsTest, StayAmongMoreRecords) {
  put_many("b");
  put(*store_, "c", "");
  erase_many("b", 1, 2);
  for (std::uint64_t sum = 0; sum < 2 * Removals::kWorthCompacting; sum += kMany / 2) {
    scan("b", "d");
    database_->removals().wait();
  }
  EXPECT_EQ(tombstones("b", "d"), kMany / 2);
  erase_many("b", 0, kMany);  // one more
  EXPECT_EQ(passed_at_last([&] { scan("b", "d"); }), 0U);
}

TEST_F(RemovalsTest, OfFewRecordsStay) {
  put_many("b");
  erase_many("b", 0, kMany / static_cast<int>(kFew) + 1);
  const std::uint64_t removed = tombstones("b", "c");
  ASSERT_GT(removed, 0U);
  const auto read = [&] {
    const auto cursor = store_->scan("b", "c");
    ASSERT_TRUE(cursor->valid());
  };
  for (std::uint64_t sum = 0; sum < 2 * Removals::kWorthCompacting;
       sum += std::max<std::uint64_t>(1, passed(read)))
    database_->removals().wait();
  EXPECT_EQ(tombstones("b", "c"), removed);
}

/// From where the scan began to where it ended, and no further: the rest of an index may be large.
TEST_F(RemovalsTest, AreTidiedUpWhereTheScanWasOnly) {
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    for (const char* prefix : {"b", "f"}) add_and_remove_in_file(prefix);
    for (const char* there : {"c", "e"}) put(*store_, there, "");
    const bool is_forward = direction == Direction::kForward;
    const auto read_one = [&] {
      const auto snapshot = store_->snapshot();
      const auto cursor = snapshot->scan("b", "g", direction);
      ASSERT_TRUE(cursor->valid());
      ASSERT_EQ(cursor->key(), is_forward ? "c" : "e");
    };
    EXPECT_EQ(passed_at_last(read_one), 0U);
    EXPECT_EQ(tombstones("b", "g"), kMany);
    EXPECT_EQ(passed_at_last([&] { scan("b", "g"); }), 0U);
  }
}

TEST_F(RemovalsTest, AreFoundInEachOfSeveralRanges) {
  const auto scan_all = [&](std::vector<KeyRange> ranges, bool to_the_end) {
    return [this, ranges = std::move(ranges), to_the_end] {
      const auto snapshot = store_->snapshot();
      const auto cursor = snapshot->scan_all(ranges);
      while (to_the_end && cursor->valid()) cursor->next();
    };
  };
  for (const char* prefix : {"b", "d"}) add_and_remove_many(prefix);
  add_and_remove_in_file("f");
  put(*store_, "e", "");
  // The first range ends without a record. The cursor ends at the record of the second one.
  EXPECT_EQ(passed_at_last(scan_all({{"b", "bz"}, {"d", "e1"}}, false)), 0U);
  EXPECT_EQ(tombstones("b", "e"), 0U);
  EXPECT_EQ(tombstones("f", "g"), kMany);
  add_and_remove_in_file("h");
  put(*store_, "g", "");
  EXPECT_EQ(passed_at_last(scan_all({{"c1", "c2"}, {"f", "g1"}, {"h", "hz"}}, true)), 0U);
  EXPECT_EQ(tombstones("", "\xFF"), 0U);
}

/// RocksDB counts for each thread.
TEST_F(RemovalsTest, AreCountedForACursorThatChangesThreads) {
  add_and_remove_many("b");
  const auto read = [&] {
    std::unique_ptr<Cursor> cursor;
    std::thread([&] { cursor = store_->scan("b", "c"); }).join();
    ASSERT_FALSE(cursor->valid());
  };
  for (int scans = 0; scans < 10; ++scans) read();
  database_->removals().wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

TEST_F(RemovalsTest, OfPlacesThatOverlapAreCountedTogether) {
  add_and_remove_many("b");
  constexpr std::uint64_t kHalf = Removals::kWorthCompacting / 2;
  Removals& removals = database_->removals();
  removals.note("a", "az", kHalf);
  removals.note("bz", "c", kHalf);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), kMany) << "no two places overlap";
  removals.note("az", "bz", 0);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), 0U) << "the places between have become one";
}

TEST_F(RemovalsTest, AreForgottenWhereThePlacesAreTooMany) {
  add_and_remove_many("b");
  constexpr std::uint64_t kNearlyEnough = Removals::kWorthCompacting - 1;
  Removals& removals = database_->removals();
  removals.note("b", "c", kNearlyEnough);
  for (std::size_t i = 1; i < Removals::kMostPlaces; ++i) {
    const std::string place = key("x", static_cast<int>(i));
    removals.note(place, place, 1);
  }
  removals.note("y", "z", 1);
  removals.note("b", "c", kNearlyEnough);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), kMany);
  removals.note("b", "c", 1);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

TEST_F(RemovalsTest, StayOnADiskThatIsNearlyFull) {
  add_and_remove_many("b");
  open({.sync = false, .minimum_free_bytes = std::uint64_t{1} << 60});
  ASSERT_EQ(tombstones("b", "c"), kMany);
  scan_enough("b", "c");
  EXPECT_EQ(tombstones("b", "c"), kMany);
  open(kFast);
  EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U);
}

/// However far the compaction has come.
TEST_F(RemovalsTest, DoNotKeepTheStoreFromClosing) {
  for (int round = 0; round < 5; ++round) {
    add_and_remove_many("b");
    database_->removals().note("b", "c", 1'000 * Removals::kWorthCompacting);
    open(kFast);
    EXPECT_EQ(records(*store_).size(), 0U);
  }
}

}  // namespace
}  // namespace autoshard::test
