#pragma once

/// A RocksDB store that a program has open, and commands on it and on others, for the tests of autoshardctl.

#include <autoshard/autoshard.h>
#include <autoshard/rocksdb_store.h>
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "commands.h"
#include "entities/indexes/member.autoshard.h"
#include "entities/strategies/flight.autoshard.h"
#include "support/temporary_folder.h"

namespace autoshard::test {

using activity::Member;
using airline::Flight;
using namespace std::chrono_literals;

struct Ran {
  int code;
  std::string out, errors;
};

/// Flight 7 with deltas and a token, Flight 8, and Member 5.
class CtlTest : public ::testing::Test {
 protected:
  CtlTest() {
    mapper_.save(Flight(7));
    for (int i = 0; i < 2; ++i) mapper_.apply<&Flight::like>(7);
    mapper_.apply<&Flight::like>(7, token("order-7"));
    mapper_.save(Flight(8));
    Member member(5);
    member.name = "Ann";
    member.email = "ann@example.org";
    mapper_.save(member);
  }

  Ran run(std::vector<std::string> words) const {
    words.insert(words.begin(), {"autoshardctl", "rocksdb:" + (folder_.path() / "air").string()});
    return run_words(words);
  }
  static Ran run_words(const std::vector<std::string>& words) {
    std::vector<const char*> arguments;
    for (const std::string& word : words) arguments.push_back(word.c_str());
    std::ostringstream out, errors;
    const int code = ctl::run(static_cast<int>(arguments.size()), arguments.data(), out, errors);
    return {code, out.str(), errors.str()};
  }

  /// Writes a file, and returns its path.
  std::string file(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
  }

  /// A copy of the store that no program has open; returns its name for commands.
  std::string copy_to(const std::string& name) const {
    EXPECT_EQ(run({"copy", other(name), "--live"}).code, 0);
    return other(name);
  }

  /// The name of another store, for commands.
  std::string other(const std::string& name) const { return "rocksdb:" + (folder_.path() / name).string(); }

  TemporaryFolder folder_;
  RocksDbStore store_{folder_.path() / "air", {.minimum_free_bytes = 0}};
  Mapper mapper_{store_, {.combine = false, .compact_every = 0ms}};
};

}  // namespace autoshard::test
