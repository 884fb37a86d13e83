#include <autoshard/rocksdb_store.h>
#include <rocksdb/iterator.h>
#include <rocksdb/snapshot.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "database.h"
#include "removals.h"

namespace autoshard::rocksdb_store {
namespace {

class RocksDbCursor final : public Cursor {
 public:
  /// Without a snapshot, the cursor shows the newest state.
  RocksDbCursor(Database& database, const rocksdb::Snapshot* snapshot, std::string_view begin,
                std::string_view end, Direction direction = Direction::kForward)
      : passed_(database.removals()),
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
    passed_.count([&] {
      if (direction == Direction::kForward) {
        iterator_->Seek(begin_slice_);
      } else if (begin < end) {
        iterator_->SeekToLast();
      }
    });
    look();
  }

  ~RocksDbCursor() override {
    const bool is_forward = direction_ == Direction::kForward;
    passed_.note(valid_ && !is_forward ? key_ : begin_, valid_ && is_forward ? key_ : end_);
  }

  bool valid() const override { return valid_; }
  std::string_view key() const override { return key_; }
  std::string_view value() const override { return iterator_->value().ToStringView(); }
  void next() override {
    passed_.count([&] { direction_ == Direction::kForward ? iterator_->Next() : iterator_->Prev(); });
    look();
  }

 private:
  void look() {
    valid_ = iterator_->Valid();
    if (valid_) {
      passed_.count_record();
      key_ = iterator_->key().ToStringView();
    } else {
      found(iterator_->status());
    }
  }

  PassedRemovals passed_;
  const Direction direction_;
  const std::string begin_, end_;
  const rocksdb::Slice begin_slice_, end_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  bool valid_ = false;
  std::string_view key_;  // of the current record
};

/// Reads all ranges with one iterator.
class RocksDbRangesCursor final : public Cursor {
 public:
  RocksDbRangesCursor(Database& database, const rocksdb::Snapshot* snapshot, std::vector<KeyRange> ranges)
      : passed_(database.removals()),
        ranges_(std::move(ranges)),
        end_slice_(ranges_.empty() ? rocksdb::Slice() : ranges_.back().end) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    options.iterate_upper_bound = &end_slice_;
    iterator_.reset(database.db().NewIterator(options));
    begin_range();
  }

  ~RocksDbRangesCursor() override {
    if (valid()) note_range();
  }

  bool valid() const override { return range_ < ranges_.size(); }
  std::string_view key() const override { return iterator_->key().ToStringView(); }
  std::string_view value() const override { return iterator_->value().ToStringView(); }
  void next() override {
    passed_.count([&] { iterator_->Next(); });
    if (!look()) {
      leave_range();
      begin_range();
    }
  }

 private:
  /// Goes to the first record of this range, or of a later one.
  void begin_range() {
    for (; range_ < ranges_.size(); leave_range()) {
      passed_.count([&] { iterator_->Seek(slice(ranges_[range_].begin)); });
      if (look()) return;
    }
  }

  void leave_range() {
    note_range();
    ++range_;
  }

  /// The iterator may have passed delete markers behind the range, before it found a record or the end.
  void note_range() {
    passed_.note(ranges_[range_].begin, iterator_->Valid() ? key() : std::string_view(ranges_.back().end));
  }

  /// Returns whether the iterator is at a record of the range.
  bool look() {
    if (!iterator_->Valid()) {
      found(iterator_->status());
      return false;
    }
    if (key() >= ranges_[range_].end) return false;
    passed_.count_record();
    return true;
  }

  PassedRemovals passed_;
  const std::vector<KeyRange> ranges_;
  const rocksdb::Slice end_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  std::size_t range_ = 0;
};

class RocksDbSnapshot final : public Snapshot {
 public:
  explicit RocksDbSnapshot(Database& database)
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
  Database& database_;
  const rocksdb::Snapshot* const snapshot_;
};

}  // namespace

std::unique_ptr<RocksDbStore> make_store(std::unique_ptr<Database> database) {
  return std::unique_ptr<RocksDbStore>(new RocksDbStore(std::move(database)));
}

Database& database_of(RocksDbStore& store) { return *store.database_; }

}  // namespace autoshard::rocksdb_store

namespace autoshard {
namespace {

/// Returns the path from the root: RocksDB opens files as long as the store lives, and the process may change
/// its working folder. Returns a path that has none, such as an empty one, as it is: it cannot be opened.
std::filesystem::path from_root(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(folder, error);
  return error ? folder : absolute;
}

}  // namespace

RocksDbStore::RocksDbStore(const std::filesystem::path& folder, const Options& options)
    : RocksDbStore(std::make_unique<rocksdb_store::Database>(from_root(folder), options)) {}

RocksDbStore::RocksDbStore(std::unique_ptr<rocksdb_store::Database> database)
    : database_(std::move(database)) {}

RocksDbStore::~RocksDbStore() = default;

StoreTraits RocksDbStore::traits() const {
  return {.atomic_scope = StoreTraits::AtomicScope::kStore,
          .durable_acknowledgement = database_->sync(),
          .snapshot_reads = true,
          .longest_key = rocksdb_store::kLongestKey,
          .largest_commit = database_->largest_commit()};
}

std::unique_ptr<Transaction> RocksDbStore::begin() { return rocksdb_store::begin_transaction(*database_); }

std::unique_ptr<Snapshot> RocksDbStore::snapshot() {
  database_->check_log();
  return std::make_unique<rocksdb_store::RocksDbSnapshot>(*database_);
}

/// An iterator shows one state without a snapshot. A snapshot would take the mutex of the database twice.
std::unique_ptr<Cursor> RocksDbStore::scan(std::string_view begin, std::string_view end) {
  database_->check_log();
  return std::make_unique<rocksdb_store::RocksDbCursor>(*database_, nullptr, begin, end);
}

}  // namespace autoshard
