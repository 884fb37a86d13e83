#include <autoshard/rocksdb_store.h>
#include <rocksdb/iterator.h>
#include <rocksdb/perf_context.h>
#include <rocksdb/snapshot.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "database.h"

namespace autoshard {
namespace {

/// Counts the removals that its thread goes past in its lifetime, which a walk has to, one by one.
class PassedRemovals {
 public:
  explicit PassedRemovals(RocksDbDatabase& database)
      : database_(database),
        context_(rocksdb::get_perf_context()),
        before_(context_->internal_delete_skipped_count) {}
  ~PassedRemovals() {
    if (context_ != rocksdb::get_perf_context()) return;  // another thread's: the cursor was passed on
    const std::uint64_t now = context_->internal_delete_skipped_count;
    if (now > before_ && now - before_ >= kMany) database_.flush_removals(kMany);
  }

  PassedRemovals(const PassedRemovals&) = delete;
  PassedRemovals& operator=(const PassedRemovals&) = delete;

 private:
  static constexpr std::uint64_t kMany = 256;  // a twentieth of a millisecond

  RocksDbDatabase& database_;
  const rocksdb::PerfContext* const context_;
  const std::uint64_t before_;
};

class RocksDbCursor final : public Cursor {
 public:
  /// Without a snapshot: of the state now.
  RocksDbCursor(RocksDbDatabase& database, const rocksdb::Snapshot* snapshot, std::string_view begin,
                std::string_view end, Direction direction = Direction::kForward)
      : removals_(database),
        direction_(direction),
        begin_(begin),
        end_(end),
        begin_slice_(begin_),
        end_slice_(end_) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    options.iterate_upper_bound = &end_slice_;
    if (direction == Direction::kBackward) options.iterate_lower_bound = &begin_slice_;
    iterator_.reset(database.db().NewIterator(options));
    if (direction == Direction::kForward) {
      iterator_->Seek(begin_slice_);
    } else if (begin < end) {
      iterator_->SeekToLast();
    }
    look();
  }

  bool valid() const override { return valid_; }
  std::string_view key() const override { return key_; }
  std::string_view value() const override { return iterator_->value().ToStringView(); }
  void next() override {
    direction_ == Direction::kForward ? iterator_->Next() : iterator_->Prev();
    look();
  }

 private:
  void look() {
    valid_ = iterator_->Valid();
    if (valid_) {
      key_ = iterator_->key().ToStringView();
    } else {
      found(iterator_->status());
    }
  }

  const PassedRemovals removals_;
  const Direction direction_;
  const std::string begin_, end_;
  const rocksdb::Slice begin_slice_, end_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  bool valid_ = false;
  std::string_view key_;  // of the record here
};

/// One iterator for all ranges.
class RocksDbRangesCursor final : public Cursor {
 public:
  RocksDbRangesCursor(RocksDbDatabase& database, const rocksdb::Snapshot* snapshot,
                      std::vector<KeyRange> ranges)
      : removals_(database),
        ranges_(std::move(ranges)),
        end_slice_(ranges_.empty() ? rocksdb::Slice() : ranges_.back().end) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    options.iterate_upper_bound = &end_slice_;
    iterator_.reset(database.db().NewIterator(options));
    begin_range();
  }

  bool valid() const override { return range_ < ranges_.size(); }
  std::string_view key() const override { return iterator_->key().ToStringView(); }
  std::string_view value() const override { return iterator_->value().ToStringView(); }
  void next() override {
    iterator_->Next();
    if (!look()) {
      ++range_;
      begin_range();
    }
  }

 private:
  /// Goes to the first record of this range, or of a later one.
  void begin_range() {
    for (; range_ < ranges_.size(); ++range_) {
      iterator_->Seek(slice(ranges_[range_].begin));
      if (look()) return;
    }
  }

  /// Whether it is at a record of the range.
  bool look() {
    if (iterator_->Valid()) return key() < ranges_[range_].end;
    found(iterator_->status());
    return false;
  }

  const PassedRemovals removals_;
  const std::vector<KeyRange> ranges_;
  const rocksdb::Slice end_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  std::size_t range_ = 0;
};

class RocksDbSnapshot final : public Snapshot {
 public:
  explicit RocksDbSnapshot(RocksDbDatabase& database)
      : database_(database), snapshot_(database.db().GetSnapshot()) {}
  ~RocksDbSnapshot() override { database_.db().ReleaseSnapshot(snapshot_); }

  bool get(std::string_view key, std::string& value) const override {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot_;
    return found(database_.db().Get(options, slice(key), &value));
  }

  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                               Direction direction) const override {
    return std::make_unique<RocksDbCursor>(database_, snapshot_, begin, end, direction);
  }

  std::unique_ptr<Cursor> scan_all(std::vector<KeyRange> ranges) const override {
    return std::make_unique<RocksDbRangesCursor>(database_, snapshot_, std::move(ranges));
  }

 private:
  RocksDbDatabase& database_;
  const rocksdb::Snapshot* const snapshot_;
};

}  // namespace

RocksDbStore::RocksDbStore(const std::filesystem::path& folder, const Options& options)
    : database_(std::make_unique<RocksDbDatabase>(folder, options)) {}

RocksDbStore::RocksDbStore(std::unique_ptr<RocksDbDatabase> database) : database_(std::move(database)) {}

RocksDbStore::~RocksDbStore() = default;

StoreTraits RocksDbStore::traits() const {
  return {.atomic_scope = StoreTraits::AtomicScope::kStore,
          .durable_acknowledgement = database_->sync(),
          .snapshot_reads = true,
          .longest_key = kLongestRocksDbKey,
          .largest_commit = database_->largest_commit()};
}

std::unique_ptr<Transaction> RocksDbStore::begin() { return begin_transaction(*database_); }

std::unique_ptr<Snapshot> RocksDbStore::snapshot() {
  database_->check_log();
  return std::make_unique<RocksDbSnapshot>(*database_);
}

/// An iterator shows one state by itself. A snapshot would take the mutex of the whole database, twice.
std::unique_ptr<Cursor> RocksDbStore::scan(std::string_view begin, std::string_view end) {
  database_->check_log();
  return std::make_unique<RocksDbCursor>(*database_, nullptr, begin, end);
}

/// RocksDB does so by itself only once its files are many; until then an iterator goes past each record that
/// was removed, and past its removal.
void RocksDbStore::reclaim(std::string_view begin, std::string_view end) {
  rocksdb::CompactRangeOptions options;
  options.exclusive_manual_compaction = false;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  const rocksdb::Slice first = slice(begin), last = slice(end);
  // What fails is left as it was; writes tell of a database that fails.
  database_->db().CompactRange(options, &first, &last).PermitUncheckedError();
}

}  // namespace autoshard
