#include <autoshard/codec.h>
#include <autoshard/errors.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "database.h"
#include "insert_hints.h"
#include "logs.h"
#include "no_log.h"
#include "torn_manifest.h"
#include "wal_tail.h"
#include "zeroed_logs.h"

namespace autoshard::rocksdb_store {
namespace {

using rocksdb::WALRecoveryMode;

constexpr std::uint64_t kFormat = 1;
constexpr std::string_view kFormatKey("\0\0autoshard", 11);
// The record is there while the logs may hold commits that were written without `sync`.
constexpr std::string_view kUnsyncedKey("\0\0unsynced", 10);

// Every commit in a log but the last one was acknowledged. So a damaged log is refused. RocksDB by default
// drops all commits from the damage on, and reports nothing.
constexpr WALRecoveryMode kKeepAll = WALRecoveryMode::kTolerateCorruptedTailRecords;
constexpr WALRecoveryMode kDropFromDamageOn = WALRecoveryMode::kPointInTimeRecovery;

rocksdb::Options rocksdb_options(const RocksDbOptions& options, rocksdb::Env& env, WALRecoveryMode recovery) {
  rocksdb::Options result = tuned_options(options);
  result.env = &env;
  result.create_if_missing = true;
  result.keep_log_file_num = 4;
  result.wal_recovery_mode = recovery;
  // RocksDB must not resume by itself. A write resumes it, once it is known that the log has not failed.
  result.max_bgerror_resume_count = 0;
  return result;
}

[[noreturn]] void throw_cannot_open(const std::filesystem::path& folder, const rocksdb::Status& status) {
  if (status.IsCorruption()) {
    throw CorruptRecord("the store in " + folder.string() +
                        " is damaged, restore it from a backup: " + status.ToString());
  }
  throw StoreUnavailable("the store in " + folder.string() + " cannot be opened: " + status.ToString());
}

/// Holds RocksDB's own lock, so that no process opens the database while it is inspected.
class FolderLock {
 public:
  FolderLock(rocksdb::Env& env, const std::filesystem::path& folder) : env_(env) {
    const rocksdb::Status status = env_.LockFile((folder / "LOCK").string(), &lock_);
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
  ~FolderLock() { env_.UnlockFile(lock_).PermitUncheckedError(); }

  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  rocksdb::Env& env_;
  rocksdb::FileLock* lock_ = nullptr;
};

}  // namespace

bool check_format(rocksdb::DB& db, const std::filesystem::path& folder) {
  std::string record;
  if (!found(db.Get(rocksdb::ReadOptions(), slice(kFormatKey), &record))) {
    const std::unique_ptr<rocksdb::Iterator> any(db.NewIterator(rocksdb::ReadOptions()));
    any->SeekToFirst();
    found(any->status());
    if (!any->Valid()) return false;
    throw StoreUnavailable("the database in " + folder.string() +
                           " was not made by AutoShard: choose another folder");
  }
  Decoder in(kFormatKey, record);
  const std::uint64_t format = in.natural();
  if (format == kFormat) return true;
  throw SchemaMismatch("the store in " + folder.string() + " has format " + std::to_string(format) +
                       ", and this version of AutoShard reads format " + std::to_string(kFormat) +
                       ": use a newer version");
}

namespace {

/// Returns whether the file is one of the numbered files that hold the records of RocksDB. An unfinished new
/// database has none.
bool has_records_of_rocksdb(const std::filesystem::path& file) {
  const std::string extension = file.extension().string(), name = file.stem().string();
  return (extension == ".sst" || extension == ".log") &&
         name.find_first_not_of("0123456789") == std::string::npos;
}

bool is_other_file_of_rocksdb(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name == "LOCK" || name == "LOG" || name == "IDENTITY" || name.starts_with("LOG.old.") ||
         name.starts_with("MANIFEST-") || name.starts_with("OPTIONS-") || name.ends_with(".dbtmp");
}

/// Throws if a folder without a file CURRENT is no place for a new database.
void check_new_folder(rocksdb::Env& env, const std::filesystem::path& folder) {
  std::vector<std::string> files;
  if (const rocksdb::Status status = env.GetChildren(folder.string(), &files); !status.ok())
    throw_cannot_open(folder, status);
  bool foreign = false;
  for (const std::filesystem::path file : files) {
    // RocksDB would begin a new database and remove the files of the old one.
    if (has_records_of_rocksdb(file)) {
      throw CorruptRecord("the store in " + folder.string() +
                          " is damaged, restore it from a backup: the file CURRENT is missing");
    }
    foreign = foreign || !is_other_file_of_rocksdb(file);
  }
  if (foreign) {
    throw StoreUnavailable("the folder " + folder.string() +
                           " is not empty and holds no store: choose another folder");
  }
}

/// Returns whether RocksDB has begun to make a database and not finished: no log and no sorted file was ever
/// there. RocksDB writes the first MANIFEST, then CURRENT. When it opens the database, it begins a log, and
/// then the second MANIFEST. A loss of power may leave CURRENT without the content of the first MANIFEST.
bool is_unfinished(rocksdb::Env& env, const std::filesystem::path& folder) {
  if (manifest_number(env, folder) != 1) return false;
  std::vector<std::string> files;
  if (const rocksdb::Status status = env.GetChildren(folder.string(), &files); !status.ok())
    throw_cannot_open(folder, status);
  return std::none_of(files.begin(), files.end(),
                      [](const std::filesystem::path file) { return has_records_of_rocksdb(file); });
}

/// Lets RocksDB make an unfinished database anew. Locks the folder: another process may be making it.
void remove_unfinished(rocksdb::Env& env, const std::filesystem::path& folder) {
  const FolderLock lock(env, folder);
  if (!is_unfinished(env, folder)) return;
  const rocksdb::Status removed = env.DeleteFile((folder / "CURRENT").string());
  if (!removed.ok()) throw_cannot_open(folder, removed);
}

/// Opens the database without changing anything in the folder. Returns null if the database is damaged, which
/// `status` describes.
std::unique_ptr<rocksdb::DB> look_at(rocksdb::Env& env, const std::filesystem::path& folder,
                                     const RocksDbOptions& options, WALRecoveryMode recovery,
                                     rocksdb::WalFilter* filter, rocksdb::Status& status) {
  rocksdb::Options read_only = rocksdb_options(options, env, recovery);
  read_only.create_if_missing = false;
  read_only.wal_filter = filter;
  read_only.info_log = std::make_shared<NoLog>();
  rocksdb::DB* opened = nullptr;
  status = rocksdb::DB::OpenForReadOnly(read_only, folder.string(), &opened);
  if (!status.ok() && !status.IsCorruption()) throw_cannot_open(folder, status);
  return std::unique_ptr<rocksdb::DB>(status.ok() ? opened : nullptr);
}

bool is_unsynced(rocksdb::DB& db) {
  std::string record;
  return found(db.Get(rocksdb::ReadOptions(), slice(kUnsyncedKey), &record));
}

/// Throws if the file system cannot tell.
bool exists(rocksdb::Env& env, const std::filesystem::path& path) {
  const rocksdb::Status status = env.FileExists(path.string());
  if (!status.ok() && !status.IsNotFound()) throw_cannot_open(path.parent_path(), status);
  return status.ok();
}

/// Returns how RocksDB has to read the logs. Throws if RocksDB must not open the folder. Changes nothing in
/// the folder.
WALRecoveryMode check_folder(rocksdb::Env& env, const std::filesystem::path& folder,
                             const RocksDbOptions& options) {
  if (!exists(env, folder)) return kKeepAll;
  bool is_folder = false;
  if (const rocksdb::Status status = env.IsDirectory(folder.string(), &is_folder); !status.ok())
    throw_cannot_open(folder, status);
  if (!is_folder) {
    throw StoreUnavailable("the store in " + folder.string() + " cannot be opened: the path is not a folder");
  }
  if (!exists(env, folder / "CURRENT")) {
    check_new_folder(env, folder);
    return kKeepAll;
  }
  const FolderLock lock(env, folder);
  WholeCommits whole_commits;
  rocksdb::Status status = whole_commits.read(env, folder), ignored;
  if (!status.ok()) throw_cannot_open(folder, status);
  if (const auto db = look_at(env, folder, options, kKeepAll, &whole_commits, status)) {
    check_format(*db, folder);
    if (is_unsynced(*db)) return kDropFromDamageOn;
    if (!whole_commits.lacks_commits()) return kKeepAll;
    throw_cannot_open(folder, rocksdb::Status::Corruption("a log lacks a part"));
  }
  // The records before the damage show whether the commits behind it were promised to last.
  const std::unique_ptr<rocksdb::DB> db =
      look_at(env, folder, options, kDropFromDamageOn, &whole_commits, ignored);
  if (!db) throw_cannot_open(folder, status);
  check_format(*db, folder);
  if (!is_unsynced(*db) && !only_last_write_is_torn(env, folder, whole_commits.first_log()))
    throw_cannot_open(folder, status);
  return kDropFromDamageOn;
}

/// Throws unless all files are there that the MANIFEST needs without its last edits. RocksDB checks the
/// sorted files, but not the logs. RocksDB removes a log only once an edit is synced that has the records of
/// the log in a sorted file. So all logs are there if the first one is. `whole`: see `with_whole_manifest`.
void check_without_last_edits(rocksdb::Env& whole, const std::filesystem::path& folder,
                              const RocksDbOptions& options) {
  const FolderLock lock(whole, folder);
  WholeCommits whole_commits;
  rocksdb::Status status;
  if (!look_at(whole, folder, options, kDropFromDamageOn, &whole_commits, status))
    throw_cannot_open(folder, status);
  Logs logs;
  if (status = find_logs(whole.GetFileSystem().get(), folder, logs); !status.ok())
    throw_cannot_open(folder, status);
  // When RocksDB opens a database, it begins a log and then a MANIFEST. The MANIFEST needs all logs that are
  // newer than the logs that were there before. After a flush, the MANIFEST names its first log.
  const std::uint64_t first = whole_commits.first_log(),
                      begun_at_opening = manifest_number(whole, folder) - 1;
  if (!logs.contains(first) && (begun_at_opening < first || !logs.contains(begun_at_opening))) {
    throw_cannot_open(folder, rocksdb::Status::Corruption("the MANIFEST lacks a part, and the folder a log"));
  }
}

/// Makes the folder of a new database, so that it survives a loss of power. RocksDB syncs the entries in the
/// folder, but not the entry of the folder.
void make_folder(rocksdb::Env& env, const std::filesystem::path& folder) {
  const std::filesystem::path parent = (folder / "").parent_path().parent_path();
  std::unique_ptr<rocksdb::Directory> directory;
  rocksdb::Status status = env.CreateDirIfMissing(folder.string());
  if (status.ok()) status = env.NewDirectory(parent.string(), &directory);
  if (status.ok()) status = directory->Fsync();
  if (!status.ok()) throw_cannot_open(folder, status);
}

void write_durably(rocksdb::DB& db, const std::filesystem::path& folder, rocksdb::WriteBatch& batch) {
  rocksdb::WriteOptions durably;
  durably.sync = true;
  const rocksdb::Status written = db.Write(durably, &batch);
  if (!written.ok()) throw_cannot_open(folder, written);
}

}  // namespace

rocksdb::Env& default_env(const RocksDbOptions& options) {
  static rocksdb::Env& env_for_sync =
      *rocksdb::NewCompositeEnv(with_zeroed_logs(rocksdb::FileSystem::Default())).release();
  static rocksdb::Env& env_without_sync =
      *rocksdb::NewCompositeEnv(with_logs_in_order(rocksdb::FileSystem::Default())).release();
  return options.sync ? env_for_sync : env_without_sync;
}

rocksdb::Options tuned_options(const RocksDbOptions& options) {
  rocksdb::Options result;
  result.env = &default_env(options);
  result.write_buffer_size = options.write_buffer_bytes;
  result.memtable_insert_with_hint_prefix_extractor = insert_hints(options.write_buffer_bytes);
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(options.block_cache_bytes);
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return result;
}

std::unique_ptr<rocksdb::DB> open_database(const std::filesystem::path& folder, const RocksDbOptions& options,
                                           rocksdb::Env& env,
                                           std::shared_ptr<rocksdb::EventListener> listener) {
  if (is_unfinished(env, folder)) remove_unfinished(env, folder);
  if (const std::unique_ptr<rocksdb::Env> whole = with_whole_manifest(env, folder)) {
    check_without_last_edits(*whole, folder, options);
    open_database(folder, options, *whole, nullptr).reset();  // makes RocksDB begin another MANIFEST
  }
  const WALRecoveryMode recovery = check_folder(env, folder, options);
  if (!exists(env, folder / "CURRENT")) make_folder(env, folder);
  rocksdb::Options opening = rocksdb_options(options, env, recovery);
  if (listener) opening.listeners.push_back(std::move(listener));
  WholeCommits whole_commits;  // RocksDB uses it only while it opens the database
  rocksdb::Status status;
  if (recovery == kDropFromDamageOn) {
    status = whole_commits.read(env, folder);
    opening.wal_filter = &whole_commits;
  }
  rocksdb::DB* opened = nullptr;
  if (status.ok()) status = rocksdb::DB::Open(opening, folder.string(), &opened);
  if (!status.ok()) throw_cannot_open(folder, status);
  std::unique_ptr<rocksdb::DB> db(opened);
  rocksdb::WriteBatch batch;
  // Checks again, because another process may have made the database meanwhile.
  if (!check_format(*db, folder)) {
    std::string record;
    Encoder(record).natural(kFormat);
    found(batch.Put(slice(kFormatKey), slice(record)));
  }
  // By now, RocksDB has moved the records of old logs to sorted files. So the next log holds only commits
  // from now on.
  if (options.sync && is_unsynced(*db)) found(batch.Delete(slice(kUnsyncedKey)));
  if (!options.sync && !is_unsynced(*db)) found(batch.Put(slice(kUnsyncedKey), "\xC0"));
  if (batch.Count() > 0) write_durably(*db, folder, batch);
  return db;
}

}  // namespace autoshard::rocksdb_store
