#pragma once

#include <filesystem>
#include <string>

#include "support/temporary_folder.h"

namespace autoshard::bench {

/// A temporary folder that every user may enter: servers have users of their own.
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& parent);

  const std::filesystem::path& path() const { return folder_.path(); }

 private:
  const test::TemporaryFolder folder_;
};

/// Processor, cores, kernel and the file system of a folder, in one line.
std::string describe_machine(const std::filesystem::path& folder);

/// Whether the folder is on a file system that is none of a disk.
bool in_memory(const std::filesystem::path& folder);

}  // namespace autoshard::bench
