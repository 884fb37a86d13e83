#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace autoshard::bench {

/// Writes `count` headers into `folder`, each with one entity, all different, in the manner of an
/// application's: votes on a post, the stock of an article, the best score of a game, the hits of a page.
/// Returns their names.
std::vector<std::string> write_entity_headers(const std::filesystem::path& folder, int count);

}  // namespace autoshard::bench
