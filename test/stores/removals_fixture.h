#pragma once

#include <rocksdb/file_system.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/perf_level.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "database.h"
#include "removals.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {

using rocksdb_store::Database;
using rocksdb_store::Removals;
using rocksdb_store::slice;

/// So many tombstones a scan may pass once the store has tidied up.
inline constexpr std::uint64_t kFew = Removals::kWorthNoting;
inline constexpr int kMany = 3'000;

inline constexpr std::uint64_t kAllFree = std::uint64_t{1} << 50;

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

  /// Moves all records to this level. No compaction follows but those that a test asks for.
  void settle_in_level(int level) {
    rocksdb::CompactRangeOptions options;
    options.change_level = true;
    options.target_level = level;
    ASSERT_TRUE(database_->db().CompactRange(options, nullptr, nullptr).ok());
    ASSERT_TRUE(database_->db().SetOptions({{"disable_auto_compactions", "true"}}).ok());
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

}  // namespace autoshard::test
