#include <autoshard/errors.h>
#include <autoshard/rocksdb_backup.h>
#include <rocksdb/env.h>
#include <rocksdb/utilities/backup_engine.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "database.h"
#include "disk/no_log.h"

namespace autoshard {
namespace {

constexpr std::uint64_t kProgressStep = std::uint64_t{4} << 20;

void check(const rocksdb::Status& status, const std::string& doing) {
  if (status.ok()) return;
  const std::string message = doing + ": " + status.ToString();
  if (status.IsCorruption()) throw CorruptRecord(message);
  throw StoreUnavailable(message);
}

RocksDbBackup described(const rocksdb::BackupInfo& info) {
  return {.id = info.backup_id, .time = info.timestamp, .bytes = info.size};
}

/// The options of all engines. A backup has no logs of RocksDB: all is in sorted files when it is made.
rocksdb::BackupEngineOptions options(const std::filesystem::path& folder, rocksdb::Logger& no_log) {
  rocksdb::BackupEngineOptions options(folder.string());
  options.backup_log_files = false;
  options.info_log = &no_log;
  options.callback_trigger_interval_size = kProgressStep;
  return options;
}

/// The backups in a folder, for reading.
class Backups {
 public:
  explicit Backups(const std::filesystem::path& folder) : folder_(folder) {
    // RocksDB would make the folder.
    std::error_code error;
    if (!std::filesystem::exists(folder / "meta", error))
      throw StoreUnavailable("there are no backups in " + folder.string());
    rocksdb::BackupEngineReadOnly* opened = nullptr;
    check(rocksdb::BackupEngineReadOnly::Open(options(folder, no_log_), rocksdb::Env::Default(), &opened),
          "the backups in " + folder.string() + " cannot be read");
    engine_.reset(opened);
  }

  std::vector<RocksDbBackup> all() const {
    std::vector<rocksdb::BackupInfo> infos;
    engine_->GetBackupInfo(&infos);
    std::vector<RocksDbBackup> backups;
    for (const rocksdb::BackupInfo& info : infos) backups.push_back(described(info));
    return backups;
  }

  void restore(const RocksDbBackup& backup, const std::filesystem::path& database) const {
    const std::string name = "backup " + std::to_string(backup.id) + " in " + folder_.string();
    check(engine_->VerifyBackup(backup.id, /*verify_with_checksum=*/true), name + " is damaged");
    check(engine_->RestoreDBFromBackup(backup.id, database.string(), database.string()),
          name + " cannot be restored to " + database.string());
  }

 private:
  const std::filesystem::path folder_;
  rocksdb_store::NoLog no_log_;
  std::unique_ptr<rocksdb::BackupEngineReadOnly> engine_;
};

/// Tells the size of a folder while the object lives: RocksDB does not tell how far a restore is.
class SizeWatch {
 public:
  SizeWatch(std::filesystem::path folder, const std::function<void(std::uint64_t bytes)>& progress)
      : folder_(std::move(folder)), progress_(progress) {
    if (progress_) thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }

 private:
  void run(const std::stop_token& stop) const {
    constexpr std::chrono::milliseconds kPeriod{200};
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    do progress_(size());
    while (!stop.stop_requested() && !wake.wait_for(lock, stop, kPeriod, [] { return false; }));
  }

  std::uint64_t size() const {
    std::uint64_t bytes = 0;
    std::error_code error;
    for (std::filesystem::directory_iterator file(folder_, error), end; !error && file != end;
         file.increment(error)) {
      std::error_code gone;
      const std::uintmax_t of_file = file->file_size(gone);
      if (!gone) bytes += of_file;
    }
    return bytes;
  }

  const std::filesystem::path folder_;
  const std::function<void(std::uint64_t bytes)>& progress_;
  std::jthread thread_;
};

RocksDbBackup find(const std::vector<RocksDbBackup>& backups, std::optional<std::uint32_t> id,
                   const std::filesystem::path& folder) {
  for (auto backup = backups.rbegin(); backup != backups.rend(); ++backup) {
    if (!id || backup->id == *id) return *backup;
  }
  throw InvalidUse(id ? "there is no backup " + std::to_string(*id) + " in " + folder.string()
                      : "there are no backups in " + folder.string());
}

}  // namespace

RocksDbBackup make_backup(RocksDbStore& store, const std::filesystem::path& folder,
                          const std::function<void(std::uint64_t bytes)>& progress) {
  const std::string doing = "the backup in " + folder.string() + " is not made";
  rocksdb_store::Database& database = rocksdb_store::database_of(store);
  database.check_log();
  rocksdb_store::NoLog no_log;
  rocksdb::BackupEngine* opened = nullptr;
  check(rocksdb::BackupEngine::Open(options(folder, no_log), rocksdb::Env::Default(), &opened), doing);
  const std::unique_ptr<rocksdb::BackupEngine> engine(opened);
  check(engine->GarbageCollect(), doing);
  std::uint64_t bytes = 0;
  rocksdb::CreateBackupOptions create;
  create.flush_before_backup = true;
  if (progress) create.progress_callback = [&] { progress(bytes += kProgressStep); };
  rocksdb::BackupID id = 0;
  check(engine->CreateNewBackup(create, &database.db(), &id), doing);
  rocksdb::BackupInfo info;
  check(engine->GetBackupInfo(id, &info), doing);
  if (progress) progress(info.size);
  return described(info);
}

std::vector<RocksDbBackup> list_backups(const std::filesystem::path& folder) { return Backups(folder).all(); }

RocksDbBackup restore_backup(const std::filesystem::path& folder, std::optional<std::uint32_t> id,
                             const std::filesystem::path& database,
                             const std::function<void(std::uint64_t bytes)>& progress) {
  if (std::filesystem::exists(database))
    throw InvalidUse(database.string() + " exists: a backup is restored to a path that does not");
  const Backups backups(folder);
  const RocksDbBackup backup = find(backups.all(), id, folder);
  const std::filesystem::path unfinished = database.string() + ".restoring";
  {
    const SizeWatch watch(unfinished, progress);
    backups.restore(backup, unfinished);
  }
  std::error_code error;
  std::filesystem::rename(unfinished, database, error);
  if (error) throw StoreUnavailable(unfinished.string() + " cannot be renamed: " + error.message());
  return backup;
}

}  // namespace autoshard
