#pragma once

#include <filesystem>
#include <string>

namespace autoshard::bench {

/// A folder of its own inside another, which every user may enter; removed with all that is in it.
class WorkFolder {
 public:
  explicit WorkFolder(const std::filesystem::path& parent);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Processor, cores, kernel and the file system of a folder, in one line.
std::string describe_machine(const std::filesystem::path& folder);

/// Whether the folder is on a file system that is none of a disk.
bool in_memory(const std::filesystem::path& folder);

}  // namespace autoshard::bench
