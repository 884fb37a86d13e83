// The log of RocksDB cannot be written or synced.

#include <autoshard/autoshard.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "database.h"
#include "disk/zeroed_logs.h"
#include "entities/forms/question.autoshard.h"
#include "rocksdb_fixture.h"

namespace autoshard::test {
namespace {

using moderator::Question;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;
using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

/// What goes wrong with the log.
struct Failure {
  enum class Step { kSync, kAppend, kHalfAnAppend };

  const char* name;
  Step step;
  IOStatus status;

  friend void PrintTo(const Failure& failure, std::ostream* out) { *out << failure.name; }
};

/// RocksDB takes these errors for curable, and resumes by itself.
IOStatus retryable(IOStatus status) {
  status.SetRetryable(true);
  return status;
}

std::vector<Failure> all_failures() {
  using Step = Failure::Step;
  return {{"Sync", Step::kSync, IOStatus::IOError("EIO")},
          {"RetryableSync", Step::kSync, retryable(IOStatus::IOError("EIO"))},
          {"SyncWithoutSpace", Step::kSync, retryable(IOStatus::NoSpace("ENOSPC"))},
          {"Append", Step::kAppend, IOStatus::IOError("EIO")},
          {"RetryableAppend", Step::kAppend, retryable(IOStatus::IOError("EIO"))},
          {"HalfAnAppend", Step::kHalfAnAppend, IOStatus::IOError("EIO")},
          {"AppendWithoutSpace", Step::kHalfAnAppend, retryable(IOStatus::NoSpace("ENOSPC"))}};
}

/// The file system of the machine, but for one step on a log that fails when it is told to.
class FailingFiles final : public rocksdb::FileSystemWrapper {
 public:
  FailingFiles() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "Failing"; }

  /// The next such step fails.
  void fail(const Failure& failure) {
    failure_ = failure;
    is_due_ = true;
  }
  void fail_no_more() { is_due_ = false; }
  /// Whether there is no space for files of records, from now on.
  void fill_tables(bool is_full) { tables_are_full_ = is_full; }

  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* debug) override {
    IOStatus status = target()->NewWritableFile(name, options, file, debug);
    if (status.ok() && name.ends_with(".log")) *file = std::make_unique<Log>(*this, std::move(*file));
    if (status.ok() && name.ends_with(".sst")) *file = std::make_unique<Table>(*this, std::move(*file));
    return status;
  }

 private:
  class Log final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    Log(FailingFiles& files, std::unique_ptr<rocksdb::FSWritableFile> file)
        : FSWritableFileOwnerWrapper(std::move(file)), files_(files) {}

    IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
      if (files_.fails(Failure::Step::kAppend)) return files_.failure_->status;
      if (!files_.fails(Failure::Step::kHalfAnAppend)) return target()->Append(data, options, debug);
      target()->Append(Slice(data.data(), data.size() / 2), options, debug).PermitUncheckedError();
      return files_.failure_->status;
    }
    IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                    IODebugContext* debug) override {
      return Append(data, options, debug);
    }
    IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
      return files_.fails(Failure::Step::kSync) ? files_.failure_->status : target()->Sync(options, debug);
    }
    IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
      return files_.fails(Failure::Step::kSync) ? files_.failure_->status : target()->Fsync(options, debug);
    }

   private:
    FailingFiles& files_;
  };

  class Table final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    Table(FailingFiles& files, std::unique_ptr<rocksdb::FSWritableFile> file)
        : FSWritableFileOwnerWrapper(std::move(file)), files_(files) {}

    IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
      return files_.tables_are_full_ ? IOStatus::NoSpace("ENOSPC") : target()->Append(data, options, debug);
    }
    IOStatus Append(const Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                    IODebugContext* debug) override {
      return Append(data, options, debug);
    }

   private:
    FailingFiles& files_;
  };

  bool fails(Failure::Step step) { return is_due_ && failure_->step == step && is_due_.exchange(false); }

  std::optional<Failure> failure_;
  std::atomic<bool> is_due_{false}, tables_are_full_{false};
};

class FailingLogTest : public RocksDbStoreTest {
 protected:
  std::unique_ptr<RocksDbStore> open() {
    return rocksdb_store::make_store(
        std::make_unique<rocksdb_store::Database>(path_, RocksDbOptions{.minimum_free_bytes = 0}, *env_));
  }
  CommitOutcome commit(Store& store, std::string_view key) {
    const auto transaction = store.begin();
    transaction->put(key, "1");
    return transaction->commit();
  }

  const std::shared_ptr<FailingFiles> files_ = std::make_shared<FailingFiles>();
  const std::unique_ptr<rocksdb::Env> env_ =
      rocksdb::NewCompositeEnv(rocksdb_store::with_zeroed_logs(files_));
};

class FailedLogTest : public FailingLogTest, public ::testing::WithParamInterface<Failure> {};
INSTANTIATE_TEST_SUITE_P(Failures, FailedLogTest, ::testing::ValuesIn(all_failures()),
                         [](const auto& failure) { return std::string(failure.param.name); });

TEST_P(FailedLogTest, TheStoreRefusesUntilItIsOpenedAgain) {
  for (const bool is_first : {true, false}) {
    SCOPED_TRACE(is_first ? "the first commit" : "a later commit");
    open();  // writes the format, so that the next one has nothing in memory
    auto store = open();
    if (!is_first) put(*store, "before", "1");
    const auto reading = store->begin(), writing = store->begin();
    std::string value;
    reading->get("b", value);
    writing->put("c", "3");
    files_->fail(GetParam());
    EXPECT_EQ(commit(*store, "b"), CommitOutcome::kUnknown);

    const auto refuses = ThrowsMessage<StoreUnavailable>(HasSubstr("opening the store again"));
    EXPECT_THAT([&] { store->begin()->get("b", value); }, refuses);
    EXPECT_THAT([&] { reading->get("b", value); }, refuses);
    EXPECT_THAT([&] { reading->commit(); }, refuses);
    EXPECT_THAT([&] { writing->commit(); }, refuses);
    EXPECT_THAT([&] { store->snapshot(); }, refuses);
    EXPECT_THAT([&] { store->scan("", "z"); }, refuses);
    for (int i = 0; i < 3; ++i) EXPECT_THAT([&] { commit(*store, "d"); }, refuses);
  }
}

TEST_P(FailedLogTest, WhatIsReadThenIsWhatStays) {
  for (int i = 0; i < 3; ++i) {
    {
      auto store = open();
      put(*store, "a", std::to_string(i));
      files_->fail(GetParam());
      EXPECT_EQ(commit(*store, "b" + std::to_string(i)), CommitOutcome::kUnknown);
    }
    const auto seen = records(*open());
    auto store = open();
    EXPECT_EQ(records(*store), seen);
    EXPECT_EQ(seen.front().second, std::to_string(i)) << "what was acknowledged before";
    put(*store, "after" + std::to_string(i), "4");
  }
}

TEST_P(FailedLogTest, LoadAndSeeIsNotContradictedByARestart) {
  bool is_there = false;
  {
    const auto store = open();
    Mapper mapper(*store);
    mapper.save(Question(1, "How?", "Phil R"));
    mapper.apply<&Question::voteUp>(1);
    files_->fail(GetParam());
    EXPECT_THROW(mapper.apply<&Question::voteUp>(1), OutcomeUnknown);
    EXPECT_THROW(mapper.load<Question>(1), StoreUnavailable);
    EXPECT_THROW(mapper.apply<&Question::voteUp>(1), StoreUnavailable);
  }
  {
    const auto store = open();
    is_there = Mapper(*store).load<Question>(1).value().votes() == 2;
  }
  const auto store = open();
  Mapper mapper(*store);
  mapper.apply<&Question::voteUp>(1);
  EXPECT_EQ(mapper.load<Question>(1).value().votes(), is_there ? 3 : 2);
}

TEST(LogFailureTest, TellsTheFirstErrorOfTheLog) {
  using rocksdb::BackgroundErrorReason;
  rocksdb_store::LogFailure failure;
  rocksdb::Status of_a_flush = IOStatus::IOError("flush"), first = IOStatus::IOError("first"),
                  later = IOStatus::IOError("later");
  failure.OnBackgroundError(BackgroundErrorReason::kFlush, &of_a_flush);
  EXPECT_NO_THROW(failure.check());
  failure.OnBackgroundError(BackgroundErrorReason::kMemTable, &first);
  failure.OnBackgroundError(BackgroundErrorReason::kWriteCallback, &later);
  EXPECT_THAT([&] { failure.check(); },
              ThrowsMessage<StoreUnavailable>(AllOf(HasSubstr("first"), Not(HasSubstr("later")))));
}

/// What failed is no write to the log: RocksDB goes on some seconds after there is space.
TEST_F(FailingLogTest, WritesGoOnOnceThereIsSpaceForFiles) {
  auto database =
      std::make_unique<rocksdb_store::Database>(path_, RocksDbOptions{.minimum_free_bytes = 0}, *env_);
  rocksdb::DB& db = database->db();
  const auto opened = rocksdb_store::make_store(std::move(database));
  RocksDbStore& store = *opened;
  put(store, "a", "1");
  files_->fill_tables(true);
  EXPECT_FALSE(db.Flush({}).ok());
  EXPECT_EQ(commit(store, "b"), CommitOutcome::kUnknown);
  EXPECT_THAT([&] { commit(store, "c"); },
              ThrowsMessage<StoreUnavailable>(HasSubstr("refuses writes since an earlier write failed")));
  EXPECT_EQ(records(store).size(), 1U);
  files_->fill_tables(false);
  const auto is_committed = [&] {
    try {
      return commit(store, "d") == CommitOutcome::kCommitted;
    } catch (const StoreUnavailable&) {
      return false;
    }
  };
  while (!is_committed()) std::this_thread::yield();
  EXPECT_EQ(commit(store, "e"), CommitOutcome::kCommitted);
  EXPECT_EQ(records(store).size(), 3U);
}

/// Several threads commit while a step fails at random. Nothing can be read after an outcome is unknown, and
/// each commit that was acknowledged is there after a restart.
TEST_F(FailingLogTest, RandomFailuresUnderThreads) {
  constexpr std::size_t kThreads = 4;
  std::mt19937_64 generator = seeded_generator();
  const std::vector<Failure> failures = all_failures();
  for (int round = 0; round < 20; ++round) {
    const Failure& failure = failures[below(generator, failures.size())];
    SCOPED_TRACE("round " + std::to_string(round) + ", " + failure.name);
    auto store = open();
    const std::size_t fails_after = below(generator, 40);
    std::atomic<std::size_t> commits{0};
    std::vector<std::vector<std::string>> acknowledged(kThreads);
    const auto run = [&](std::size_t thread) {
      for (int i = 0; i < 40; ++i) {
        if (commits++ == fails_after) files_->fail(failure);
        std::string key = std::to_string(round) + '/' + std::to_string(thread) + '/' + std::to_string(i);
        CommitOutcome outcome = CommitOutcome::kUnknown;
        try {
          outcome = commit(*store, key);
        } catch (const StoreUnavailable&) {
        }
        if (outcome == CommitOutcome::kCommitted) {
          acknowledged[thread].push_back(std::move(key));
        } else {
          EXPECT_THROW(records(*store), StoreUnavailable);
        }
      }
    };
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) threads.emplace_back(run, thread);
    for (std::thread& thread : threads) thread.join();
    files_->fail_no_more();
    store.reset();
    store = open();
    std::string value;
    for (const auto& keys : acknowledged) {
      for (const std::string& key : keys) EXPECT_TRUE(store->snapshot()->get(key, value)) << key;
    }
  }
}

}  // namespace
}  // namespace autoshard::test
