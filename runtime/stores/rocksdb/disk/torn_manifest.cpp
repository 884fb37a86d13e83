#include "torn_manifest.h"

#include <rocksdb/file_system.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "wal_tail.h"

namespace autoshard::rocksdb_store {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

constexpr std::string_view kManifest = "MANIFEST-";

/// The first bytes of a file.
class BeginningOfFile final : public rocksdb::FSSequentialFileOwnerWrapper {
 public:
  BeginningOfFile(std::unique_ptr<rocksdb::FSSequentialFile> file, std::size_t size)
      : FSSequentialFileOwnerWrapper(std::move(file)), left_(size) {}

  IOStatus Read(std::size_t bytes, const IOOptions& options, rocksdb::Slice* result, char* scratch,
                IODebugContext* debug) override {
    const IOStatus status =
        FSSequentialFileOwnerWrapper::Read(std::min(bytes, left_), options, result, scratch, debug);
    left_ -= std::min(left_, result->size());
    return status;
  }
  IOStatus Skip(std::uint64_t bytes) override {
    const std::uint64_t skipped = std::min<std::uint64_t>(bytes, left_);
    left_ -= skipped;
    return FSSequentialFileOwnerWrapper::Skip(skipped);
  }

 private:
  std::size_t left_;
};

class FileSystem final : public rocksdb::FileSystemWrapper {
 public:
  FileSystem(const std::shared_ptr<rocksdb::FileSystem>& files, std::string manifest, std::size_t size)
      : FileSystemWrapper(files), manifest_(std::move(manifest)), size_(size) {}
  const char* Name() const override { return "AutoShardWholeManifest"; }

  IOStatus NewSequentialFile(const std::string& name, const rocksdb::FileOptions& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* result,
                             IODebugContext* debug) override {
    const IOStatus status = target()->NewSequentialFile(name, options, result, debug);
    if (status.ok() && std::filesystem::path(name).filename() == manifest_)
      *result = std::make_unique<BeginningOfFile>(std::move(*result), size_);
    return status;
  }

 private:
  const std::string manifest_;  // its name in the folder
  const std::size_t size_;
};

/// The name of the MANIFEST in the folder; empty if it cannot be read.
std::string manifest_name(rocksdb::Env& env, const std::filesystem::path& folder) {
  std::string current;
  if (!rocksdb::ReadFileToString(&env, (folder / "CURRENT").string(), &current).ok()) return "";
  if (!current.starts_with(kManifest) || !current.ends_with('\n')) return "";
  current.pop_back();
  return current;
}

}  // namespace

std::unique_ptr<rocksdb::Env> with_whole_manifest(rocksdb::Env& env, const std::filesystem::path& folder) {
  std::string name = manifest_name(env, folder), manifest;
  if (name.empty() || !rocksdb::ReadFileToString(&env, (folder / name).string(), &manifest).ok())
    return nullptr;
  const std::size_t whole = end_before_torn_record(manifest);
  if (whole == manifest.size()) return nullptr;
  return rocksdb::NewCompositeEnv(std::make_shared<FileSystem>(env.GetFileSystem(), std::move(name), whole));
}

std::uint64_t manifest_number(rocksdb::Env& env, const std::filesystem::path& folder) {
  const std::string name = manifest_name(env, folder);
  std::uint64_t number = 0;
  if (!name.empty()) std::from_chars(name.data() + kManifest.size(), name.data() + name.size(), number);
  return number;
}

}  // namespace autoshard::rocksdb_store
