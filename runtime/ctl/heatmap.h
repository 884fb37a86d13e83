#pragma once

#include <filesystem>
#include <string>

namespace autoshard::ctl {

/// Writes the page of the monitor at this URL, with its data, into a file. Throws `std::runtime_error` if
/// there is no monitor at the URL or the file cannot be written; then no file is left.
void save_heatmap(const std::string& url, const std::filesystem::path& file);

}  // namespace autoshard::ctl
