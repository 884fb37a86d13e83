#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace autoshard::bench {

/// The questions and log entries that queries are asked about. Whatever they have, they have each time.
struct QueryData {
  static constexpr int kShards = 10;
  static constexpr int kMany = 80;       ///< votes that some in a hundred questions have more of
  static constexpr int kByAuthor = 100;  ///< questions
  static constexpr int kByDay = 50;      ///< questions
  static constexpr const char* kCompany = "Acme";

  explicit QueryData(int its_entities);

  /// Of any number.
  std::string author(int number) const;

  int entities;  ///< questions, and log entries
  std::uint64_t votes = 0, many = 0;
  std::vector<int> top;  ///< the most votes
};

/// In a process of its own, so that this one has no more memory for it.
void fill_questions(const std::filesystem::path& folder, const QueryData& data);
void fill_log(const std::filesystem::path& folder, const QueryData& data);

}  // namespace autoshard::bench
