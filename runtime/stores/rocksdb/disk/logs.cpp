#include "logs.h"

#include <memory>
#include <vector>

namespace autoshard::rocksdb_store {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOStatus;

class FileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "AutoShardLogsInOrder"; }

  IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result, IODebugContext* debug) override {
    if (const IOStatus status = sync_logs_before(name, options, debug); !status.ok()) return status;
    return target()->NewWritableFile(name, options, result, debug);
  }

 private:
  IOStatus sync_logs_before(const std::filesystem::path& file, const rocksdb::FileOptions& options,
                            IODebugContext* debug) {
    const std::optional<std::uint64_t> number = log_number(file);
    if (!number) return IOStatus::OK();
    Logs logs;
    IOStatus status = find_logs(target(), file.parent_path(), logs);
    for (auto log = logs.upper_bound(*number); status.ok() && log != logs.end(); ++log) {
      std::unique_ptr<rocksdb::FSRandomRWFile> before;
      status = target()->NewRandomRWFile(log->second, options, &before, debug);
      if (status.IsPathNotFound() ||
          status.IsNotFound()) {  // RocksDB needs the log no more, and has removed it
        status = IOStatus::OK();
      } else if (status.ok()) {
        status = before->Sync(rocksdb::IOOptions(), debug);
      }
    }
    return status;
  }
};

}  // namespace

std::optional<std::uint64_t> log_number(const std::filesystem::path& file) {
  constexpr std::size_t kMostDigits = 18;
  const std::string name = file.stem().string();
  if (file.extension() != ".log" || name.size() > kMostDigits ||
      name.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoull(name);
}

IOStatus find_logs(rocksdb::FileSystem* files, const std::filesystem::path& folder, Logs& logs) {
  std::vector<std::string> names;
  IOStatus status = files->GetChildren(folder.string(), rocksdb::IOOptions(), &names, nullptr);
  for (const std::string& name : names) {
    if (const auto number = log_number(name)) logs[*number] = (folder / name).string();
  }
  return status;
}

std::shared_ptr<rocksdb::FileSystem> with_logs_in_order(const std::shared_ptr<rocksdb::FileSystem>& files) {
  return std::make_shared<FileSystem>(files);
}

}  // namespace autoshard::rocksdb_store
