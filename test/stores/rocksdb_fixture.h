#pragma once

#include <autoshard/errors.h>
#include <autoshard/rocksdb_store.h>
#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>

#include "support/test_store.h"

namespace autoshard::test {

inline const RocksDbOptions kFast{.sync = false, .minimum_free_bytes = 0};

/// A place for a store, which is not there yet.
class RocksDbStoreTest : public ::testing::Test {
 protected:
  void put(Store& store, std::string_view key, std::string_view value) {
    const auto transaction = store.begin();
    transaction->put(key, value);
    ASSERT_EQ(transaction->commit(), CommitOutcome::kCommitted);
  }

  /// Every file of the folder with its bytes; but not the lock, which is taken to look at the rest.
  std::map<std::string, std::string> files(const std::filesystem::path& folder) {
    std::map<std::string, std::string> all;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      if (file.path().filename() == "LOCK") continue;
      std::ifstream in(file.path(), std::ios::binary);
      all[file.path().filename().string()] = std::string(std::istreambuf_iterator<char>(in), {});
    }
    return all;
  }

  TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "store";
};

}  // namespace autoshard::test
