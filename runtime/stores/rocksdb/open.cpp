#include <autoshard/codec.h>
#include <autoshard/errors.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <cstdarg>
#include <memory>
#include <string>
#include <system_error>

#include "database.h"

namespace autoshard {
namespace {

constexpr std::uint64_t kFormat = 1;
constexpr std::string_view kFormatKey("\0\0autoshard", 11);

/// Keeps RocksDB from beginning a log in a folder that is only looked at.
class NoLog final : public rocksdb::Logger {
 public:
  void Logv(const char*, std::va_list) override {}
};

rocksdb::Options rocksdb_options(const RocksDbOptions& options) {
  rocksdb::Options result;
  result.create_if_missing = true;
  result.write_buffer_size = options.write_buffer_bytes;
  result.keep_log_file_num = 4;
  // With `sync` every commit in the log was acknowledged: RocksDB's default would drop all behind a damaged
  // one, and say nothing. Without, a crash of the machine may well leave such a hole, which promises nothing
  // to anybody.
  result.wal_recovery_mode = options.sync ? rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords
                                          : rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(options.block_cache_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return result;
}

[[noreturn]] void throw_cannot_open(const std::filesystem::path& folder, const rocksdb::Status& status) {
  if (status.IsCorruption()) {
    throw CorruptRecord("the store in " + folder.string() +
                        " is damaged, restore it from a backup: " + status.ToString());
  }
  throw StoreUnavailable("cannot open the store in " + folder.string() + ": " + status.ToString());
}

/// RocksDB's own lock, so that nobody opens the database while it is looked at.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder) {
    const rocksdb::Status status = rocksdb::Env::Default()->LockFile((folder / "LOCK").string(), &lock_);
    if (status.ok()) return;
    const std::string message = status.ToString();
    if (message.find("hile lock file") == std::string::npos &&
        message.find("lock hold by current process") == std::string::npos) {
      throw_cannot_open(folder, status);
    }
    throw StoreUnavailable(
        "the store in " + folder.string() +
        " is open already, in another process or in this one: close it there, or share the store object");
  }
  ~FolderLock() { rocksdb::Env::Default()->UnlockFile(lock_).PermitUncheckedError(); }

  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  rocksdb::FileLock* lock_ = nullptr;
};

/// Whether the database is of this format; false if it is empty. Throws for any other.
bool check_format(rocksdb::DB& db, const std::filesystem::path& folder) {
  std::string record;
  if (!found(db.Get(rocksdb::ReadOptions(), slice(kFormatKey), &record))) {
    const std::unique_ptr<rocksdb::Iterator> any(db.NewIterator(rocksdb::ReadOptions()));
    any->SeekToFirst();
    if (!any->Valid() && found(any->status())) return false;
    throw StoreUnavailable("the database in " + folder.string() +
                           " is none of AutoShard's: choose another folder");
  }
  Decoder in(kFormatKey, record);
  const std::uint64_t format = in.natural();
  if (format == kFormat) return true;
  throw SchemaMismatch("the store in " + folder.string() + " has format " + std::to_string(format) +
                       ", and this is AutoShard for format " + std::to_string(kFormat) +
                       ": use a newer AutoShard");
}

/// Throws for a folder that RocksDB must not be let at. Changes nothing in it.
void check_folder(const std::filesystem::path& folder, const RocksDbOptions& options) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(folder, error);
  if (!std::filesystem::exists(status)) return;
  if (!std::filesystem::is_directory(status)) {
    throw StoreUnavailable("cannot open the store in " + folder.string() + ": that is not a folder");
  }
  if (!std::filesystem::exists(folder / "CURRENT", error)) {
    // RocksDB would begin a new database and remove the files of the old one.
    for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
      const std::filesystem::path extension = file.path().extension();
      if (extension == ".sst" || extension == ".log") {
        throw CorruptRecord("the store in " + folder.string() +
                            " is damaged, restore it from a backup: it has data, but no file CURRENT");
      }
    }
    return;
  }
  const FolderLock lock(folder);
  rocksdb::Options read_only = rocksdb_options(options);
  read_only.create_if_missing = false;
  read_only.info_log = std::make_shared<NoLog>();
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status_of_open = rocksdb::DB::OpenForReadOnly(read_only, folder.string(), &opened);
  if (!status_of_open.ok()) throw_cannot_open(folder, status_of_open);
  const std::unique_ptr<rocksdb::DB> db(opened);
  check_format(*db, folder);
}

}  // namespace

std::unique_ptr<rocksdb::DB> open_database(const std::filesystem::path& folder,
                                           const RocksDbOptions& options) {
  check_folder(folder, options);
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(rocksdb_options(options), folder.string(), &opened);
  if (!status.ok()) throw_cannot_open(folder, status);
  std::unique_ptr<rocksdb::DB> db(opened);
  // Once more, for another process may have come in between.
  if (!check_format(*db, folder)) {
    std::string record;
    Encoder(record).natural(kFormat);
    rocksdb::WriteOptions durably;
    durably.sync = true;
    const rocksdb::Status written = db->Put(durably, slice(kFormatKey), slice(record));
    if (!written.ok()) throw_cannot_open(folder, written);
  }
  return db;
}

}  // namespace autoshard
