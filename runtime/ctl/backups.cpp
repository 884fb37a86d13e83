#include "backups.h"

#include <autoshard/errors.h>
#ifdef AUTOSHARD_HAS_ROCKSDB
#include <autoshard/rocksdb_backup.h>
#endif
#include <fmt/format.h>

#include <functional>
#include <memory>

#include "open_store.h"
#include "record_json.h"
#include "table.h"

namespace autoshard::ctl {

#ifdef AUTOSHARD_HAS_ROCKSDB
namespace {

constexpr std::int64_t kMillisecondsPerSecond = 1000;

std::function<void(std::uint64_t)> shown_by(const ProgressLine& progress) {
  if (!progress.is_shown()) return {};
  return [&](std::uint64_t bytes) { progress.show("copied", bytes, "bytes"); };
}

std::string time_of(const RocksDbBackup& backup) { return time_text(backup.time * kMillisecondsPerSecond); }

void print(const RocksDbBackup& backup, const std::string& text, Output output) {
  const Json json = {
      {"backup", backup.id}, {"time", backup.time * kMillisecondsPerSecond}, {"bytes", backup.bytes}};
  output.out << (output.is_json ? json.dump() : text) << '\n';
}

}  // namespace

void back_up(const std::string& store, const std::string& folder, const ProgressLine& progress,
             Output output) {
  const std::unique_ptr<RocksDbStore> opened = open_rocksdb_to_back_up(store);
  const RocksDbBackup backup = make_backup(*opened, folder, shown_by(progress));
  print(backup, fmt::format("backup {} in {}: {} bytes", backup.id, folder, with_commas(backup.bytes)),
        output);
}

void show_backups(const std::string& folder, Output output) {
  Table table({"backup", "time", "bytes"});
  for (const RocksDbBackup& backup : list_backups(folder)) {
    if (output.is_json) print(backup, {}, output);
    table.add({std::to_string(backup.id), time_of(backup), with_commas(backup.bytes)});
  }
  if (!output.is_json) table.print(output.out);
}

void restore(const std::string& store, const std::string& folder, std::optional<std::uint32_t> backup,
             const ProgressLine& progress, Output output) {
  const RocksDbBackup restored = restore_backup(folder, backup, rocksdb_path(store), shown_by(progress));
  print(restored, fmt::format("{} is made of backup {} of {}", store, restored.id, time_of(restored)),
        output);
}

#else
namespace {

[[noreturn]] void throw_without_rocksdb() {
  throw InvalidUse("this autoshardctl was built without the component rocksdb");
}

}  // namespace

void back_up(const std::string&, const std::string&, const ProgressLine&, Output) { throw_without_rocksdb(); }

void show_backups(const std::string&, Output) { throw_without_rocksdb(); }

void restore(const std::string&, const std::string&, std::optional<std::uint32_t>, const ProgressLine&,
             Output) {
  throw_without_rocksdb();
}
#endif

}  // namespace autoshard::ctl
