#include "pages.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace autoshard::guides {

namespace fs = std::filesystem;

std::vector<std::string> paths_of_pages() {
  const fs::path root = SOURCE_FOLDER;
  std::vector<std::string> paths;
  for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory() && (name.starts_with('.') || name.starts_with("build")))
      entry.disable_recursion_pending();
    if (name.ends_with(".md")) paths.push_back(entry->path().lexically_relative(root).string());
  }
  std::ranges::sort(paths);
  return paths;
}

Page page_at(const std::string& path) {
  std::ifstream file(fs::path(SOURCE_FOLDER) / path, std::ios::binary);
  return parse(path, std::string(std::istreambuf_iterator<char>(file), {}));
}

std::string name_of_page(const std::string& path) {
  std::string name = path.substr(0, path.rfind('.'));
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == '-' || c == '.'; }, '_');
  return name;
}

}  // namespace autoshard::guides
