#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard::bench {

/// What somebody who knows RocksDB and MessagePack would write by hand to find questions and log entries,
/// over the records that AutoShard has.
class QueryPeer {
 public:
  /// A question or a log entry.
  struct Found {
    std::string text, of;  ///< the question, the author; the action, the company
    std::int64_t when = 0;
    int votes = 0;
  };
  using Take = std::function<void(const Found&)>;

  explicit QueryPeer(const std::filesystem::path& folder);
  ~QueryPeer();

  /// Goes through all records whose keys begin like this. Returns how many there are.
  std::uint64_t walk(const std::string& prefix);

  /// Which records to look for.
  struct Index {
    std::string kind;                   ///< what the keys of the entities begin with
    std::vector<std::string> prefixes;  ///< what those of index records begin with, shard by shard
    std::size_t numbers = 0;            ///< how many of these stand in front of the id, behind the prefix
  };

  /// Those that the index has in its order, not more than `limit`; the first of them is that of `from`, or
  /// comes behind it. With their votes, or without any.
  void find_questions(const Index& index, const std::string& from, std::size_t limit, const Take& take);
  void find_log(const Index& index, const std::string& from, std::size_t limit, const Take& take);

 private:
  struct Database;

  template <class Read>
  void find(const Index& index, const std::string& from, std::size_t limit, Read read, const Take& take);

  std::unique_ptr<Database> database_;
};

}  // namespace autoshard::bench
