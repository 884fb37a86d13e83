#include <autoshard/errors.h>
#include <autoshard/rocksdb_view.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "database.h"
#include "disk/no_log.h"

namespace autoshard {
namespace {

using rocksdb_store::found;
using rocksdb_store::slice;

/// While the writing process goes on, RocksDB may look for a file that is gone, or meet a commit that is half
/// written. Another attempt then succeeds.
constexpr int kMostAttempts = 20;
constexpr std::chrono::milliseconds kPause{10};

/// The state of the files by which RocksDB finds all others: a file with records is removed only after an
/// edit of the MANIFEST.
std::string state_of_manifest(const std::filesystem::path& folder) {
  std::string name;
  std::ifstream current(folder / "CURRENT");
  std::getline(current, name);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(folder / name, error);
  return error ? std::string() : name + ' ' + std::to_string(size);
}

/// An empty folder for the files of a secondary instance, which disappears with the object.
class OwnFolder {
 public:
  OwnFolder() {
    std::string path = (std::filesystem::temp_directory_path() / "autoshard-view-XXXXXX").string();
    if (!mkdtemp(path.data()))
      throw StoreUnavailable("cannot make a temporary folder: " + path + ": set TMPDIR to a writable folder");
    path_ = path;
  }
  ~OwnFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

[[noreturn]] void throw_cannot_view(const std::filesystem::path& folder, const rocksdb::Status& status) {
  const std::string message = "the store in " + folder.string() + " cannot be read: " + status.ToString();
  if (status.IsCorruption()) throw CorruptRecord(message);
  throw StoreUnavailable(message);
}

class ViewCursor final : public Cursor {
 public:
  ViewCursor(rocksdb::DB& db, std::string_view begin, std::string_view end, Direction direction)
      : is_forward_(direction == Direction::kForward),
        begin_(begin),
        end_(end),
        begin_slice_(begin_),
        end_slice_(end_) {
    rocksdb::ReadOptions options;
    options.iterate_lower_bound = &begin_slice_;
    options.iterate_upper_bound = &end_slice_;
    iterator_.reset(db.NewIterator(options));
    if (is_forward_) {
      iterator_->Seek(begin_slice_);
    } else if (begin < end) {
      iterator_->SeekToLast();
    }
    look();
  }

  bool valid() const override { return valid_; }
  std::string_view key() const override { return iterator_->key().ToStringView(); }
  std::string_view value() const override { return iterator_->value().ToStringView(); }
  void next() override {
    is_forward_ ? iterator_->Next() : iterator_->Prev();
    look();
  }

 private:
  void look() {
    valid_ = iterator_->Valid();
    if (!valid_) found(iterator_->status());
  }

  const bool is_forward_;
  const std::string begin_, end_;
  const rocksdb::Slice begin_slice_, end_slice_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
  bool valid_ = false;
};

/// A secondary instance of the database, which shows the state at its opening. To catch up with the writing
/// process would not do: RocksDB takes the zeros behind the last record of a log, which `with_zeroed_logs`
/// has written, for read.
class SecondaryInstance {
 public:
  explicit SecondaryInstance(const std::filesystem::path& folder) {
    rocksdb::Options options;
    options.max_open_files = -1;  // so that files stay readable that the writing process removes
    options.info_log = std::make_shared<rocksdb_store::NoLog>();
    rocksdb::Status status;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      if (attempt > 0) std::this_thread::sleep_for(kPause);
      const std::string before = state_of_manifest(folder);
      rocksdb::DB* opened = nullptr;
      status = rocksdb::DB::OpenAsSecondary(options, folder.string(), own_folder_.path().string(), &opened);
      db_.reset(opened);
      if (status.ok() && !before.empty() && before == state_of_manifest(folder)) return;
      db_.reset();
    }
    if (!status.ok()) throw_cannot_view(folder, status);
    throw StoreUnavailable(
        "the store in " + folder.string() +
        " cannot be read, because another process changes its files all the time: try again");
  }

  rocksdb::DB& db() const { return *db_; }

 private:
  const OwnFolder own_folder_;
  std::unique_ptr<rocksdb::DB> db_;
};

class ViewSnapshot final : public Snapshot {
 public:
  explicit ViewSnapshot(const std::filesystem::path& folder) : instance_(folder) {
    if (!rocksdb_store::check_format(instance_.db(), folder))
      throw StoreUnavailable("the database in " + folder.string() + " is empty: no mapper has opened it yet");
  }

  bool get(std::string_view key, std::string& value) const override {
    return found(instance_.db().Get(rocksdb::ReadOptions(), slice(key), &value));
  }
  std::unique_ptr<Cursor> scan(std::string_view begin, std::string_view end,
                               Direction direction) const override {
    return std::make_unique<ViewCursor>(instance_.db(), begin, end, direction);
  }

 private:
  const SecondaryInstance instance_;
};

class RocksDbView final : public Store {
 public:
  explicit RocksDbView(std::filesystem::path folder) : folder_(std::move(folder)) {}

  StoreTraits traits() const override {
    return {.atomic_scope = StoreTraits::AtomicScope::kStore, .snapshot_reads = true};
  }
  std::unique_ptr<Transaction> begin() override {
    throw InvalidUse("the store in " + folder_.string() + " is open for reading only");
  }
  std::unique_ptr<Snapshot> snapshot() override { return std::make_unique<ViewSnapshot>(folder_); }

 private:
  const std::filesystem::path folder_;
};

}  // namespace

std::unique_ptr<Store> view_rocksdb(const std::filesystem::path& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder / "CURRENT", error))
    throw StoreUnavailable("there is no RocksDB database in " + folder.string() +
                           ": name the folder of a store");
  auto view = std::make_unique<RocksDbView>(std::filesystem::absolute(folder, error));
  static_cast<void>(view->snapshot());  // throws if the database cannot be read
  return view;
}

}  // namespace autoshard
