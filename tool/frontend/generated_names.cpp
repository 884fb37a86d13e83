#include "tool/frontend/generated_names.h"

#include <llvm/Support/Path.h>

#include "tool/model/model.h"

namespace autoshard::tool {
namespace {

/// Gives a file the name that the underlying file system has for it. So the requested name and this name are
/// one file.
llvm::vfs::Status under_own_name(llvm::vfs::Status status) {
  status.ExposesExternalVFSPath = true;
  return status;
}

class OpenHeader : public llvm::vfs::File {
 public:
  explicit OpenHeader(std::unique_ptr<llvm::vfs::File> file) : file_(std::move(file)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override {
    llvm::ErrorOr<llvm::vfs::Status> found = file_->status();
    return found ? under_own_name(*found) : found;
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t size,
                                                               bool requires_null_terminator,
                                                               bool is_volatile) override {
    return file_->getBuffer(name, size, requires_null_terminator, is_volatile);
  }
  std::error_code close() override { return file_->close(); }

 private:
  std::unique_ptr<llvm::vfs::File> file_;
};

class GeneratedNames : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    const std::string header = existing_header_of(path);
    if (header.empty()) return ProxyFileSystem::status(path);
    llvm::ErrorOr<llvm::vfs::Status> found = ProxyFileSystem::status(header);
    return found ? under_own_name(*found) : found;
  }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    const std::string header = existing_header_of(path);
    if (header.empty()) return ProxyFileSystem::openFileForRead(path);
    auto file = ProxyFileSystem::openFileForRead(header);
    if (!file) return file;
    return std::make_unique<OpenHeader>(std::move(*file));
  }

 private:
  std::string existing_header_of(const llvm::Twine& path) {
    std::string header = original_name(path.str());
    return header.empty() || !ProxyFileSystem::exists(header) ? std::string() : header;
  }
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_generated_names(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base) {
  return llvm::makeIntrusiveRefCnt<GeneratedNames>(std::move(base));
}

}  // namespace autoshard::tool
