#include "machine.h"

#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/utsname.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <thread>

namespace autoshard::bench {
namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(std::min(line.find(": ") + 2, line.size()));
  }
  return "unknown processor";
}

/// The file system of the mount that the folder lies in.
std::string file_system(const std::filesystem::path& folder) {
  const std::string path = std::filesystem::canonical(folder).string() + '/';
  std::ifstream mounts("/proc/self/mounts");
  std::string device, point, type, options, best_type = "unknown";
  std::size_t best = 0;
  while (mounts >> device >> point >> type && std::getline(mounts, options)) {
    if (point != "/") point += '/';
    if (path.starts_with(point) && point.size() >= best) {
      best = point.size();
      best_type = type;
    }
  }
  return best_type;
}

}  // namespace

WorkFolder::WorkFolder(const std::filesystem::path& parent) : folder_(parent) {
  using std::filesystem::perms;
  std::filesystem::permissions(path(), perms::owner_all | perms::group_exec | perms::others_exec);
}

std::string describe_machine(const std::filesystem::path& folder) {
  utsname system{};
  uname(&system);
  return fmt::format("{}, {} cores, Linux {}, {}", processor(), std::thread::hardware_concurrency(),
                     system.release, file_system(folder));
}

bool in_memory(const std::filesystem::path& folder) {
  struct statfs info {};
  return statfs(folder.c_str(), &info) == 0 && (info.f_type == TMPFS_MAGIC || info.f_type == RAMFS_MAGIC);
}

}  // namespace autoshard::bench
