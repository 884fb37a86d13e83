#pragma once

#include <string>
#include <vector>

#include "markdown.h"

namespace autoshard::guides {

/// Returns the paths of all Markdown files of the repository. Folders of builds and hidden folders are left
/// out.
std::vector<std::string> paths_of_pages();

/// Returns a page of the repository.
Page page_at(const std::string& path);

/// For tests with one page as their parameter: `runtime/guide/mapper.md` becomes `runtime_guide_mapper`.
std::string name_of_page(const std::string& path);

}  // namespace autoshard::guides
