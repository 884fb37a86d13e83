// Scans do not pass records that were removed long ago.

#include "removals.h"

#include <autoshard/autoshard.h>
#include <pthread.h>
#include <rocksdb/file_system.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <system_error>
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

constexpr std::uint64_t kAllFree = std::uint64_t{1} << 50;

/// The file system of the machine. The test says how much space is free, and when sorted files are begun.
class ControlledFiles final : public rocksdb::FileSystemWrapper {
 public:
  ControlledFiles() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "Controlled"; }

  void set_free_space(std::uint64_t bytes) { free_space_ = bytes; }

  /// From now on, a thread that begins a sorted file waits for `go_on`.
  void hold() {
    const std::lock_guard lock(mutex_);
    is_held_ = true;
  }
  void wait_until_held() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_waiting_; });
  }
  void go_on() {
    const std::lock_guard lock(mutex_);
    is_held_ = false;
    changed_.notify_all();
  }

  rocksdb::IOStatus GetFreeSpace(const std::string&, const rocksdb::IOOptions&, std::uint64_t* bytes,
                                 rocksdb::IODebugContext*) override {
    *bytes = free_space_;
    return rocksdb::IOStatus::OK();
  }
  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    if (name.ends_with(".sst")) {
      std::unique_lock lock(mutex_);
      is_waiting_ = is_held_;
      changed_.notify_all();
      changed_.wait(lock, [&] { return !is_held_; });
      is_waiting_ = false;
    }
    return target()->NewWritableFile(name, options, file, debug);
  }

 private:
  std::atomic<std::uint64_t> free_space_{kAllFree};
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_held_ = false, is_waiting_ = false;
};

/// A store on a database whose counters the test reads.
class RemovalsTest : public RocksDbStoreTest {
 protected:
  RemovalsTest() {
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kEnableCount);
    open(kFast);
  }

  void open(const RocksDbOptions& options) {
    store_ = nullptr;
    auto database = std::make_unique<Database>(path_, options, *env_);
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

  std::set<std::string> sorted_files() {
    std::vector<rocksdb::LiveFileMetaData> files;
    database_->db().GetLiveFilesMetaData(&files);
    std::set<std::string> names;
    for (const auto& file : files) names.insert(file.name);
    return names;
  }

  const std::shared_ptr<ControlledFiles> files_ = std::make_shared<ControlledFiles>();
  const std::unique_ptr<rocksdb::Env> env_ = rocksdb::NewCompositeEnv(files_);
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

/// Each compaction that drops nothing doubles the number of tombstones that the next one needs.
TEST_F(RemovalsTest, AreSeldomTriedWhereASnapshotNeedsThem) {
  put_many("b");
  auto snapshot = store_->snapshot();
  erase_many("b");
  Removals& removals = database_->removals();
  std::vector<int> compactions;  // when they were
  for (int i = 1; i <= 70; ++i) {
    const auto before = sorted_files();
    removals.note("b", "c", Removals::kWorthCompacting);
    removals.wait();
    if (sorted_files() != before) compactions.push_back(i);
  }
  EXPECT_EQ(compactions, (std::vector{1, 2, 4, 8, 16, 32, 64}));
  EXPECT_EQ(tombstones("b", "c"), kMany);

  // Another snapshot does not pay for it.
  snapshot = nullptr;
  put(*store_, "a", "");
  snapshot = store_->snapshot();
  removals.note("b", "c", 64 * Removals::kWorthCompacting);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
  add_and_remove_many("b");
  put(*store_, "a", "");
  snapshot = store_->snapshot();
  removals.note("b", "c", Removals::kWorthCompacting);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

/// So that the place of a compaction does not grow with each one.
TEST_F(RemovalsTest, OfACompactedPlaceAreNotLookedForAgain) {
  put(*store_, "a", "");
  const auto snapshot = store_->snapshot();
  add_and_remove_in_file("b");
  Removals& removals = database_->removals();
  removals.note("b", "c", Removals::kWorthCompacting);
  removals.wait();
  ASSERT_EQ(tombstones("b", "c"), 0U);
  add_and_remove_in_file("b");
  add_and_remove_in_file("d");
  removals.note("c", "e", Removals::kWorthCompacting);
  removals.wait();
  EXPECT_EQ(tombstones("d", "e"), 0U);
  EXPECT_EQ(tombstones("b", "c"), kMany);
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
  removals.note("az", "bz", 1);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), 0U) << "the places between have become one";
}

/// The places with the most tombstones are remembered.
TEST_F(RemovalsTest, AreForgottenWhereThePlacesAreTooMany) {
  constexpr std::uint64_t kNearlyEnough = Removals::kWorthCompacting - 1;
  Removals& removals = database_->removals();
  for (const char* place : {"b", "w", "z"}) add_and_remove_in_file(place);
  removals.note("b", "bz", kNearlyEnough);
  removals.note("w", "wz", 1);
  for (std::size_t i = 2; i < Removals::kMostPlaces; ++i) {
    const std::string place = key("x", static_cast<int>(i));
    removals.note(place, place, 2);
  }
  removals.note("z", "zz", kNearlyEnough);
  for (const char* place : {"b", "w", "z"}) {
    const std::uint64_t missing = place == std::string("w") ? kNearlyEnough : 1;
    removals.note(place, place + std::string("z"), missing);
    removals.wait();
    EXPECT_EQ(tombstones(place, place + std::string("z")), missing == 1 ? 0U : kMany) << place;
  }
}

/// There are too many places before one is worth a compaction, and none has more tombstones than the others.
TEST_F(RemovalsTest, AreTidiedUpWhereScansVisitManyPlacesInTurn) {
  add_and_remove_many("b");
  Removals& removals = database_->removals();
  for (int round = 0; round < 4; ++round) {
    for (int i = 0; i < 5'000; ++i) {
      const std::string place = key("b", i);
      removals.note(place, place, Removals::kWorthCompacting / 2 + 1);
      removals.wait();
    }
  }
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

/// There are files that are expensive to compact.
class RemovalsBesideLargeFilesTest : public RemovalsTest {
 protected:
  static constexpr std::uint64_t kLarge = 16 << 20;
  static constexpr std::uint64_t kWorth = kLarge / Removals::kBytesForOne;
  static constexpr std::uint64_t kMore = 4 << 20;  // enough for all small files, and for what is in memory

  void put_in_large_file(std::string_view first, std::string_view last, int level) {
    std::mt19937_64 generator(1);
    std::string value(kLarge / 2, ' ');
    for (char& byte : value) byte = static_cast<char>(generator());
    put(*store_, first, value);
    put(*store_, last, value);
    rocksdb::CompactRangeOptions options;
    options.change_level = true;
    options.target_level = level;
    ASSERT_TRUE(database_->db().CompactRange(options, nullptr, nullptr).ok());
    ASSERT_TRUE(database_->db().SetOptions({{"disable_auto_compactions", "true"}}).ok());
  }

  void note(std::string_view begin, std::string_view end, std::uint64_t passed) {
    database_->removals().note(begin, end, passed);
    database_->removals().wait();
  }
};

TEST_F(RemovalsBesideLargeFilesTest, StayWhereTheFilesHaveNoRoom) {
  put_in_large_file("a", "d", 2);
  add_and_remove_in_file("b");
  for (const std::uint64_t free_space : {kLarge / 2, kLarge - 1}) {
    files_->set_free_space(free_space);
    note("b", "c", 2 * kWorth);
    EXPECT_EQ(tombstones("b", "c"), kMany);
  }
  files_->set_free_space(kLarge + kMore);
  note("b", "c", 2 * kWorth);
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

/// RocksDB merges all that is in memory or in level 0 with all files of level 1 that it overlaps.
TEST_F(RemovalsBesideLargeFilesTest, StayWhereTheFilesBesideThePlaceHaveNoRoom) {
  for (const bool is_in_file : {false, true}) {
    SCOPED_TRACE(is_in_file);
    store_ = nullptr;
    std::filesystem::remove_all(path_);
    files_->set_free_space(kAllFree);
    open(kFast);
    put_in_large_file("d", "e", 1);
    for (const char* key : {"a", "f"}) put(*store_, key, "");
    add_and_remove_many("b");
    if (is_in_file) {
      ASSERT_TRUE(database_->db().Flush({}).ok());
    }
    files_->set_free_space(kLarge - 1);
    note("b", "c", 2 * kWorth);
    EXPECT_EQ(tombstones("b", "c"), kMany);
    files_->set_free_space(kLarge + kMore);
    note("b", "c", 2 * kWorth);
    EXPECT_EQ(tombstones("b", "c"), 0U);
  }
}

/// The file of the last level has no record in the place. RocksDB keeps the tombstones as long as the file
/// may have one.
TEST_F(RemovalsTest, AreTidiedUpAboveAFileThatSpansThem) {
  for (const char* key : {"a", "d"}) put(*store_, key, "");
  rocksdb::CompactRangeOptions options;
  options.change_level = true;
  options.target_level = 3;
  ASSERT_TRUE(database_->db().CompactRange(options, nullptr, nullptr).ok());
  ASSERT_TRUE(database_->db().SetOptions({{"disable_auto_compactions", "true"}}).ok());
  for (const bool is_in_file : {false, true}) {
    if (is_in_file) {
      add_and_remove_in_file("b");
    } else {
      add_and_remove_many("b");
    }
    EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U) << is_in_file;
  }
}

TEST_F(RemovalsBesideLargeFilesTest, AreTidiedUpOnceTheyAreWorthIt) {
  put_in_large_file("a", "d", 2);
  add_and_remove_in_file("b");
  add_and_remove_in_file("f");
  for (int quarter = 1; quarter < 4; ++quarter) {
    note("b", "c", kWorth / 4);
    EXPECT_EQ(tombstones("b", "c"), kMany) << quarter;
  }
  note("f", "g", Removals::kWorthCompacting);
  EXPECT_EQ(tombstones("f", "g"), 0U) << "no large file overlaps this place";
  note("b", "c", kWorth / 2);
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

TEST_F(RemovalsTest, StayOnADiskThatIsNearlyFull) {
  add_and_remove_many("b");
  files_->set_free_space(0);
  scan_enough("b", "c");
  EXPECT_EQ(tombstones("b", "c"), kMany);
  files_->set_free_space(kAllFree);
  EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U);
}

/// Nobody waits for a thread that could not be started. A later cursor starts it.
TEST_F(RemovalsTest, StayWhereThereIsNoThread) {
  add_and_remove_many("b");
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_getattr_default_np(&attributes), 0);
  std::size_t stack = 0;
  ASSERT_EQ(pthread_attr_getstacksize(&attributes, &stack), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, std::size_t{1} << 50), 0);
  ASSERT_EQ(pthread_setattr_default_np(&attributes), 0);
  EXPECT_THROW(database_->removals().note("b", "c", Removals::kWorthCompacting), std::system_error);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, stack), 0);
  ASSERT_EQ(pthread_setattr_default_np(&attributes), 0);
  pthread_attr_destroy(&attributes);
  database_->removals().wait();
  EXPECT_EQ(tombstones("b", "c"), kMany);
  scan("b", "c");
  database_->removals().wait();
  EXPECT_EQ(tombstones("b", "c"), 0U);
}

TEST_F(RemovalsTest, DoNotKeepTheStoreFromClosing) {
  put(*store_, "a", "");
  add_and_remove_many("b");
  ASSERT_TRUE(database_->db().Flush({}).ok());
  Removals& removals = database_->removals();
  files_->hold();
  removals.note("b", "c", Removals::kWorthCompacting);
  files_->wait_until_held();
  removals.cancel();  // which is how a store begins to close
  files_->go_on();
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), kMany);
  removals.note("b", "c", Removals::kWorthCompacting);
  removals.wait();
  EXPECT_EQ(tombstones("b", "c"), kMany) << "no other compaction follows";
  open(kFast);
  EXPECT_EQ(passed_at_last([&] { scan("b", "c"); }), 0U);
}

}  // namespace
}  // namespace autoshard::test
