#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace autoshard::bench {

/// What somebody who knows RocksDB and MessagePack would write by hand for sharded votes: the records that
/// AutoShard has, with the same guarantees. An update fails for an absent question, and a save for one that
/// was saved since.
class PeerStore {
 public:
  struct Question {
    int id = 0;
    std::string question, author;
    std::vector<std::pair<std::string, std::string>> responses;
    int votes = 0;
    int pending = 0;
    std::uint64_t version = 0;
  };

  /// `kind`: under which name the questions are kept.
  PeerStore(const std::filesystem::path& folder, bool sync, const std::string& kind = "Question");
  ~PeerStore();

  void create(Question& question);
  void save(Question& question);
  void vote(int id);
  std::optional<Question> load(int id);

 private:
  struct Database;

  std::string entity_key(int id) const;

  const std::string prefix_;
  std::unique_ptr<Database> database_;
};

}  // namespace autoshard::bench
