/// What becomes of the flags of other compilers.

#include "tool/frontend/compiler/flags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "tool/frontend/frontend.h"

namespace autoshard::tool {
namespace {

bool has(const std::vector<std::string>& flags, const std::string& flag) {
  return std::ranges::find(flags, flag) != flags.end();
}

TEST(FlagsTest, KeepsWhatMattersForTheMeaning) {
  const auto command = command_line({"-DX=1", "-isystem", "folder", "-std=c++23", "-O2"}, "main.cpp");
  EXPECT_TRUE(has(command, "-isystem") && has(command, "folder"));
  EXPECT_TRUE(has(command, "-std=c++23"));
  EXPECT_FALSE(has(command, "-std=c++20"));
}

TEST(FlagsTest, DropsWhatConcernsOthers) {
  const auto command =
      command_line({"-Wall", "-Werror", "-c", "main.cc", "-o", "main.o", "-MF", "x.d"}, "main.cpp");
  for (const char* flag : {"-Wall", "-Werror", "-c", "main.cc", "main.o", "x.d"})
    EXPECT_FALSE(has(command, flag)) << flag;
  EXPECT_TRUE(has(command, "-std=c++20"));
  EXPECT_EQ(command.back(), "main.cpp");
}

/// Clang refuses some code by default that a compiler accepts with these.
TEST(FlagsTest, KeepsWhatPermitsCode) {
  const auto command = command_line({"-Wno-narrowing", "-Wno-error=return-type"}, "main.cpp");
  EXPECT_TRUE(has(command, "-Wno-narrowing"));
  EXPECT_TRUE(has(command, "-Wno-error=return-type"));
}

TEST(FlagsTest, MakesIncludesAbsolute) {
  const std::vector<std::string> flags{"-Ia", "-isystem", "b", "-I/c", "-Dd", "-isysteme"};
  EXPECT_EQ(with_absolute_includes(flags, "/x"),
            (std::vector<std::string>{"-I/x/a", "-isystem", "/x/b", "-I/c", "-Dd", "-isystem/x/e"}));
}

TEST(FlagsTest, ComeFromACompilationDatabase) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "autoshard_flags_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "compile_commands.json")
      << R"([{"directory": "/build", "file": "/src/main.cpp", "command": "g++ -Iinclude -DX -c /src/main.cpp"}])";
  const auto flags = flags_from_build(folder.string(), "/src/question.h");
  EXPECT_TRUE(has(flags, "-I/build/include"));
  EXPECT_TRUE(has(flags, "-DX"));
  EXPECT_FALSE(has(command_line(flags, "main.cpp"), "/src/question.h"));
  std::filesystem::remove_all(folder);
  EXPECT_THROW(flags_from_build(folder.string(), "/src/question.h"), std::runtime_error);
}

}  // namespace
}  // namespace autoshard::tool
